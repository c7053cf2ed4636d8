import { getLinkLabel } from '@caseward/matching/link-label'
import { MAX_LINKS } from '@caseward/contract/link-schemas'
import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'
import type { StepResult } from '@caseward/contract/step-results'
import { toStoredJson } from '@caseward/importers/stored-json'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { toDigest } from '../../platform/database/text-digest.ts'
import type { ResultValue, StoredResult } from './merge-results.ts'
import { type PlannedSteps, toStepState } from './planned-steps.ts'
import type { PlannedLink } from './plan-links.ts'
import { joinLink, type Source } from './source-links.queries.ts'

/** A run that receives results. */
export interface ReceivingRun {
  id: string
  run_group: number
}

/** Locks runs, as whoever writes results does, in the order of their ids. */
export async function lockRuns(tx: Database, projectId: string, ids: readonly string[]): Promise<ReceivingRun[]> {
  const { rows } = await sql<ReceivingRun>`
    select id, run_group from runs where project_id = ${projectId} and id = any(${[...ids]}::uuid[])
    order by id for no key update`.execute(tx)
  return rows
}

/** A test case that receives results. */
export interface FoundCase {
  number: number
  title: string
  version: number
}

/** The test cases here of a source, by the digests of their keys. */
export async function selectCases(
  tx: Database,
  projectId: string,
  source: Source,
  digests: readonly string[],
): Promise<Map<string, FoundCase>> {
  const { rows } = await sql<FoundCase & { digest: string }>`${plannedAnew}
    select wanted.digest, c.* from unnest(${[...digests]}::text[]) as wanted (digest)
    ${joinCase(projectId, source, sql`wanted.digest`)}`.execute(tx)
  return new Map(rows.map(({ digest, ...found }) => [digest, found]))
}

/**
 * Joins the test case `c` of a digest: number, title and version. One by one: PostgreSQL, which knows nothing yet of links that were
 * just written, would read all of the project. The order of numbers is that of the primary key: every other index of the project would do
 * for a table that PostgreSQL takes for an empty one, and all test cases be read for each result.
 */
export const joinCase = (projectId: string, source: Source, digest: RawBuilder<unknown>) => sql`
    ${joinLink(projectId, source, 'case', digest)}
    cross join lateral (
      select t.number, t.title, t.version from test_cases t
      where t.project_id = ${projectId} and t.number >= link.target::int and t.number <= link.target::int
      order by t.number limit 1
    ) c`

interface Place {
  run: ReceivingRun
  number: number
}

export const toPlaceKey = (runId: string, number: number): string => `${runId} ${number}`

/** Selects results that are there already, with what they were before. */
export async function selectStored(
  tx: Database,
  projectId: string,
  places: readonly Place[],
): Promise<Map<string, StoredResult>> {
  const wanted = places.map(({ run, number }) => ({ run_id: run.id, run_group: run.run_group, number }))
  const { rows } = await sql<
    Omit<StoredResult, 'earlier' | 'tested_at'> & {
      run_id: string
      number: number
      tested_at: Date | null
      earlier: { status: ResultStatus; tested_at: string }[]
    }
  >`
    select t.run_id, t.case_number as number, t.id, t.status, t.note, t.elapsed, t.tested_by, t.tested_at, t.change_count,
      t.fields, t.assigned_to, t.case_version,
      case when t.step_state is not null then (
        select json_build_object('steps', s.steps, 'case_steps', s.case_steps) from step_results s
        where s.project_id = ${projectId} and s.run_id = t.run_id and s.result_id = t.id and s.place = 0
      ) end as steps,
      case when t.combination_state is not null then (
        select json_agg(json_build_object('place', k.place, 'configuration', k.configuration, 'status', k.status, 'note', k.note,
          'elapsed', k.elapsed, 'tested_by', k.tested_by, 'assigned_to', k.assigned_to,
          'tested_at', to_char(k.tested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'steps', case when k.step_state is not null then (
            select json_build_object('steps', s.steps, 'case_steps', s.case_steps) from step_results s
            where s.project_id = ${projectId} and s.run_id = t.run_id and s.result_id = t.id and s.place = k.place
          ) end) order by k.place)
        from result_combinations k
        where k.project_id = ${projectId} and k.run_id = t.run_id and k.result_id = t.id
      ) end as combinations,
      case when t.change_count = 0 then '[]' else coalesce((
        select json_agg(json_build_object('status', c.status, 'tested_at', c.tested_at)) from result_changes c
        where c.project_id = ${projectId} and c.run_id = t.run_id and c.result_id = t.id
      ), '[]') end as earlier
    from json_to_recordset(${JSON.stringify(wanted)}) as item (run_id uuid, run_group int, number int)
    cross join lateral (
      select * from test_results r where r.project_id = ${projectId} and r.run_group = item.run_group
        and r.case_number = item.number and r.run_id = item.run_id limit 1
    ) t`.execute(tx)
  return new Map(
    rows.map(({ run_id: runId, number, tested_at: at, earlier, ...rest }) => [
      toPlaceKey(runId, number),
      {
        ...rest,
        tested_at: at?.toISOString() ?? null,
        earlier: earlier.map(({ status, tested_at: time }) => ({ status, tested_at: new Date(time).toISOString() })),
      },
    ]),
  )
}

/** A result that is new in its run. */
export interface NewResultRow extends Omit<ResultValue, 'combinations' | 'steps'> {
  run_id: string
  run_group: number
  number: number
  title: string
  change_count: number
  /** Place in the run. */
  order: number
}

/**
 * Inserts results. Their ids follow the time of the plan and their places, which have the order of the tree, whichever batch writes them.
 * @returns ids by run and number
 */
export async function insertResults(
  tx: Database,
  projectId: string,
  plannedAt: Date,
  rows: readonly NewResultRow[],
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map()
  const { rows: inserted } = await sql<{ run_id: string; number: number; id: string }>`
    insert into test_results (project_id, run_id, run_group, id, case_number, title, status, note, elapsed, tested_by,
      tested_at, change_count, fields, assigned_to, case_version)
    select ${projectId}::uuid, run_id, run_group, uuid_v7_in_batch(${plannedAt}::timestamptz, "order"), number, title, status::result_status,
      note, elapsed, tested_by, tested_at, change_count, fields, assigned_to, case_version
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, run_group int, number int, title text, status text, note text, elapsed int, tested_by uuid,
      tested_at timestamptz, change_count int, fields jsonb, assigned_to uuid, case_version int, "order" int
    )
    returning run_id, case_number as number, id`.execute(tx)
  return new Map(inserted.map(({ run_id: runId, number, id }) => [toPlaceKey(runId, number), id]))
}

/** Gives results of a run newer values. */
export async function replaceResults(
  tx: Database,
  projectId: string,
  rows: readonly (Omit<ResultValue, 'combinations' | 'steps'> & { run_id: string; id: string; change_count: number })[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update test_results r set status = item.status, note = item.note, elapsed = item.elapsed,
      tested_by = item.tested_by, tested_at = item.tested_at, change_count = item.change_count, fields = item.fields,
      assigned_to = item.assigned_to, case_version = item.case_version, changed_at = statement_timestamp()
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, id uuid, status result_status, note text, elapsed int, tested_by uuid, tested_at timestamptz, change_count int,
      fields jsonb, assigned_to uuid, case_version int
    )
    where r.project_id = ${projectId} and r.run_id = item.run_id and r.id = item.id`.execute(tx)
}

/** Adds what results were before. */
export async function insertChanges(
  tx: Database,
  projectId: string,
  rows: readonly (Omit<ResultValue, 'combinations' | 'steps'> & {
    run_id: string
    result_id: string
    steps: readonly StepResult[] | null
    place: number
    replaced_at: string
    combinations: object[] | null
  })[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into result_changes
      (project_id, run_id, result_id, place, status, note, elapsed, tested_by, tested_at, replaced_at, combinations, steps, fields)
    select ${projectId}::uuid, run_id, result_id, place, status::result_status, note, elapsed, tested_by, tested_at,
      replaced_at, combinations, steps, fields
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, result_id uuid, place int, status text, note text, elapsed int, tested_by uuid,
      tested_at timestamptz, replaced_at timestamptz, combinations json, steps json, fields jsonb
    )`.execute(tx)
}

/** Gives results the results of their steps. */
export async function saveSteps(
  tx: Database,
  projectId: string,
  rows: readonly (PlannedSteps & { run_id: string; result_id: string })[],
): Promise<void> {
  if (rows.length === 0) return
  const items = rows.map((row) => ({ ...row, state: toStepState(row) }))
  const input = sql`json_to_recordset(${toStoredJson(items)}) as item (
    run_id uuid, result_id uuid, steps json, case_steps text, state smallint
  )`
  await sql`
    insert into step_results (project_id, run_id, result_id, steps, case_steps)
    select ${projectId}::uuid, run_id, result_id, steps, case_steps from ${input}
    on conflict (project_id, run_id, result_id, place)
      do update set steps = excluded.steps, case_steps = excluded.case_steps`.execute(tx)
  await sql`
    update test_results r set step_state = item.state from ${input}
    where r.project_id = ${projectId} and r.run_id = item.run_id and r.id = item.result_id`.execute(tx)
}

/** Adds links to results, up to what a result can have. */
export async function addLinks(
  tx: Database,
  projectId: string,
  userId: string | null,
  rows: readonly (PlannedLink & { run_id: string; result_id: string })[],
): Promise<void> {
  if (rows.length === 0) return
  const links = rows.map((row) => {
    const address = URL.parse(row.url)?.href ?? row.url
    return { ...row, id: uuidv7(), digest: toDigest(address), label: row.label ?? getLinkLabel(address) }
  })
  await sql`
    insert into links (project_id, run_id, id, result_id, kind, url, url_digest, label, created_by)
    select ${projectId}::uuid, run_id, id, result_id, kind::link_kind, url, digest, label, ${userId}::uuid
    from (
      select item.*, row_number() over (partition by run_id, result_id order by id) as nth
      from json_to_recordset(${toStoredJson(links)}) as item (
        run_id uuid, id uuid, result_id uuid, kind text, url text, digest uuid, label text
      )
    ) numbered
    where nth <= ${MAX_LINKS}
    on conflict do nothing`.execute(tx)
  const ids = [...new Set(rows.map((row) => row.result_id))]
  const runIds = [...new Set(rows.map((row) => row.run_id))]
  await sql`
    update test_results r set link_count = counted.count
    from (
      select run_id, result_id, count(*)::smallint as count from links
      where project_id = ${projectId} and run_id = any(${runIds}::uuid[]) and result_id = any(${ids}::uuid[])
      group by run_id, result_id
    ) counted
    where r.project_id = ${projectId} and r.run_id = counted.run_id and r.id = counted.result_id`.execute(tx)
}

/** Counts of results by status, which are added to those of a run. */
export type CountChanges = Map<string, Record<ResultStatus, number>>

/** Adjusts the counters of locked runs. */
export async function addCounts(tx: Database, projectId: string, changes: CountChanges): Promise<void> {
  const rows = [...changes].map(([id, counts]) => ({ id, ...counts }))
  if (rows.length === 0) return
  const sets = RESULT_STATUSES.map((status) => {
    const column = sql.ref(`${status}_count`)
    return sql`${column} = r.${column} + item.${sql.ref(status)}`
  })
  await sql`
    update runs r set ${sql.join(sets)}, updated_at = now()
    from json_to_recordset(${JSON.stringify(rows)}) as item (
      id uuid, passed int, failed int, blocked int, retest int, not_tested int
    )
    where r.project_id = ${projectId} and r.id = item.id`.execute(tx)
}
