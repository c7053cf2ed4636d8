import type { Field } from '@caseward/client/endpoints'

import type { FieldFilter } from './field-filter.ts'
import { formatFieldValue } from './field-words.ts'

const MAX_SHOWN = 24

/** What the button of a filter says: “Severity: Blocker”, “Severity: 2”, “Risk: from 3 to 5”. A retired field is no longer in use. */
export function describeFieldFilter(
  field: Field,
  filters: readonly FieldFilter[],
  getPerson: (id: string) => string,
): string {
  const parts = filters.map(({ kind, value }) => {
    if (kind === 'equals')
      return value === 'none' ? 'no value' : value === 'any' ? 'any' : toLabel(field, value, getPerson)
    if (kind === 'contains') return `“${value}”`
    const limit = field.type === 'date' ? formatFieldValue(field, value, getPerson) : value
    return `${kind === 'min' ? 'from' : 'to'} ${limit}`
  })
  const areValues = filters.every(({ kind }) => kind === 'equals')
  const text = areValues && parts.length > 1 ? String(parts.length) : parts.join(' ')
  const words = `${shorten(field.name)}: ${shorten(text)}`
  return field.retired_at === null ? words : `${words} (removed)`
}

/** The value of an address as people read it. */
function toLabel(field: Field, value: string, getPerson: (id: string) => string): string {
  if (field.type === 'multi_select') return formatFieldValue(field, [value], getPerson)
  if (field.type === 'checkbox') return value === 'true' ? 'Yes' : 'No'
  return formatFieldValue(field, value, getPerson)
}

const shorten = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text)
