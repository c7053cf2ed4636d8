import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts'
import { QUIET_DAYS, WINDOW_DAYS } from './derive-stability.ts'
import { updateStability } from './update-stability.ts'

const TESTS_PER_TRANSACTION = 500
/** Stable tests are forgotten after so long. */
const FORGET_DAYS = 90

/**
 * The job that derives again what tests are whose window has moved: a flake event is too old, or has been the last one for long
 * enough. Also refreshes each once a day, as commits leave the window.
 */
export const stabilityJob: ScheduledJob = {
  name: 'update_stability',
  schedule: '37 * * * *',
  maxDelayMs: 3_600_000,
  run: async (db, signal) => await moveWindows(db, new Date(), signal),
}

/** @param now the time at which the windows end */
export async function moveWindows(db: Database, now: Date, signal: AbortSignal): Promise<void> {
  for (const projectId of await selectProjects(db)) {
    let after: string | null = null
    do {
      signal.throwIfAborted()
      const testIds: string[] = await selectMoved(db, projectId, now, after)
      await db.transaction().execute(async (tx) => await updateStability(tx, projectId, testIds, now))
      after = testIds.length === TESTS_PER_TRANSACTION ? (testIds.at(-1) ?? null) : null
    } while (after !== null)
    await forgetStable(db, projectId, now)
  }
}

async function selectProjects(db: Database): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select distinct project_id from unstable_tests order by project_id`.execute(db)
  return rows.map(({ project_id: id }) => id)
}

async function selectMoved(db: Database, projectId: string, now: Date, after: string | null): Promise<string[]> {
  const { rows } = await sql<{ test_id: string }>`
    select u.test_id from unstable_tests u
    where u.project_id = ${projectId} and (${after}::uuid is null or u.test_id > ${after}::uuid)
      and (u.stability <> 'stable' or u.flake_commits > 0)
      and (
        u.updated_at <= ${now}::timestamptz - interval '1 day'
        or u.stability = 'flaky' and u.last_event_at <= ${now}::timestamptz - make_interval(days => ${sql.lit(QUIET_DAYS)})
        or exists (
          select from flake_events e
          where e.project_id = ${projectId} and e.test_id = u.test_id
            and e.at <= ${now}::timestamptz - make_interval(days => ${sql.lit(WINDOW_DAYS)})
            and e.at > u.updated_at - make_interval(days => ${sql.lit(WINDOW_DAYS)})
        )
      )
    order by u.test_id limit ${sql.lit(TESTS_PER_TRANSACTION)}`.execute(db)
  return rows.map(({ test_id: id }) => id)
}

async function forgetStable(db: Database, projectId: string, now: Date): Promise<void> {
  await sql`
    delete from unstable_tests
    where project_id = ${projectId} and stability = 'stable'
      and since <= ${now}::timestamptz - make_interval(days => ${sql.lit(FORGET_DAYS)})`.execute(db)
}
