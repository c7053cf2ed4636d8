import { formatSteps, formatTags } from '@caseward/case-files/cell-text'
import type { ImportedRecord } from '@caseward/client/endpoints'

const CUSTOM = 'fields.'
const NAMES: Readonly<Record<string, string>> = { folder_id: 'folder', owner_id: 'owner' }

/** What a field is called: `Expected result`. */
export function nameConflictField(field: string): string {
  const name = field.startsWith(CUSTOM) ? field.slice(CUSTOM.length) : (NAMES[field] ?? field)
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value of one side as a text. An empty one is said to be. */
export function formatConflictValue(
  field: string,
  values: ImportedRecord['before'],
  getFolder: (id: string | null) => string,
): string {
  const text = toText(field, values, getFolder)
  return text === '' ? '(empty)' : text
}

function toText(field: string, values: ImportedRecord['before'], getFolder: (id: string | null) => string): string {
  const value = field.startsWith(CUSTOM)
    ? (values?.['fields'] as Record<string, unknown> | undefined)?.[field.slice(CUSTOM.length)]
    : values?.[field]
  if (value === null || value === undefined) return ''
  if (field === 'folder_id') return getFolder(value as string)
  if (field === 'steps') return formatSteps(value as { action: string; expected: string }[])
  if (Array.isArray(value)) return formatTags(value as string[])
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
