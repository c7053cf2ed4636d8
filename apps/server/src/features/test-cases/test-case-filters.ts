import type { testCaseFilters } from '@caseward/contract/test-cases'
import type { Static } from '@caseward/contract/static'
import type { TObject } from 'typebox'

import type { ProjectRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toLikePattern } from '../../platform/http/pagination.ts'
import { toFirstChange } from '../../platform/http/row-pages.ts'
import { toSortedValue } from '../fields/case-field-values.queries.ts'
import type { FieldPaths, FoundRange, StoredSet } from './field-filters.ts'

/** The filters of a query, and those by custom fields if it has any. */
export type TestCaseFilters = Static<TObject<typeof testCaseFilters>> & { fieldPaths?: FieldPaths | undefined }

/** What lists have of test cases `c` unless a filter says otherwise. */
export const NOT_ARCHIVED = 'c.archived_at is null'

/** Conditions on a test case `c`: SQL, empty for all but archived ones, and its parameters from `$2` on. */
export interface Conditions {
  sql: string
  /** The same, where no index finds values of custom fields: for pages that are read in their order until they are full. */
  walked: string
  /** Whether there is a filter by custom fields. */
  hasFieldFilters: boolean
  /** What all conditions together are, if `case_field_values` tells which test cases match, archived ones among them. */
  stored: StoredSet | undefined
  values: readonly string[]
}

const UNFILTERED: Conditions = { sql: '', walked: '', hasFieldFilters: false, stored: undefined, values: [] }
/** What else a query of a list has. */
const OTHER_PARAMETERS = new Set(['fields', 'sort', 'page', 'per_page', 'after', 'columns'])

/** Whether there is surely no filter, as for most lists. */
function isUnfiltered(filters: object): boolean {
  for (const name in filters) {
    if (!OTHER_PARAMETERS.has(name) && (filters as Record<string, unknown>)[name] !== undefined) return false
  }
  return true
}

/** The filters as conditions; null when nothing can match. */
export function buildConditions(filters: TestCaseFilters): Conditions | null {
  if (isUnfiltered(filters)) return UNFILTERED
  const { folder_id, priority, type, tag, owner_id, estimate, search = '', changed_since, fieldPaths = {} } = filters
  const { archived = 'false' } = filters
  const values: string[] = []
  const addValue = (value: string): string => `$${values.push(value) + 1}`
  const addList = (list: readonly string[]) => addValue(toArrayLiteral(list))
  const conditions: string[] = []
  const walked: string[] = []
  const add = (condition: string, walkedCondition = condition) => {
    conditions.push(condition)
    walked.push(walkedCondition)
  }
  if (folder_id === 'none') add('c.folder_id is null')
  else if (folder_id !== undefined && !isUuid(folder_id)) return null
  else if (folder_id !== undefined) add(`c.folder_id = ${addValue(folder_id)}`)
  if (priority !== undefined) add(`c.priority = any(${addList(priority)}::test_case_priority[])`)
  if (type !== undefined) add(`c.type = any(${addList(type)}::test_case_type[])`)
  if (tag !== undefined) add(`c.tags && ${addList(tag)}::text[]`)
  if (owner_id !== undefined) {
    const isOwned = `c.owner_id = any(${addList(owner_id.filter(isUuid))}::uuid[])`
    add(owner_id.includes('none') ? `(c.owner_id is null or ${isOwned})` : isOwned)
  }
  if (estimate !== undefined) add(`c.estimate is ${estimate === 'any' ? 'not null' : 'null'}`)
  if (search !== '') {
    const title = hasTrigram(search) ? 'c.title' : `(c.title || '')`
    add(`${title} ilike ${addValue(toLikePattern(search))}`)
  }
  const { present, possible, ranges = [], stored } = fieldPaths
  const isOnlyStored = conditions.length === 0 && changed_since === undefined && archived === 'false'
  if (present !== undefined) {
    const path = `${addValue(present)}::jsonpath`
    add(`c.fields @@ ${path}`, `coalesce(c.fields, '{}') @@ ${path}`)
  }
  if (possible !== undefined) add(`coalesce(c.fields, '{}') @@ ${addValue(possible)}::jsonpath`)
  for (const range of ranges) addRange(range, addValue, add)
  if (changed_since !== undefined) add(`c.updated_at >= ${addValue(toFirstChange(changed_since))}`)
  if (archived === 'true') add('c.archived_at is not null')
  // Not the counters, which leave archived ones out.
  else if (archived === 'any') add('true')
  else if (conditions.length > 0) add(NOT_ARCHIVED)
  return {
    sql: conditions.join(' and '),
    walked: walked.join(' and '),
    hasFieldFilters: filters.fieldPaths !== undefined,
    stored: isOnlyStored ? stored : undefined,
    values,
  }
}

type AddValue = (value: string) => string

function addRange(
  { field, min, max, isNarrow }: FoundRange,
  addValue: AddValue,
  add: (condition: string) => void,
): void {
  const number = addValue(String(field))
  const toLimit = (limit: number) => `${addValue(String(limit))}::float8`
  if (isNarrow) {
    add(`c.number = any(array(
      select v.number from case_field_values v
      where v.project_id = $1 and v.field = ${number}::text::smallint and v.value between ${toLimit(min)} and ${toLimit(max)}
    ))`)
    return
  }
  const value = toSortedValue(`(c.fields -> ${number}::text)`)
  // PostgreSQL expects that a third fulfills such a condition, but only a two-hundredth `between`.
  if (min !== -Infinity) add(`(${value} >= ${toLimit(min)}) is true`)
  if (max !== Infinity) add(`(${value} <= ${toLimit(max)}) is true`)
}

/**
 * The index on titles needs three letters or digits in a row; PostgreSQL would read all of it for any other text. An
 * expression that is not indexed makes it look at the project's own titles instead.
 * (https://www.postgresql.org/docs/current/pgtrgm.html)
 */
export const hasTrigram = (text: string): boolean => /[\p{L}\p{N}]{3}/u.test(text)

/**
 * What a filter looks at. In a small project it reads all test cases, which takes as long for any filter and needs no
 * planning. The index takes longer the more titles of other projects contain a word: in a project of 200 among a million
 * titles, 12 ms instead of 0.5 ms for a word that all titles have, and 0.2 ms instead of 0.3 ms for a rare one. In a
 * large project, the best plan depends on the values.
 */
export type Source = 'small' | 'large'

export const MAX_SMALL_PROJECT = 1000
export const SOURCES: Record<Source, string> = {
  // The limit leaves room for test cases that are just being added. It makes PostgreSQL read the primary key, whatever
  // size it expects of a project: the plan is the same for all of them.
  small: `(select ctid, * from test_cases where project_id = $1 and archived_at is null order by number limit ${2 * MAX_SMALL_PROJECT})`,
  large: 'test_cases',
}

export const SELECT_COUNT = 'select test_case_count from projects where id = $1'

/**
 * Returns what a filter looks at; null when the project is gone. The number of archived test cases does not follow from that of
 * the others.
 */
export async function chooseSource(
  db: Database,
  { id }: ProjectRef,
  { archived = 'false' }: TestCaseFilters,
): Promise<Source | null> {
  const [row] = await runTextQuery(db, { text: SELECT_COUNT, values: [id] })
  if (row === undefined) return null
  return archived === 'false' && Number(row[0]) <= MAX_SMALL_PROJECT ? 'small' : 'large'
}
