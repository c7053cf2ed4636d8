import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/*
 * `case_field_values`: the values by which test cases are sorted and found by ranges. They follow from `fields` of the test case
 * alone, whatever the types of the fields are, so that no statement needs to know these: numbers, among them options of
 * selects, and texts that look like dates.
 */

const DATE = String.raw`^\d{4}-\d\d-\d\d$`

/** A stored value as a number; null for one that is neither a number nor like a date. @param value SQL of jsonb */
export const toSortedValue = (value: string): string => `case
  when jsonb_typeof(${value}) = 'number' then (${value})::float8
  when jsonb_typeof(${value}) = 'string' and ${value} #>> '{}' ~ '${DATE}' then replace(${value} #>> '{}', '-', '')::float8
end`

/** A subquery with `field` and `value` of all sorted values. @param fields SQL of the stored values, possibly null */
const listSortedValues = (fields: string): string => `(
  select field, value from (
    select key::smallint as field, ${toSortedValue('value')} as value from jsonb_each(${fields})
  ) listed where value is not null
)`

/** An update of test cases `c` in parts. */
interface Update {
  /** Further `with` queries. */
  queries?: RawBuilder<unknown>
  /** `update test_cases c …` without `returning`. */
  update: RawBuilder<unknown>
  /** What the statement returns, by name: SQL of each. */
  returning: Readonly<Record<string, string>>
}

/**
 * Returns the statement of an update that may change values of test cases, so that it keeps the sorted ones, too. The caller has
 * locked the test cases by an earlier statement.
 * @param numbers those whose values may change; without any, the statement is only the update
 */
export function keepChangedValues<Row>(
  projectId: string,
  numbers: readonly number[],
  { queries, update, returning }: Update,
): RawBuilder<Row> {
  const columns = Object.entries(returning).map(([name, column]) => `${column} as ${name}`)
  if (numbers.length === 0) {
    const returned = columns.length === 0 ? sql`` : sql`returning ${sql.raw(columns.join(', '))}`
    return sql`${queries === undefined ? sql`` : sql`with ${queries}`} ${update} ${returned}`
  }
  const ofThese = [...numbers]
  return sql`
    with ${queries === undefined ? sql`` : sql`${queries},`} earlier_value as (
      select c.number, v.field, v.value from test_cases c cross join lateral ${sql.raw(listSortedValues('c.fields'))} v
      where c.project_id = ${projectId} and c.number = any(${ofThese}::int[])
    ), changed as (
      ${update}
      returning ${sql.raw([...columns, 'c.number as changed_number', 'c.fields as changed_fields'].join(', '))}
    ), later_value as (
      select c.changed_number as number, v.field, v.value
      from changed c cross join lateral ${sql.raw(listSortedValues('c.changed_fields'))} v
      where c.changed_number = any(${ofThese}::int[])
    ), removed_value as (
      delete from case_field_values v using (select * from earlier_value except select * from later_value) e
      where v.project_id = ${projectId} and v.field = e.field and v.value = e.value and v.number = e.number
    ), added_value as (
      insert into case_field_values (project_id, field, value, number)
      select ${projectId}::uuid, field, value, number from (select * from later_value except select * from earlier_value) added
      on conflict do nothing
    )
    select ${sql.raw(Object.keys(returning).join(', '))} from changed`
}

/** Does the same as {@link keepChangedValues} for new test cases. */
export function keepNewValues(projectId: string, { hasValues }: { hasValues: boolean }): RawBuilder<unknown> {
  if (!hasValues) return sql``
  return sql`, added_value as (
    insert into case_field_values (project_id, field, value, number)
    select ${projectId}::uuid, v.field, v.value, c.number
    from changed c cross join lateral ${sql.raw(listSortedValues('c.fields'))} v
  )`
}

/** Sorted values of a test case that is deleted: `[field, value]` of each, null for none. */
export type DeletedValues = readonly (readonly [field: number, value: number])[]
export const DELETED_VALUES = sql.raw(
  `(select json_agg(json_build_array(v.field, v.value)) from ${listSortedValues('fields')} v)`,
)

/** Removes the values of deleted test cases. */
export async function removeDeletedValues(
  tx: Database,
  projectId: string,
  deleted: readonly { number: number; values: DeletedValues | null }[],
): Promise<void> {
  const items = deleted.flatMap(({ number, values }) =>
    (values ?? []).map(([field, value]) => ({ field, value, number })),
  )
  if (items.length === 0) return
  await sql`
    delete from case_field_values v
    using json_to_recordset(${JSON.stringify(items)}) as e (field smallint, value float8, number int)
    where v.project_id = ${projectId} and v.field = e.field and v.value = e.value and v.number = e.number`.execute(tx)
}

/** Test cases with a value from `min` to `max`. */
export interface FieldRange {
  field: number
  min: number
  max: number
}

/** Test cases with one of some values, or with a value in a range. */
export type ValueSet = FieldRange | { field: number; values: readonly number[] }

/** So many test cases are found faster by their numbers than by reading all. */
export const MAX_FEW = 10_000

/**
 * Counts the test cases with a value in a range, up to one more than {@link MAX_FEW}. PostgreSQL cannot tell: its statistics are
 * of the values of all fields together.
 */
export async function countInRange(db: Database, projectId: string, { field, min, max }: FieldRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from case_field_values
      where project_id = ${projectId} and field = ${field}::smallint and value between ${min}::float8 and ${max}::float8
      limit ${sql.lit(MAX_FEW + 1)}
    ) found`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether the values of all test cases of a project are there. */
export async function hasAllValues(db: Database, projectId: string): Promise<boolean> {
  const row = await db
    .selectFrom('unfilled_case_field_values')
    .select('since')
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row === undefined
}

/**
 * Adds the values of some test cases after a number; returns the last number, or null when there is none. The caller holds the
 * lock on the project.
 */
export async function addMissingValues(
  tx: Database,
  projectId: string,
  after: number,
  batchSize: number,
): Promise<number | null> {
  const { rows } = await sql<{ last: number | null }>`
    with batch as (
      select number, fields from test_cases
      where project_id = ${projectId} and number > ${after} order by number limit ${sql.lit(batchSize)}
      for no key update
    ), added as (
      insert into case_field_values (project_id, field, value, number)
      select ${projectId}::uuid, v.field, v.value, c.number
      from batch c cross join lateral ${sql.raw(listSortedValues('c.fields'))} v
      on conflict do nothing
    )
    select max(number) as last from batch`.execute(tx)
  return rows[0]?.last ?? null
}
