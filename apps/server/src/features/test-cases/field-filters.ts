import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import { describeUnknownField, type FieldValueError, invalidValuesProblem } from '../fields/check-values.ts'
import {
  countInRange,
  type FieldRange,
  hasAllValues,
  MAX_FEW,
  type ValueSet,
} from '../fields/case-field-values.queries.ts'
import { joinPredicates, listFilters, type SentFilter, toPredicate } from '../fields/field-predicates.ts'
import { readFields } from '../fields/project-fields.ts'
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
  /** What all filters together are, if `case_field_values` alone tells which test cases match. */
  stored?: StoredSet
}

export type StoredSet = ValueSet & {
  /** The result of {@link countInRange}, if it was asked for. */
  count?: number
}

/** How the test cases in a range are found. */
export interface FoundRange extends FieldRange {
  isNarrow: boolean
}

/**
 * Reads the filters by custom fields of a query; undefined if it has none.
 * @throws {Problem} 400 for unknown fields and options, and values that fields of the type do not have; 422 `filter_too_broad`
 */
export function readFieldFilters(db: Database, project: ProjectRef, query: object): Promise<FieldPaths> | undefined {
  const sent = listFilters(query)
  return sent.length === 0 ? undefined : readSentFilters(db, project, { query, sent })
}

async function readSentFilters(
  db: Database,
  project: ProjectRef,
  { query, sent }: { query: object; sent: readonly SentFilter[] },
): Promise<FieldPaths> {
  const { byKey, ...fields } = await readFields(db, project.id)
  const errors: FieldValueError[] = []
  const present: string[] = []
  const possible: string[] = []
  const ranges = new Map<number, FieldRange>()
  const hasRanges = sent.some(({ kind }) => kind === 'min' || kind === 'max')
  const isStored = (hasRanges || sent.length === 1) && (await hasAllValues(db, project.id))
  let stored: StoredSet | undefined
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
    else {
      present.push(predicate.text)
      if (isStored && sent.length === 1) stored = predicate.equal
    }
  }
  if (errors.length > 0) throw invalidValuesProblem(errors)
  if (sent.some(({ kind }) => kind === 'contains' || (kind !== 'equals' && !isStored)))
    await requireFewTestCases(db, project, query)
  const found: FoundRange[] = []
  for (const range of ranges.values()) {
    const count = await countInRange(db, project.id, range)
    found.push({ ...range, isNarrow: count <= MAX_FEW })
    if (ranges.size === 1 && present.length + possible.length === 0) stored = { ...range, count }
  }
  return {
    ...(present.length === 0 ? {} : { present: joinPredicates(present) }),
    ...(possible.length === 0 ? {} : { possible: joinPredicates(possible) }),
    ...(found.length === 0 ? {} : { ranges: found }),
    ...(stored === undefined ? {} : { stored }),
  }
}

/** One range of two of the same field. */
const narrow = (first: FieldRange | undefined, second: FieldRange): FieldRange =>
  first === undefined
    ? second
    : { ...second, min: Math.max(first.min, second.min), max: Math.min(first.max, second.max) }

/** @throws {Problem} 422 */
async function requireFewTestCases(db: Database, project: ProjectRef, query: { folder_id?: string }): Promise<void> {
  if (await hasFewTestCases(db, project, query)) return
  throw unprocessableProblem(
    'filter_too_broad',
    `A filter with .contains reads every test case, and there are more than ${MAX_SCANNED.toLocaleString('en')}; so do filters with .min and .max in the hours after an upgrade from a version without them. Add a folder to the filter.`,
  )
}
