import type { Field, ImportRow } from '@caseward/client/endpoints'

import { checkLength } from './cell-limits.ts'
import { findColumn } from './find-column.ts'

/*
 * The columns of custom fields: by the name of the field or its key, with options by their labels or keys.
 */

/** A custom field, as the project defines it. */
export type CustomField = Pick<Field, 'key' | 'name' | 'type' | 'options'>
type FieldValue = NonNullable<ImportRow['fields']>[string]

/** What the cells of custom fields are written and read with. */
export interface CustomColumns {
  readonly fields: readonly CustomField[]
  /** The people of the project, of which a file has the names. */
  readonly people: readonly { readonly id: string; readonly name: string }[]
}

export const noCustomColumns: CustomColumns = { fields: [], people: [] }

/** An option that a file names and its field does not have. */
export interface UnknownOption {
  /** The key of the field. */
  readonly key: string
  readonly label: string
}

/** What a column of a file contains if it is the custom field with this key. */
export type CustomFileField = `field.${string}`
export const toCustomFileField = (key: string): CustomFileField => `field.${key}`
export const isCustomFileField = (field: string | null): field is CustomFileField =>
  field?.startsWith('field.') === true

export const findCustomField = (fields: readonly CustomField[], field: string): CustomField | undefined =>
  fields.find(({ key }) => toCustomFileField(key) === field)

const normalize = (text: string) => text.trim().toLowerCase()

/** Finds the field that a heading names. The columns of built-in fields go first. */
export function findFieldOfHeading(heading: string, fields: readonly CustomField[]): CustomField | undefined {
  if (findColumn(heading) !== undefined) return undefined
  const wanted = normalize(heading)
  const named = fields.filter(({ name }) => normalize(name) === wanted)
  return fields.find(({ key }) => key === wanted) ?? (named.length === 1 ? named[0] : undefined)
}

/** The heading of a field: its name, unless another column could be meant. */
export const getHeading = (field: CustomField, fields: readonly CustomField[]): string =>
  findFieldOfHeading(field.name, fields) === field ? field.name : field.key

/** Writes a value as people read it, so that {@link readFieldValue} returns it again. */
export function writeFieldValue(field: CustomField, value: FieldValue | undefined, { people }: CustomColumns): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.map((key) => writeOption(field, key)).join('; ')
  if (field.type === 'select') return writeOption(field, value)
  if (field.type === 'user') return findOne(people, ({ id }) => id === value, people)?.name ?? value
  return value
}

/** A name that several people have says nothing. */
function findOne(
  people: CustomColumns['people'],
  matches: (person: CustomColumns['people'][number]) => boolean,
  all: CustomColumns['people'],
) {
  const found = people.find(matches)
  return found === undefined || all.filter(({ name }) => normalize(name) === normalize(found.name)).length > 1
    ? undefined
    : found
}

/** A label that would be read as another option, or as several, is written as the key. */
function writeOption(field: CustomField, key: string): string {
  const label = field.options?.find((option) => option.key === key)?.label ?? key
  const isClear = findOption(field, label) === key && (field.type === 'select' || !label.includes(';'))
  return isClear ? label : key
}

const findOption = ({ options }: CustomField, text: string): string | undefined =>
  (
    options?.find(({ label }) => label === text) ??
    options?.find(({ key }) => key === text) ??
    options?.find(({ label, key }) => normalize(label) === normalize(text) || key === normalize(text))
  )?.key

/** Reads a cell. An empty one is no value. @returns what is wrong, as sentences without capitals and periods */
export function readFieldValue(
  field: CustomField,
  cell: string,
  { people }: CustomColumns,
):
  | { readonly value: FieldValue }
  | { readonly errors: readonly string[]; readonly unknownOptions?: readonly string[] } {
  const text = cell.trim()
  if (text === '') return { value: null }
  const fail = (message: string) => ({ errors: [`the field ${field.name} ${message}`] })
  switch (field.type) {
    case 'text':
    case 'url':
    case 'long_text': {
      const errors = checkLength(`the field ${field.name}`, text, MAX_LENGTHS[field.type])
      return errors.length > 0 ? { errors } : { value: text }
    }
    case 'number': {
      if (CAN_BE_TWO.test(text)) return fail(`could be two numbers: ${JSON.stringify(text)}; write 1500, or 1.5`)
      const number = IS_NUMBER.test(text) ? Number(text.replace(',', '.')) : NaN
      return Number.isFinite(number) ? { value: number } : fail(`is no number: ${JSON.stringify(text)}`)
    }
    case 'date':
      return /^\d{4}-\d\d-\d\d$/.test(text)
        ? { value: text }
        : fail(`is no date such as 2026-11-21: ${JSON.stringify(text)}`)
    case 'checkbox': {
      const value = WORDS.get(text.toLowerCase())
      return value === undefined ? fail(`is neither yes nor no: ${JSON.stringify(text)}`) : { value }
    }
    case 'user': {
      const byId = people.find(({ id }) => id === text)
      const byName = people.filter(({ name }) => normalize(name) === normalize(text))
      if (byId !== undefined) return { value: byId.id }
      if (byName.length === 1) return { value: byName[0]?.id ?? null }
      return fail(`names ${byName.length === 0 ? 'nobody' : 'several people'} in the project: ${JSON.stringify(text)}`)
    }
    case 'select': {
      const key = findOption(field, text)
      if (key !== undefined) return { value: key }
      return { ...fail(describeUnknownOption(field, text)), unknownOptions: [text] }
    }
    case 'multi_select':
      return readOptions(field, text)
    default:
      // A type of a later server.
      return { value: text }
  }
}

/** Reads options that are separated by semicolons. */
function readOptions(
  field: CustomField,
  text: string,
): { readonly value: FieldValue } | { readonly errors: readonly string[]; readonly unknownOptions: readonly string[] } {
  const texts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const keys = texts.map((part) => findOption(field, part))
  const unknownOptions = texts.filter((_, index) => keys[index] === undefined)
  const errors = unknownOptions.map((part) => `the field ${field.name} ${describeUnknownOption(field, part)}`)
  if (errors.length > 0) return { errors, unknownOptions }
  return { value: [...new Set(keys.filter((key) => key !== undefined))] }
}

const IS_NUMBER = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i
/** A comma before three digits separates thousands in some countries, and decimals in others. */
const CAN_BE_TWO = /^[+-]?[1-9]\d{0,2},\d{3}$/

const MAX_LENGTHS = { text: 1000, url: 2048, long_text: 65_536 } as const

const WORDS = new Map([
  ...['yes', 'true', '1', 'x', '✓'].map((word) => [word, true] as const),
  ...['no', 'false', '0'].map((word) => [word, false] as const),
])

function describeUnknownOption({ options }: CustomField, text: string): string {
  const labels = (options ?? []).filter(({ is_retired: isRetired }) => !isRetired).map(({ label }) => label)
  const [nearest] = labels.toSorted((a, b) => countEdits(a, text) - countEdits(b, text))
  const hint = nearest === undefined ? '' : `; the nearest is ${JSON.stringify(nearest)}`
  return `has no option ${JSON.stringify(text)}${hint}`
}

/** The number of characters to add, remove or replace (https://en.wikipedia.org/wiki/Levenshtein_distance). */
function countEdits(left: string, right: string): number {
  const [a, b] = [left.toLowerCase().slice(0, 100), right.toLowerCase().slice(0, 100)]
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
