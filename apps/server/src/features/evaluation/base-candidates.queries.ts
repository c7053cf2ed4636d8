import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type EvaluatedRun, IS_SETTLED } from './evaluated-run.queries.ts'

/** A run that another one may be compared with. */
export interface BaseCandidate {
  id: string
  name: string
  branch: string | null
  commit_sha: string | null
  created_at: Date
  /** Whether it ran the very commit that the run is based on. */
  is_exact: boolean
  /** Whether its verdicts say which of its tests failed. */
  is_evaluated: boolean
}

const MAX_CANDIDATES = 10
const MAX_AGE_DAYS = 14

/** Condition on `runs`: its outcomes say something of the branch. */
const CAN_BE_BASE =
  sql.raw(`runs.is_trusted and not runs.is_imported and runs.excluded is null and runs.pull_request is null
  and runs.passed_test_count + runs.failed_test_count > 0`)

const IS_EVALUATED = sql.raw(
  'coalesce(runs.evaluated_upload_count = runs.upload_count, false) and runs.evaluated_at is not null',
)

/**
 * Selects the runs that a run may be compared with, the best first: those of the base commit, then the newest settled ones of the
 * base branch. Both in the same series, created before the run and not long before it.
 * @param branch the base branch; null for runs without a branch, which are compared with each other
 */
export async function selectBaseCandidates(
  db: Database,
  { id, project }: RunRef,
  run: Pick<EvaluatedRun, 'series' | 'base_commit' | 'created_at'>,
  branch: string | null,
): Promise<BaseCandidate[]> {
  const columns = sql`
    runs.id, runs.name, runs.branch, runs.commit_sha, runs.created_at, ${IS_EVALUATED} as is_evaluated`
  const isBefore = sql`
    runs.project_id = ${project.id} and runs.series = ${run.series} and runs.id <> ${id}
    and (runs.created_at, runs.id) < (${run.created_at}::timestamptz, ${id}::uuid)
    and runs.created_at >= ${run.created_at}::timestamptz - interval '${sql.lit(MAX_AGE_DAYS)} days'`
  const isOfBranch = branch === null ? sql`runs.branch is null` : sql`runs.branch = ${branch}`
  const { rows } = await sql<BaseCandidate>`
    with exact as (
      select ${columns}, true as is_exact from runs
      where ${isBefore} and ${isOfBranch} and runs.commit_sha = ${run.base_commit} and ${CAN_BE_BASE}
      order by runs.created_at desc, runs.id desc limit ${sql.lit(MAX_CANDIDATES)}
    ), newest as (
      select ${columns}, false as is_exact from runs join projects p on p.id = runs.project_id
      where ${isBefore} and ${isOfBranch} and ${CAN_BE_BASE} and ${sql.raw(IS_SETTLED)}
        and runs.id <> all(array(select id from exact))
      order by runs.created_at desc, runs.id desc limit ${sql.lit(MAX_CANDIDATES)}
    )
    select * from exact union all select * from newest
    order by is_exact desc, created_at desc, id desc limit ${sql.lit(MAX_CANDIDATES)}`.execute(db)
  return rows
}

/** Another run of the commit of a run. */
export type SiblingRun = Pick<BaseCandidate, 'id' | 'is_evaluated'>

const MAX_SIBLINGS = 10

/** Selects other runs of the same commit, target and series that began within a day: a test that ended differently there is flaky. */
export async function selectSiblingRuns(
  db: Database,
  { id, project }: RunRef,
  run: Pick<EvaluatedRun, 'series' | 'commit_sha' | 'target' | 'created_at'>,
): Promise<SiblingRun[]> {
  if (run.commit_sha === null) return []
  const { rows } = await sql<SiblingRun>`
    select id, ${IS_EVALUATED} as is_evaluated from runs
    where project_id = ${project.id} and commit_sha = ${run.commit_sha} and target is not distinct from ${run.target}
      and series = ${run.series} and id <> ${id} and is_trusted and not is_imported and excluded is null
      and created_at between ${run.created_at}::timestamptz - interval '24 hours'
        and ${run.created_at}::timestamptz + interval '24 hours'
    order by created_at desc, id desc limit ${sql.lit(MAX_SIBLINGS)}`.execute(db)
  return rows
}

/** Selects the earlier runs of the same branch and series, the newest first, in which failures may have begun. */
export async function selectEarlierRuns(
  db: Database,
  { id, project }: RunRef,
  run: Pick<EvaluatedRun, 'series' | 'branch' | 'pull_request' | 'is_trusted' | 'is_imported' | 'created_at'>,
  limit: number,
): Promise<string[]> {
  const isOfBranch = run.branch === null ? sql`branch is null` : sql`branch = ${run.branch}`
  const { rows } = await sql<{ id: string }>`
    select id from runs
    where project_id = ${project.id} and series = ${run.series} and ${isOfBranch}
      and pull_request is not distinct from ${run.pull_request} and is_trusted = ${run.is_trusted} and is_imported = ${run.is_imported}
      and (created_at, id) < (${run.created_at}::timestamptz, ${id}::uuid)
      and passed_test_count + failed_test_count > 0
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
