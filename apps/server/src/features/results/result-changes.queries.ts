import { MAX_RESULT_CHANGES, type ResultChange } from '@caseward/contract/result-changes'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import { encodeValues, toValuesContext, type ValuesContext } from '../fields/values-context.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'

/** Columns of `result_changes c`. */
const fields: ColumnsOf<ResultChange, ValuesContext> = {
  status: { sql: 'c.status', encode: toPlainJsonString },
  note: { sql: 'c.note', encode: toJsonString },
  elapsed: { sql: 'c.elapsed', encode: toRawJson },
  tested_by: { sql: 'c.tested_by', encode: toPlainJsonString },
  tested_at: { sql: 'c.tested_at', encode: toJsonTimestamp },
  replaced_at: { sql: 'c.replaced_at', encode: toJsonTimestamp },
  steps: { sql: `coalesce(c.steps, '[]')`, encode: toRawJson },
  fields: { sql: 'c.fields', encode: encodeValues, isOptional: true },
  combinations: { sql: 'c.combinations', encode: toRawJson, isOptional: true },
}
const columns = defineColumns<ResultChange, ValuesContext>(fields)
const FIELDS_INDEX = Object.keys(fields).indexOf('fields')

const selectChanges = (condition: string) => `
  select r.id, ${columns.selectList}
  from test_results r left join result_changes c
    on c.project_id = r.project_id and c.run_id = r.run_id and c.result_id = r.id
  where r.project_id = $1 and r.run_id = $2 and ${condition}
  order by c.place desc`

const SELECT_BY_ID = selectChanges('r.id = $3')
const SELECT_BY_TEST_CASE = selectChanges('r.run_group = $3 and r.case_number = $4')

/**
 * Selects what a result was before, the newest first, as a JSON array.
 * @param id the id of the result or of its test case
 * @returns null when the run has no such result
 */
export async function selectResultChanges(db: Database, run: RunRef, id: string): Promise<string | null> {
  const { project } = run
  const number = parseTestCaseNumber(id, project.prefix)
  if (number === null && !isUuid(id)) return null
  const rows = await runTextQuery(
    db,
    number === null
      ? { text: SELECT_BY_ID, values: [project.id, run.id, id] }
      : { text: SELECT_BY_TEST_CASE, values: [project.id, run.id, run.group, number] },
  )
  if (rows.length === 0) return null
  const changes = rows.map((row) => row.slice(1)).filter(([status]) => status !== null)
  const context = await toValuesContext(db, project, 'result', changes, FIELDS_INDEX)
  return `[${changes.map((row) => columns.toJson(row, context)).join(',')}]`
}

/** What a statement writes into results `r`. */
export interface NewValues {
  status: RawBuilder<unknown>
  note: RawBuilder<unknown>
  /** Whether results of steps, or values of fields, are replaced; missing if none are written. */
  replacesSteps?: RawBuilder<unknown> | undefined
}

/** A result that has steps only: they stay when it gets a status or a note. */
const HAS_STEPS_ONLY = sql`(r.step_state is not null and r.status = 'not_tested' and r.note is null)`

/** Whether a write replaces something that nobody could read any more. */
function isReplaced({ status, note, replacesSteps }: NewValues): RawBuilder<unknown> {
  const isOther = sql`((r.status, r.note) is distinct from (${status}, ${note}) and not ${HAS_STEPS_ONLY})`
  return sql`r.tested_at is not null and ${replacesSteps === undefined ? isOther : sql`(${isOther} or ${replacesSteps})`}`
}

/** The new value of `change_count`. */
export const countChange = (values: NewValues) => sql`r.change_count + (${isReplaced(values)})::int`

/**
 * The common table expressions that keep what results `r` are before a write in the same statement, and remove the oldest
 * if there are too many. They come before the write, because Citus executes them one after another.
 * @param source what follows `from`, with the condition in `match`. Unless it looks results up one by one, a run is not joined
 * whose results have not been set yet
 */
export const buildKeepChanges = (
  run: RunRef,
  { source, match, looksUp }: { source: RawBuilder<unknown>; match: RawBuilder<unknown>; looksUp: boolean },
  values: NewValues,
) => sql`
  kept as (
    insert into result_changes as c
      (project_id, run_id, result_id, place, status, note, elapsed, tested_by, tested_at, replaced_at, fields, steps)
    select r.project_id, r.run_id, r.id, r.change_count, r.status, r.note, r.elapsed, r.tested_by, r.tested_at, now(), r.fields, (
      select s.steps from step_results s
      where r.step_state is not null and s.project_id = ${run.project.id} and s.run_id = ${run.id}
        and s.result_id = r.id and s.place = 0
    )
    from ${source}
    where ${match} and ${isReplaced(values)} ${looksUp ? sql`` : isAnySet(run)}
    returning c.result_id, c.place, c.steps is not null as has_steps
  ), oldest as materialized (
    select result_id, place - ${sql.lit(MAX_RESULT_CHANGES)} as place from kept
    where place >= ${sql.lit(MAX_RESULT_CHANGES)}
  ), forgotten as (
    delete from result_changes c using oldest
    where exists (select from oldest) and c.project_id = ${run.project.id} and c.run_id = ${run.id}
      and c.result_id = oldest.result_id and c.place = oldest.place
  )`

/** With the group of the run: without it, PostgreSQL may look for the run among all results of the project. */
const isAnySet = ({ id, group, project }: RunRef) => sql`and exists (
      select from test_results t
      where t.project_id = ${project.id} and t.run_group = ${group} and t.run_id = ${id} and t.tested_at is not null
    )`

/**
 * Deletes the steps of results whose earlier values {@link buildKeepChanges} keeps, for a write that knows nothing of steps:
 * what people saw does not belong to what CI reports.
 */
export const buildForgetSteps = (run: RunRef) => sql`, stepped as materialized (
    select result_id from kept where has_steps
  ), forgotten_steps as (
    delete from step_results s using stepped
    where exists (select from stepped) and s.project_id = ${run.project.id} and s.run_id = ${run.id}
      and s.result_id = stepped.result_id
  )`
