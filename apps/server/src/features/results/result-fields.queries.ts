import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { mergeStoredValues } from '../fields/merge-stored-values.ts'
import type { StoredValues, ValueChanges } from '../fields/stored-values.ts'

/** A result and the values of its custom fields. */
export interface ResultValues {
  id: string
  case_number: number | null
  fields: StoredValues | null
}

/** Selects the values of results, by their ids or the numbers of their test cases. */
export async function selectResultValues(
  tx: Database,
  run: RunRef,
  by: { ids: readonly string[] } | { caseNumbers: readonly number[] },
): Promise<ResultValues[]> {
  const matches =
    'ids' in by
      ? sql`r.id = any(${[...by.ids]}::uuid[])`
      : sql`r.run_group = ${run.group} and r.case_number = any(${[...by.caseNumbers]}::int[])`
  const { rows } = await sql<ResultValues>`
    select r.id, r.case_number, r.fields from test_results r
    where r.project_id = ${run.project.id} and r.run_id = ${run.id} and ${matches}`.execute(tx)
  return rows
}

/** Changes values of results. The caller holds the lock on the run. */
export async function saveResultValues(
  tx: Database,
  run: RunRef,
  writes: readonly { resultId: string; changes: ValueChanges }[],
): Promise<void> {
  if (writes.length === 0) return
  const items = JSON.stringify(writes.map(({ resultId, changes }) => ({ id: resultId, fields: changes })))
  await sql`
    update test_results r set
      fields = ${sql.raw(mergeStoredValues('item.fields', 'r'))}, changed_at = statement_timestamp()
    from json_to_recordset(${items}::json) as item (id uuid, fields jsonb)
    where r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.id = item.id`.execute(tx)
}

/** Numbers of the fields that each status needs, as JSON; null if none needs any. */
export type RequiredNumbers = Readonly<Record<string, readonly string[]>>

/**
 * Whether a result `r` lacks a value that its status needs; null or false if not. The array of numbers becomes one of PostgreSQL
 * by its text: in a statement for several projects, Citus refuses to read it as a table, since the text of a status is not immutable.
 * @param required SQL of {@link RequiredNumbers} as jsonb
 */
export const buildLacksFields = (required: string): string =>
  `not (coalesce(r.fields, '{}') ?& translate(${required} ->> r.status::text, '[]" ', '{}')::text[])`

/**
 * Whether a result `r` is marked as one that lacks a value, as text; null if not, and in projects whose statuses need none.
 * @param required SQL of {@link RequiredNumbers} as jsonb, or null
 */
export const buildLacksMark = (required: string): string =>
  `case when ${required} is not null and ${buildLacksFields(required)} then 'true' end`

/** {@link RequiredNumbers} of `projects p`; null in a project without fields, whose definitions are not read. */
export const REQUIRED_FIELDS = `case when p.fields_version > 0 then (
  select jsonb_object_agg(needs.status, needs.numbers) from (
    select status, jsonb_agg(f.number::text) as numbers from custom_fields f cross join unnest(f.required_on) status
    where f.project_id = p.id and f.subject = 'result' and f.retired_at is null group by status
  ) needs
) end`

/** A result that lacks a value. */
export interface LackingResult extends ResultValues {
  title: string
  status: string
}

/** Selects the first results of a run that lack a value, and how many there are. */
export async function selectLackingResults(
  tx: Database,
  run: Pick<RunRef, 'id' | 'project'>,
  required: RequiredNumbers,
  limit: number,
): Promise<{ count: number; first: LackingResult[] }> {
  const statuses = Object.keys(required)
  const lacks: RawBuilder<unknown> = sql`
    r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.status = any(${statuses}::result_status[])
    and ${sql.raw(buildLacksFields('needs.fields'))}`
  const from = sql`test_results r cross join (select ${JSON.stringify(required)}::jsonb as fields) needs`
  const { rows } = await sql<LackingResult>`
    select r.id, r.case_number, r.title, r.status, r.fields from ${from}
    where ${lacks} order by r.id limit ${limit}`.execute(tx)
  if (rows.length < limit) return { count: rows.length, first: rows }
  const counted = await sql<{ count: number }>`select count(*)::int as count from ${from} where ${lacks}`.execute(tx)
  return { count: counted.rows[0]?.count ?? rows.length, first: rows }
}
