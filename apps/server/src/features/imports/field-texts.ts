import type { FieldValue } from '@caseward/contract/field-values'
import type { OwnFieldValue } from '@caseward/importers/records'

import type { FieldDefinition } from '../fields/field-definitions.ts'
import type { StoredValue } from '../fields/stored-values.ts'

/*
 * Values of custom fields as texts, by which imports compare them: options by their labels, several as a JSON list.
 */

/** The text of a value that is stored. */
export function toFieldText({ type, optionsByNumber }: FieldDefinition, stored: StoredValue): string {
  if (type === 'select') return optionsByNumber.get(Number(stored))?.label ?? ''
  if (type !== 'multi_select') return String(stored)
  const labels = [stored].flat().flatMap((number) => optionsByNumber.get(Number(number))?.label ?? [])
  return labels.length === 0 ? '' : JSON.stringify(labels.toSorted())
}

/** The text of a value of an export; null if it is none of the type. @param labels of options by their keys */
export function toValueText(type: string, labels: ReadonlyMap<string, string>, value: OwnFieldValue): string | null {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? String(value) : null
    case 'checkbox':
      return typeof value === 'boolean' ? String(value) : null
    case 'select':
      return typeof value === 'string' ? (labels.get(value) ?? null) : null
    case 'multi_select': {
      if (!Array.isArray(value) || value.length === 0) return null
      const found = (value as readonly string[]).map((key) => labels.get(key))
      const known = found.filter((label) => label !== undefined)
      return known.length < found.length ? null : JSON.stringify(known.toSorted())
    }
    default:
      return typeof value === 'string' && value !== '' ? value : null
  }
}

/**
 * The value of a text, as a request sends it; undefined for an option that the field does not have.
 * @param options.acceptsRetired whether options that are retired count, too
 */
export function toSentValue(
  field: FieldDefinition,
  text: string,
  { acceptsRetired = false }: { acceptsRetired?: boolean } = {},
): FieldValue | undefined {
  const findKey = (label: string) =>
    (field.options ?? []).find(
      (option) => (acceptsRetired || !option.is_retired) && option.label.toLowerCase() === label.toLowerCase(),
    )?.key
  switch (field.type) {
    case 'number':
      return Number(text)
    case 'checkbox':
      return text === 'true'
    case 'select':
      return findKey(text)
    case 'multi_select': {
      const keys = (JSON.parse(text) as string[]).map(findKey)
      const known = keys.filter((key) => key !== undefined)
      return known.length < keys.length ? undefined : known
    }
    case 'text':
    case 'long_text':
    case 'date':
    case 'url':
    case 'user':
      return text
    default:
      return field.type satisfies never
  }
}
