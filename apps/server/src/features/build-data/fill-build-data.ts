import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { FIRST_ID } from '../../platform/http/ids.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { evaluateRun } from '../evaluation/evaluate-run.ts'
import { saveDefaultBranch } from './build-data.queries.ts'
import { readBuildData } from './read-build-data.ts'

const RUNS_PER_STATEMENT = 500
/** Older runs are evaluated when somebody looks at them. */
const EVALUATED_RUNS = 100

/**
 * The job that gives runs from before build data was stored their columns, from their metadata, and evaluates the newest of each
 * project, the oldest first, so that there is something to compare with after an upgrade.
 */
export const fillBuildDataJob: ScheduledJob = {
  name: 'fill_build_data',
  schedule: '*/5 * * * *',
  maxDelayMs: 3_600_000,
  async run(db, signal) {
    const { rows: projects } = await sql<{ id: string; prefix: string }>`
      select id, prefix from projects where insight_filled_at is null order by id`.execute(db)
    for (const project of projects) {
      await fillRuns(db, project.id, signal)
      await evaluateNewest(db, project, signal)
      await sql`update projects set insight_filled_at = now() where id = ${project.id}`.execute(db)
    }
  },
}

/** Fills the columns of all runs of a project, in small statements. */
async function fillRuns(db: Database, projectId: string, signal: AbortSignal): Promise<void> {
  let after: string = FIRST_ID
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await sql<{ id: string; metadata: Record<string, string> }>`
      select id, metadata from runs
      where project_id = ${projectId} and id > ${after} order by id limit ${sql.lit(RUNS_PER_STATEMENT)}`.execute(db)
    const data = rows.map(({ id, metadata }) => ({ id, ...readBuildData(metadata) }))
    await sql`
      update runs set repository = sent.repository, branch = sent.branch, commit_sha = sent.commit_sha,
        head_commit = sent.head_commit, base_branch = sent.base_branch, base_commit = sent.base_commit,
        pull_request = sent.pull_request, default_branch = sent.default_branch, target = sent.target, series = sent.series
      from json_to_recordset(${JSON.stringify(data)}::json) as sent(
        id uuid, repository text, branch text, commit_sha text, head_commit text, base_branch text, base_commit text,
        pull_request text, default_branch text, target text, series text
      )
      where runs.id = sent.id and runs.project_id = ${projectId} and runs.metadata::text <> '{}'`.execute(db)
    const newest = data.findLast(({ default_branch: branch }) => branch !== null)
    if (newest !== undefined) await saveDefaultBranch(db, projectId, newest)
    const last = rows.at(-1)
    if (last === undefined || rows.length < RUNS_PER_STATEMENT) return
    after = last.id
  }
}

async function evaluateNewest(
  db: Database,
  project: { id: string; prefix: string },
  signal: AbortSignal,
): Promise<void> {
  const { rows } = await sql<{ id: string; group: number }>`
    select id, run_group as group from (
      select id, run_group from runs
      where project_id = ${project.id} and passed_test_count + failed_test_count + skipped_test_count > 0
      order by id desc limit ${sql.lit(EVALUATED_RUNS)}
    ) newest order by id`.execute(db)
  for (const { id, group } of rows) {
    signal.throwIfAborted()
    await evaluateRun(db, { id, group, project })
  }
}
