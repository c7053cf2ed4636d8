import type { Field, FieldType } from '@caseward/client/endpoints'

type StoredValue = string | number | boolean | readonly string[]
export type FieldValue = StoredValue | null | undefined

export const typeNames: Readonly<Record<FieldType, string>> = {
  text: 'Text',
  long_text: 'Long text',
  number: 'Number',
  date: 'Date',
  checkbox: 'Yes or no',
  select: 'One option',
  multi_select: 'Several options',
  user: 'Person',
  url: 'Address (URL)',
}

const formatNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 6 }).format
const formatDate = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format

/** The label of an option, also of one that is retired. */
export const getOptionLabel = ({ options }: Pick<Field, 'options'>, key: string): string =>
  options?.find((option) => option.key === key)?.label ?? key

/** Formats a value for people; an empty text for none. */
export function formatFieldValue(field: Field, value: FieldValue, getPerson: (id: string) => string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value !== 'string') return value.map((key) => getOptionLabel(field, key)).join(', ')
  if (field.type === 'select') return getOptionLabel(field, value)
  if (field.type === 'user') return getPerson(value) || 'Somebody who has left'
  if (field.type === 'date') return formatDate(new Date(value))
  return value
}

/** The fields of which rows of lists can have values: long texts would make them too large. */
export const isListed = ({ type }: Pick<Field, 'type'>): boolean => type !== 'long_text'

/** The fields by which lists can be sorted. */
export const isSortable = ({ type }: Pick<Field, 'type'>): boolean => ['number', 'date', 'select'].includes(type)
