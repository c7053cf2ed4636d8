import type { ProjectRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery, type TextValue } from '../../platform/database/fast-reads/text-rows.ts'
import { toSortedValue } from '../fields/case-field-values.queries.ts'
import type { StoredSet } from './field-filters.ts'
import { type Conditions, type Source, SOURCES } from './test-case-filters.ts'

/*
 * A filter by a custom field that matches much of a large project. To count and collect a million matches takes a second, and
 * the page that one sees has fifty. So the matches are counted up to a limit, and a page of more is read in its order until it
 * is full. Of a filter that `case_field_values` answers, matches are counted and found in its key, without a look at those of
 * other pages.
 */

/** The largest total of a list with a filter or an order by custom fields: it means this many or more. */
export const MAX_COUNTED = 10_000

/** How a page of matches is read. */
export type Reading =
  /** All matches are collected, and counted. */
  | { by: 'collecting' }
  /** More test cases match than are counted: in the order of the list until the page is full. */
  | { by: 'walking' }
  /** In the order of numbers by the key of `case_field_values`. */
  | { by: 'values'; stored: StoredSet; total: number }

/** Decides how a page of matches is read. */
export async function chooseReading(
  db: Database,
  project: ProjectRef,
  source: Source,
  conditions: Conditions,
): Promise<Reading> {
  if (source === 'small') return { by: 'collecting' }
  const { stored } = conditions
  const count = stored === undefined ? null : await countStored(db, project, stored)
  if (stored !== undefined && count !== null && (count <= MAX_COUNTED || isOneValue(stored)))
    return { by: 'values', stored, total: Math.min(count, MAX_COUNTED) }
  const isBroad = count === null ? await hasMany(db, project, source, conditions) : count > MAX_COUNTED
  return { by: isBroad ? 'walking' : 'collecting' }
}

/** Whether more test cases match than are counted. */
async function hasMany(
  db: Database,
  project: ProjectRef,
  source: Source,
  { sql, values }: Conditions,
): Promise<boolean> {
  const [row] = await runTextQuery(db, {
    text: `
      select count(*) from (
        select from ${SOURCES[source]} c where c.project_id = $1 and ${sql} limit ${MAX_COUNTED + 1}
      ) found`,
    values: [project.id, ...values],
    useCustomPlan: true,
  })
  return Number(row?.[0]) > MAX_COUNTED
}

/** So many archived test cases are read to leave them out of a count. */
const MAX_ARCHIVED = 1000

/** Counts matches up to one more than {@link MAX_COUNTED}; null if too many test cases are archived to leave them out. */
async function countStored(db: Database, project: ProjectRef, stored: StoredSet): Promise<number | null> {
  const values: TextValue[] = [project.id]
  const add: Add = (value) => `$${values.push(value)}`
  const { field, isIn, ofField } = buildSet(stored, add)
  // A known count that is not a limit needs no other one.
  const count =
    stored.count !== undefined && stored.count <= MAX_COUNTED
      ? `${add(String(stored.count))}::int`
      : `(
        select count(*) from (
          select from case_field_values v where ${ofField} limit ${MAX_COUNTED + 1} + (select matches from archived)
        ) found
      )`
  const [row] = await runTextQuery(db, {
    text: `
      with archived as materialized (
        select count(*) as count, count(*) filter (where ${isIn(toSortedValue(`(fields -> ${field}::text)`))}) as matches
        from (
          select fields from test_cases where project_id = $1 and archived_at is not null limit ${MAX_ARCHIVED + 1}
        ) c
      )
      select ${count} - matches, count from archived`,
    values,
  })
  const [total, archivedCount] = row ?? []
  return Number(archivedCount) > MAX_ARCHIVED ? null : Number(total)
}

const isOneValue = (stored: StoredSet): boolean => 'values' in stored && stored.values.length === 1

type Add = (value: string) => string

/** Conditions of a set: on rows `v` of `case_field_values`, and on the SQL of a value. */
function buildSet(stored: StoredSet, add: Add) {
  const field = add(String(stored.field))
  const isIn = buildIsIn(stored, add)
  return { field, isIn, ofField: `v.project_id = $1 and v.field = ${field}::text::smallint and ${isIn('v.value')}` }
}

function buildIsIn(stored: StoredSet, add: Add): (value: string) => string {
  const addValue = (value: number) => `${add(String(value))}::float8`
  if (!('values' in stored)) {
    const [min, max] = [addValue(stored.min), addValue(stored.max)]
    return (value) => `${value} between ${min} and ${max}`
  }
  const [first, ...more] = stored.values
  // Only of one value are the numbers in the order of the key.
  const one = first === undefined || more.length > 0 ? null : addValue(first)
  if (one !== null) return (value) => `${value} = ${one}`
  const list = `${add(toArrayLiteral(stored.values.map(String)))}::float8[]`
  return (value) => `${value} = any(${list})`
}

/**
 * Builds a subquery `c` of the test cases of a page: in order, and only they are looked up.
 * @param add adds a parameter
 * @param limits SQL of the parameters
 */
export function buildStoredPage(
  stored: StoredSet,
  add: Add,
  { after = '0', limit, offset }: { after?: string; limit: string; offset: string },
): string {
  return `(
    select c.* from (
      select v.number from case_field_values v where ${buildSet(stored, add).ofField} and v.number > ${after}
      order by v.number offset 0
    ) v cross join lateral (
      select * from test_cases c where c.project_id = $1 and c.number = v.number and c.archived_at is null limit 1
    ) c
    order by v.number limit ${limit} offset ${offset}
  ) c`
}
