import type { UpdateRunBody } from '@caseward/contract/runs'
import { sql } from 'kysely'
import type { Static } from 'typebox'

import type { Database } from '../../platform/database/connect.ts'
import { withRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { isMilestoneViolation, UNKNOWN_MILESTONE } from './run-milestone.ts'
import { selectRun } from './runs.queries.ts'

/**
 * Changes the fields that are sent; completing sets `completed_at`, reopening clears it.
 * @param userId who changes it; null for a CI token
 * @returns the run as a JSON object, or null when it is gone
 * @throws {Problem} 400 for an unknown milestone
 */
export async function updateRun(
  db: Database,
  run: RunRef,
  userId: string | null,
  change: Static<typeof UpdateRunBody>,
): Promise<string | null> {
  const { name, description, milestone_id, status, adds_test_cases } = change
  const metadata = change.metadata && JSON.stringify(change.metadata)
  const fields = { name, description, milestone_id, status, metadata, adds_test_cases }
  if (typeof milestone_id === 'string' && !isUuid(milestone_id)) throw invalidProblem([UNKNOWN_MILESTONE])
  if (Object.values(fields).every((value) => value === undefined)) return await selectRun(db, run.id)
  const update = db
    .updateTable('runs')
    .set({
      ...fields,
      updated_at: sql`now()`,
      ...(status === 'completed'
        ? { completed_at: sql`coalesce(completed_at, now())`, completed_by: userId, completed_itself: false }
        : {}),
      ...(status === 'in_progress' ? { completed_at: null, completed_by: null, completed_itself: null } : {}),
    })
    .where('id', '=', run.id)
  try {
    await withRowMutex(db, run.id, () => update.execute())
  } catch (error) {
    throw isMilestoneViolation(error) ? invalidProblem([UNKNOWN_MILESTONE]) : error
  }
  return await selectRun(db, run.id)
}
