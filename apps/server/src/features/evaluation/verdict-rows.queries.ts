import type { ListedVerdict, listVerdicts } from '@caseward/contract/verdicts'
import type { AttemptStatus, LINK_SOURCES } from '@caseward/contract/test-fields'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach, plannedAnew } from '../../platform/database/plans.ts'
import { FIRST_SOURCE } from '../tests/outcome-write.ts'

export type VerdictFilters = Static<typeof listVerdicts.schema.querystring>

/** A verdict with its test, as the database has it. */
export interface VerdictRow {
  id: string
  suite: string
  name: string
  variant: string
  file: string
  module: string
  case_numbers: number[] | null
  linked_by: (typeof LINK_SOURCES)[number] | null
  verdict: ListedVerdict
  blocks: boolean
  is_first_flake: boolean
  outcome: AttemptStatus | null
  attempt_count: number
  /** Beginnings of the texts of the last attempt that failed or could not run. */
  message: string | null
  details: string | null
  signature: string | null
  since_run_id: string | null
  since_runs: number | null
  base_run_id: string | null
  quarantine_id: string | null
  stability: 'stable' | 'suspect' | 'flaky' | 'broken' | null
  stability_since: Date | null
  flake_commits: number | null
  commits: number | null
  score: number | null
  last_event_at: Date | null
}

// Conditions compare with the id of the project: Citus finds the node of a statement only by that.
const buildTest = (projectId: string) => sql`
  t.id, t.suite, t.name, t.variant, t.file, t.module,
  (select array_agg(case_number order by case_number) from test_links l
    where l.project_id = ${projectId} and l.test_id = t.id) as case_numbers,
  (select min(source) from test_links l where l.project_id = ${projectId} and l.test_id = t.id) as linked_by,
  u.stability, u.since as stability_since, u.flake_commits, u.commits, u.score, u.last_event_at`

const joinStability = (projectId: string) =>
  sql`left join unstable_tests u on u.project_id = ${projectId} and u.test_id = t.id`

/** As much of a text as a line is cut from. */
const MAX_TEXT = 1000

const LAST_FAILED = sql.raw(`
  left join lateral (
    select left(attempt ->> 'message', ${MAX_TEXT}) as message, left(attempt ->> 'details', ${MAX_TEXT}) as details
    from json_array_elements(o.attempts) with ordinality as attempts(attempt, place)
    where attempt ->> 'status' not in ('passed', 'skipped') order by place desc limit 1
  ) failed on true`)

/** Selects verdicts of a run in the order of the tests, one more than a page has. */
export async function selectVerdictRows(
  db: Database,
  run: RunRef,
  filters: VerdictFilters,
  limit: number,
): Promise<VerdictRow[]> {
  const { verdict, blocks, signature, job, shard, test_id: testId, after } = filters
  if (verdict === 'missing') {
    return isAboutFailures(filters) ? [] : await selectMissingRows(db, run, filters, limit)
  }
  const conditions: RawBuilder<unknown>[] = [sql`v.project_id = ${run.project.id} and v.run_id = ${run.id}`]
  if (verdict !== undefined) conditions.push(sql`v.verdict = ${verdict}`)
  if (blocks !== undefined) conditions.push(sql`v.blocks = ${blocks}`)
  if (signature !== undefined) conditions.push(buildHasSignature(run, signature))
  if (testId !== undefined) conditions.push(sql`v.test_id = ${testId}`)
  if (after !== undefined) conditions.push(sql`v.test_id > ${after}`)
  if (job !== undefined || shard !== undefined) {
    const numbers = await selectSourceNumbers(db, run, { job, shard })
    conditions.push(sql`coalesce(o.source, ${sql.lit(FIRST_SOURCE)}) = any(${numbers}::int[])`)
  }
  const { rows } = await sql<VerdictRow>`${plannedAnew}
    select ${buildTest(run.project.id)}, v.verdict, v.blocks, v.is_first_flake, o.status as outcome, coalesce(o.attempt_count, 0) as attempt_count,
      failed.message, failed.details, replace(v.signature::text, '-', '') as signature, v.since_run_id, v.since_runs,
      v.base_run_id, v.quarantine_id
    from test_verdicts v
    join tests t on t.project_id = ${run.project.id} and t.id = v.test_id
    left join test_outcomes o on o.project_id = ${run.project.id} and o.run_id = ${run.id} and o.test_id = v.test_id
    ${joinStability(run.project.id)} ${LAST_FAILED}
    where ${sql.join(conditions, sql` and `)}
    order by v.test_id limit ${limit}`.execute(db)
  return rows
}

/** A test that did not report has no failure, does not block, and is of no job. */
const isAboutFailures = ({ blocks, signature, job, shard }: VerdictFilters): boolean =>
  blocks === true || signature !== undefined || job !== undefined || shard !== undefined

/** Any of the failures of the test in the run, not only the last one. */
const buildHasSignature = ({ id, project }: RunRef, signature: string) => sql`exists (
  select from test_failures f
  where f.project_id = ${project.id} and f.run_id = ${id} and f.test_id = v.test_id and f.signature = ${signature}::uuid
)`

async function selectSourceNumbers(
  db: Database,
  { id, project }: RunRef,
  { job, shard }: { job: string | undefined; shard: string | undefined },
): Promise<number[]> {
  const { rows } = await sql<{ source: number }>`
    select distinct source from run_uploads
    where project_id = ${project.id} and run_id = ${id}
      ${job === undefined ? sql`` : sql`and job = ${job}`} ${shard === undefined ? sql`` : sql`and shard = ${shard}`}`.execute(
    db,
  )
  return rows.map(({ source }) => source)
}

/** Selects tests that the first base run executed and that the run lacks, if its evaluation counts them. */
async function selectMissingRows(
  db: Database,
  { id, project }: RunRef,
  { test_id: testId, after }: VerdictFilters,
  limit: number,
): Promise<VerdictRow[]> {
  const { rows: runs } = await sql<{ base_run_id: string | null }>`
    select case when (evaluation -> 'counts' ->> 'missing')::int > 0 then evaluation -> 'base' ->> 'run_id' end as base_run_id
    from runs where id = ${id}`.execute(db)
  const baseRunId = runs[0]?.base_run_id ?? null
  if (baseRunId === null) return []
  const { rows } = await sql<VerdictRow>`${plannedAnew}
    select ${buildTest(project.id)}, 'missing' as verdict, false as blocks, false as is_first_flake, null as outcome, 0 as attempt_count,
      null as message, null as details, null as signature, null as since_run_id, null as since_runs,
      ${baseRunId}::uuid as base_run_id, null as quarantine_id
    from test_outcomes b
    join tests t on t.project_id = ${project.id} and t.id = b.test_id
    ${joinStability(project.id)}
    where b.project_id = ${project.id} and b.run_id = ${baseRunId} and b.status in ('passed', 'failed')
      ${testId === undefined ? sql`` : sql`and b.test_id = ${testId}`}
      ${after === undefined ? sql`` : sql`and b.test_id > ${after}`}
      and not exists (
        select from test_outcomes o where o.project_id = ${project.id} and o.run_id = ${id} and o.test_id = b.test_id ${lookUpEach}
      )
    order by b.test_id limit ${limit}`.execute(db)
  return rows
}
