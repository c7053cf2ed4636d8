import { type FlakeEvent, MAX_FLAKE_EVENTS, type TestStabilityDetail } from '@caseward/contract/stability'

import type { Database } from '../../platform/database/connect.ts'
import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { selectActiveByTest } from '../quarantines/quarantines.queries.ts'
import { countCommits, type FlakeEventRow, selectFlakeEvents, selectUnstableTests } from './stability.queries.ts'

/** Reads how reliable a test is, with its newest flake events. */
export async function readStability(
  db: Database,
  projectId: string,
  testId: string,
  now: Date,
): Promise<TestStabilityDetail> {
  const events = await selectFlakeEvents(db, projectId, [testId], now)
  const row = (await selectUnstableTests(db, projectId, [testId])).get(testId)
  return {
    state: row?.stability ?? 'stable',
    since: presentNullableTime(row?.since ?? null),
    flake_commits: row?.flake_commits ?? 0,
    commits: row?.commits ?? (await countCommits(db, projectId, [testId], now)).get(testId) ?? 0,
    score: row?.score ?? 0,
    last_flake_at: presentNullableTime(row?.last_event_at ?? events[0]?.at ?? null),
    consecutive_failures: row?.consecutive_failures ?? 0,
    first_failing_run_id: row?.first_failing_run_id ?? null,
    quarantine: (await selectActiveByTest(db, projectId)).get(testId) ?? null,
    events: events.slice(0, MAX_FLAKE_EVENTS).map(presentEvent),
  }
}

const presentEvent = ({ kind, commit_key: key, run_id, other_run_id, at, signature }: FlakeEventRow): FlakeEvent => ({
  kind,
  // The key of a run without a commit is `run` and its id; a target follows the commit.
  commit: key.startsWith('run ') ? null : (key.split(' ')[0] ?? null),
  run_ids: [run_id, ...(other_run_id === null ? [] : [other_run_id])],
  at: presentTime(at),
  // As failure groups have it.
  signature: signature?.replaceAll('-', '') ?? null,
})
