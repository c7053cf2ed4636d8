import type { FieldValue } from '@caseward/contract/field-values'
import type { FieldError } from '@caseward/contract/problem'

import { isUuid } from '../../platform/http/ids.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { isText } from '../../platform/http/text-formats.ts'
import type { FieldRange, ValueSet } from './case-field-values.queries.ts'
import { checkValue, type ValueError } from './check-value.ts'
import type { FieldDefinition } from './field-definitions.ts'
import type { StoredValue } from './stored-values.ts'

/*
 * Filters by custom fields, such as `field.severity=blocker`, as predicates of jsonpath on the values.
 */

const NAME = /^field\.([^.]*)(?:\.(min|max|contains))?$/
const MAX_FILTERS = 10
const MAX_VALUES = 50

/** A filter as a query has it. */
export interface SentFilter {
  path: string
  key: string
  kind: 'equals' | 'min' | 'max' | 'contains'
  values: string[]
}

/** A predicate that is true if all are. */
export const joinPredicates = (predicates: readonly string[]): string =>
  predicates.map((text) => `(${text})`).join(' && ')

/**
 * Lists the filters by custom fields of a query.
 * @throws {Problem} 400 for names that are none, and too many filters or values
 */
export function listFilters(query: object): SentFilter[] {
  const entries = Object.entries(query).filter(([name]) => name.startsWith('field.'))
  if (entries.length === 0) return []
  const errors: FieldError[] = []
  const filters = entries.flatMap(([name, value]): SentFilter[] => {
    const [, key, kind = 'equals'] = NAME.exec(name) ?? []
    const path = `/${name}`
    const values = [value as unknown].flat().filter((text) => typeof text === 'string')
    if (key === undefined) {
      errors.push({ path, message: 'is unknown: use field.<key>, or that with .min, .max or .contains' })
    } else if (values.length > (kind === 'equals' ? MAX_VALUES : 1)) {
      errors.push({
        path,
        message: kind === 'equals' ? `must have at most ${MAX_VALUES} values` : 'can be sent only once',
      })
    }
    return key === undefined ? [] : [{ path, key, kind: kind as SentFilter['kind'], values }]
  })
  if (errors.length > 0) throw invalidProblem(errors)
  if (filters.length > MAX_FILTERS) {
    throw invalidProblem([
      { path: filters[MAX_FILTERS]?.path ?? '', message: `is more than ${MAX_FILTERS} filters by fields` },
    ])
  }
  return filters
}

/** A predicate of jsonpath, or what is wrong with its filter. */
type Predicate =
  | {
      text: string
      matchesNone: boolean
      range?: FieldRange
      /** The same as values that `case_field_values` has. */
      equal?: ValueSet
    }
  | { error: ValueError }

const invalid = (message: string): Predicate => ({ error: { code: 'invalid_field_value', message } })

/** Converts a filter by a field to a predicate on values. */
export function toPredicate(field: FieldDefinition, { kind, values }: SentFilter): Predicate {
  if (kind === 'equals') return toEquality(field, values)
  const [text = ''] = values
  const path = `$."${field.number}"`
  if (kind === 'contains') {
    if (!['text', 'long_text', 'url'].includes(field.type)) return invalid('is only for texts and addresses')
    if (text === '' || text.length > 255 || !isText(text)) return invalid('must be a text of 1 to 255 characters')
    // `q`: the text is no pattern; `i`: case does not matter.
    return { text: `${path} like_regex ${JSON.stringify(text)} flag "iq"`, matchesNone: false }
  }
  if (field.type !== 'number' && field.type !== 'date') return invalid('is only for numbers and dates')
  // Limits beyond those of the field are possible, too.
  const checked = readValue({ ...field, min_value: null, max_value: null, decimals: null }, text)
  if ('error' in checked) return checked
  const limit = toSortedNumber(checked.value)
  return {
    text: `${path} ${kind === 'min' ? '>=' : '<='} ${JSON.stringify(checked.value)}`,
    matchesNone: false,
    range: {
      field: field.number,
      min: kind === 'min' ? limit : -Infinity,
      max: kind === 'max' ? limit : Infinity,
    },
  }
}

/** A number or date as `case_field_values` has it. */
const toSortedNumber = (value: StoredValue): number =>
  typeof value === 'string' ? Number(value.replaceAll('-', '')) : Number(value)

/** Any of the values; `none` is for no value, `any` for some. */
function toEquality(field: FieldDefinition, values: readonly string[]): Predicate {
  const path = `$."${field.number}"`
  const predicates: string[] = []
  const equal: number[] = []
  for (const text of values) {
    if (text === 'none') predicates.push(`!exists(${path})`)
    else if (text === 'any') predicates.push(`exists(${path})`)
    else {
      const checked = readValue({ ...field, min_value: null, max_value: null, decimals: null }, text)
      if ('error' in checked) return checked
      const item = field.type === 'multi_select' ? `${path}[*]` : path
      predicates.push(`${item} == ${JSON.stringify(checked.value)}`)
      equal.push(toSortedNumber(checked.value))
    }
  }
  // Nothing equals no value.
  if (predicates.length === 0) return invalid('must have a value')
  const predicate = { text: predicates.join(' || '), matchesNone: values.includes('none') }
  const isSorted = ['number', 'date', 'select'].includes(field.type) && equal.length === predicates.length
  return isSorted ? { ...predicate, equal: { field: field.number, values: equal } } : predicate
}

/** Converts the text of a query to one stored value, or one item of a list. */
function readValue(field: FieldDefinition, text: string): { value: StoredValue } | { error: ValueError } {
  if (field.type === 'user') return isUuid(text) ? { value: text } : { error: notUserError }
  const type = field.type === 'multi_select' ? 'select' : field.type
  const checked = checkValue({ ...field, type }, toFieldValue(field, text))
  if ('error' in checked) return checked
  return { value: checked.value ?? '' }
}

const notUserError: ValueError = { code: 'invalid_field_value', message: 'must be a user id' }

function toFieldValue({ type }: FieldDefinition, text: string): FieldValue {
  if (type === 'number') return text.trim() === '' ? text : Number(text)
  if (type === 'checkbox' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}
