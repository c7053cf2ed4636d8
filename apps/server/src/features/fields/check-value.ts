import { type FieldValue, MAX_CHOSEN_OPTIONS } from '@caseward/contract/field-values'
import { MAX_NUMBER } from '@caseward/contract/fields'

import { isText } from '../../platform/http/text-formats.ts'
import { findNearest } from '../../platform/http/unknown-names.ts'
import type { FieldDefinition } from './field-definitions.ts'
import type { StoredValue } from './stored-values.ts'

export type FieldValueCode = 'unknown_field' | 'invalid_field_value' | 'unknown_option'

/** What is wrong with a value. */
export interface ValueError {
  code: FieldValueCode
  message: string
}

/** A value as it is stored, or what is wrong with it. Null stands for no value. */
export type CheckedValue =
  | { value: StoredValue | null; /** Keys of options that are retired. */ retiredOptions?: string[] }
  | { error: ValueError }

const MAX_TEXT_LENGTH = 1000
const MAX_LONG_TEXT_LENGTH = 65_536
const MAX_URL_LENGTH = 2048
const MAX_DECIMALS = 6

const invalid = (message: string): CheckedValue => ({ error: { code: 'invalid_field_value', message } })

/** Checks a value of a request, and converts it to what is stored. Whether a user is a member is not checked here. */
export function checkValue(field: FieldDefinition, value: FieldValue): CheckedValue {
  return value === null ? { value } : checks[field.type](value, field)
}

type Check = (value: Exclude<FieldValue, null>, field: FieldDefinition) => CheckedValue

const checks: Record<FieldDefinition['type'], Check> = {
  text: (value) => {
    if (typeof value === 'string' && /[\n\r\u2028\u2029]/.test(value.trim())) return invalid('must be one line')
    return checkText(value, MAX_TEXT_LENGTH)
  },
  long_text: (value) => checkText(value, MAX_LONG_TEXT_LENGTH),
  number: checkNumber,
  date: (value) =>
    typeof value === 'string' && isDate(value)
      ? { value }
      : invalid('must be a date such as 2026-11-21, of the years 1900 to 2999'),
  checkbox: (value) => (typeof value === 'boolean' ? { value } : invalid('must be true or false')),
  select: (value, field) =>
    typeof value === 'string' ? checkOptions([value], field) : invalid('must be the key of an option'),
  multi_select: (value, field) =>
    Array.isArray(value) ? checkOptions(value, field) : invalid('must be a list of keys of options'),
  user: (value) => (typeof value === 'string' ? { value } : invalid('must be a user id')),
  url: checkUrl,
}

function checkText(value: Exclude<FieldValue, null>, maxLength: number): CheckedValue {
  if (typeof value !== 'string') return invalid('must be text')
  const text = value.trim()
  if (text === '') return invalid('must not be empty: send null for no value')
  if (text.length > maxLength) return invalid(`must be at most ${maxLength} characters long`)
  return isText(text) ? { value: text } : invalid('must be well-formed Unicode without NUL characters')
}

function checkNumber(value: Exclude<FieldValue, null>, field: FieldDefinition): CheckedValue {
  if (typeof value !== 'number' || !Number.isFinite(value)) return invalid('must be a number')
  const { min_value: min, max_value: max, decimals } = field
  if (Math.abs(value) > MAX_NUMBER) return invalid('must have at most 15 digits')
  if (min !== null && value < min) return invalid(`must be ${min} or more`)
  if (max !== null && value > max) return invalid(`must be ${max} or less`)
  const places = decimals ?? MAX_DECIMALS
  if (Number(value.toFixed(places)) !== value) {
    return invalid(places === 0 ? 'must be a whole number' : `must have at most ${places} decimal places`)
  }
  // Not -0, which is not stored.
  return { value: value + 0 }
}

function isDate(text: string): boolean {
  const year = Number(/^(\d{4})-\d\d-\d\d$/.exec(text)?.[1])
  const time = Date.parse(`${text}T00:00:00Z`)
  return year >= 1900 && year <= 2999 && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function checkOptions(keys: readonly string[], { type, optionsByKey }: FieldDefinition): CheckedValue {
  if (keys.length > MAX_CHOSEN_OPTIONS) return invalid(`must have at most ${MAX_CHOSEN_OPTIONS} options`)
  const chosen = [...new Set(keys)].map((key) => ({ key, option: optionsByKey.get(key) }))
  const unknown = chosen.find(({ option }) => option === undefined)
  if (unknown !== undefined)
    return { error: { code: 'unknown_option', message: describeUnknownOption(unknown.key, optionsByKey) } }
  const options = chosen.flatMap(({ option }) => option ?? []).toSorted((a, b) => a.place - b.place)
  const numbers = options.map(({ number }) => number)
  const retiredOptions = options.filter(({ is_retired }) => is_retired).map(({ key }) => key)
  const value = type === 'select' ? (numbers[0] ?? null) : numbers.length === 0 ? null : numbers
  return { value, ...(retiredOptions.length === 0 ? {} : { retiredOptions }) }
}

/** Says that a key is none of a field's options, and which is meant. */
export function describeUnknownOption(key: string, options: FieldDefinition['optionsByKey']): string {
  const nearest = findNearest(key, [...options.keys()])
  return nearest === null ? 'is not an option of this field' : `is not an option of this field: use ${nearest}`
}

function checkUrl(value: Exclude<FieldValue, null>): CheckedValue {
  if (typeof value !== 'string') return invalid('must be an address')
  const text = value.trim()
  if (text.length > MAX_URL_LENGTH) return invalid(`must be at most ${MAX_URL_LENGTH} characters long`)
  // The parser would accept `https:acme.test` and spaces, too.
  const url = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && isText(text) ? URL.parse(text) : null
  if (url === null) return invalid('must be an address that begins with http:// or https://')
  if (url.username !== '' || url.password !== '') return invalid('must not contain a user name or password')
  return { value: text }
}
