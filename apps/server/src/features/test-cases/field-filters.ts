import type { FieldValue } from '@caseward/contract/field-values'
import type { FieldError } from '@caseward/contract/problem'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { isText } from '../../platform/http/text-formats.ts'
import { checkValue, type ValueError } from '../fields/check-value.ts'
import { describeUnknownField, type FieldValueError, invalidValuesProblem } from '../fields/check-values.ts'
import { type FieldRange, hasAllValues, isNarrow } from '../fields/case-field-values.queries.ts'
import type { FieldDefinition } from '../fields/field-definitions.ts'
import { readFields } from '../fields/project-fields.ts'
import type { StoredValue } from '../fields/stored-values.ts'
import { hasFewTestCases, MAX_SCANNED } from './few-test-cases.ts'

/*
 * Filters by custom fields: `field.severity=blocker`, `field.risk.min=3`. All become one or two parameters of type jsonpath, so
 * that the text of the statement does not depend on them, and equality uses the index of the values; limits use the table of
 * sorted values
 * (https://www.postgresql.org/docs/current/functions-json.html#FUNCTIONS-SQLJSON-PATH).
 */

/** The filters of a request as predicates of jsonpath. */
export interface FieldPaths {
  /** What only test cases with values match. */
  present?: string
  /** What test cases without any value can match, too. */
  possible?: string
  /** Limits of numbers and dates, which `case_field_values` has. */
  ranges?: readonly FoundRange[]
}

/** How the test cases in a range are found. */
export interface FoundRange extends FieldRange {
  isNarrow: boolean
}

const NAME = /^field\.([^.]*)(?:\.(min|max|contains))?$/
const MAX_FILTERS = 10
const MAX_VALUES = 50

interface SentFilter {
  path: string
  key: string
  kind: 'equals' | 'min' | 'max' | 'contains'
  values: string[]
}

/**
 * Reads the filters by custom fields of a query; undefined if it has none.
 * @throws {Problem} 400 for unknown fields and options, and values that fields of the type do not have; 422 `filter_too_broad`
 */
export async function readFieldFilters(
  db: Database,
  project: ProjectRef,
  query: object,
): Promise<FieldPaths | undefined> {
  const sent = listFilters(query)
  if (sent.length === 0) return undefined
  if (sent.length > MAX_FILTERS) {
    throw invalidProblem([
      { path: sent[MAX_FILTERS]?.path ?? '', message: `is more than ${MAX_FILTERS} filters by fields` },
    ])
  }
  const { byKey, ...fields } = await readFields(db, project.id)
  const errors: FieldValueError[] = []
  const present: string[] = []
  const possible: string[] = []
  const ranges = new Map<number, FieldRange>()
  const hasRanges = sent.some(({ kind }) => kind === 'min' || kind === 'max')
  const isStored = hasRanges && (await hasAllValues(db, project.id))
  for (const filter of sent) {
    const field = byKey.get(filter.key)
    const predicate =
      field === undefined
        ? { error: { code: 'unknown_field' as const, message: describeUnknownField(filter.key, { byKey, ...fields }) } }
        : toPredicate(field, filter)
    if ('error' in predicate) errors.push({ path: filter.path, ...predicate.error })
    else if (isStored && predicate.range !== undefined)
      ranges.set(predicate.range.field, narrow(ranges.get(predicate.range.field), predicate.range))
    else if (predicate.matchesNone) possible.push(predicate.text)
    else present.push(predicate.text)
  }
  if (errors.length > 0) throw invalidValuesProblem(errors)
  if (sent.some(({ kind }) => kind === 'contains' || (kind !== 'equals' && !isStored)))
    await requireFewTestCases(db, project, query)
  const found: FoundRange[] = []
  for (const range of ranges.values()) found.push({ ...range, isNarrow: await isNarrow(db, project.id, range) })
  return {
    ...(present.length === 0 ? {} : { present: joinPredicates(present) }),
    ...(possible.length === 0 ? {} : { possible: joinPredicates(possible) }),
    ...(found.length === 0 ? {} : { ranges: found }),
  }
}

/** One range of two of the same field. */
const narrow = (first: FieldRange | undefined, second: FieldRange): FieldRange =>
  first === undefined
    ? second
    : { ...second, min: Math.max(first.min, second.min), max: Math.min(first.max, second.max) }

const joinPredicates = (predicates: readonly string[]): string => predicates.map((text) => `(${text})`).join(' && ')

function listFilters(query: object): SentFilter[] {
  const entries = Object.entries(query).filter(([name]) => name.startsWith('field.'))
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
  return filters
}

type Predicate = { text: string; matchesNone: boolean; range?: FieldRange } | { error: ValueError }

const invalid = (message: string): Predicate => ({ error: { code: 'invalid_field_value', message } })

function toPredicate(field: FieldDefinition, { kind, values }: SentFilter): Predicate {
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
  for (const text of values) {
    if (text === 'none') predicates.push(`!exists(${path})`)
    else if (text === 'any') predicates.push(`exists(${path})`)
    else {
      const checked = readValue({ ...field, min_value: null, max_value: null, decimals: null }, text)
      if ('error' in checked) return checked
      const item = field.type === 'multi_select' ? `${path}[*]` : path
      predicates.push(`${item} == ${JSON.stringify(checked.value)}`)
    }
  }
  // Nothing equals no value.
  if (predicates.length === 0) return invalid('must have a value')
  return { text: predicates.join(' || '), matchesNone: values.includes('none') }
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

/** @throws {Problem} 422 */
async function requireFewTestCases(db: Database, project: ProjectRef, query: { folder_id?: string }): Promise<void> {
  if (await hasFewTestCases(db, project, query)) return
  throw unprocessableProblem(
    'filter_too_broad',
    `A filter with .contains reads every test case, and there are more than ${MAX_SCANNED.toLocaleString('en')}; so do filters with .min and .max in the hours after an upgrade from a version without them. Add a folder to the filter.`,
  )
}
