import type { UpdateRunBody } from '@caseward/contract/runs'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { saveDefaultBranch } from '../build-data/build-data.queries.ts'
import { readBuildData } from '../build-data/read-build-data.ts'
import { enqueueEvaluation } from '../evaluation/enqueue-evaluation.ts'
import { invalidProblem } from '../../platform/http/problems.ts'
import { isMilestoneViolation, UNKNOWN_MILESTONE } from './run-milestone.ts'
import { readFieldsOf } from '../fields/project-fields.ts'
import { listRequired, requireChangedRunValues, requireNeededValues } from './run-fields.ts'
import { lockRun, selectRun } from './runs.queries.ts'

/**
 * Changes the fields that are sent; completing sets `completed_at`, reopening clears it.
 * @returns the run as a JSON object, or null when it is gone
 * @throws {Problem} 400 for an unknown milestone, and invalid values of fields; 422 when results lack fields that they need
 */
export async function updateRun(
  db: Database,
  run: RunRef,
  actor: AuditActor,
  change: Static<typeof UpdateRunBody>,
): Promise<string | null> {
  const { name, description, milestone_id, status, adds_test_cases, excluded } = change
  const { userId } = actor
  const metadata = change.metadata && JSON.stringify(change.metadata)
  const columns = { name, description, milestone_id, status, metadata, adds_test_cases }
  if (typeof milestone_id === 'string' && !isUuid(milestone_id)) throw invalidProblem([UNKNOWN_MILESTONE])
  const values = change.fields === undefined ? null : await requireChangedRunValues(db, run, change.fields)
  if (values === null && [...Object.values(columns), excluded].every((value) => value === undefined))
    return await selectRun(db, run.id)
  const buildUpdate = (tx: Database) =>
    tx
      .updateTable('runs')
      .set({
        ...columns,
        ...(values === null
          ? {}
          : {
              fields: sql<never>`nullif(jsonb_strip_nulls(coalesce(fields, '{}') || ${JSON.stringify(values)}::jsonb), '{}')`,
            }),
        updated_at: sql`now()`,
        ...(change.metadata === undefined ? {} : readBuildData(change.metadata)),
        ...(excluded === undefined
          ? {}
          : { excluded_by_hand: excluded, excluded: excluded ? ('by_hand' as const) : null }),
        ...(change.metadata === undefined && excluded === undefined ? {} : { evaluated_upload_count: null }),
        ...(status === 'completed'
          ? { completed_at: sql`coalesce(completed_at, now())`, completed_by: userId, completed_itself: false }
          : {}),
        ...(status === 'in_progress' ? { completed_at: null, completed_by: null, completed_itself: null } : {}),
      })
      .where('id', '=', run.id)
  try {
    const needed = status === 'completed' && userId !== null && change.force !== true ? await readNeeded(db, run) : null
    await transactionWithRowMutex(db, run.id, async (tx) => {
      // Under the lock on the run, no result changes between the check and the end.
      const locked = needed === null ? undefined : await lockRun(tx, run.id)
      if (needed !== null && locked?.status === 'in_progress')
        await requireNeededValues(tx, run, needed.fields, needed.required)
      if (excluded !== undefined) await recordExclusion(tx, actor, run, excluded)
      await buildUpdate(tx).execute()
      if (change.metadata !== undefined) await saveDefaultBranch(tx, run.project.id, readBuildData(change.metadata))
      if ([change.metadata, excluded, status].some((value) => value !== undefined)) await enqueueEvaluation(tx, run)
    })
  } catch (error) {
    throw isMilestoneViolation(error) ? invalidProblem([UNKNOWN_MILESTONE]) : error
  }
  return await selectRun(db, run.id)
}

/** Records that a run is excluded or included by hand, unless it is that already. */
async function recordExclusion(tx: Database, actor: AuditActor, run: RunRef, isExcluded: boolean): Promise<void> {
  const row = await tx
    .selectFrom('runs')
    .select(['name', 'excluded', 'excluded_by_hand'])
    .where('id', '=', run.id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined || row.excluded_by_hand === isExcluded) return
  await recordAudit(tx, actor, {
    action: isExcluded ? 'run.exclude' : 'run.include',
    subject: { kind: 'run', id: run.id, name: row.name },
    projectId: run.project.id,
    detail: { from: row.excluded },
  })
}

/** Reads which fields the statuses of results need; null for none. */
async function readNeeded(db: Database, run: RunRef) {
  const fields = await readFieldsOf(db, run.project.id, 'result')
  const required = listRequired(fields)
  return required === null ? null : { fields, required }
}
