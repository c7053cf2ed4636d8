import type { Database } from '../../platform/database/connect.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'
import {
  countOldRuns,
  deleteEmptyRun,
  deleteSomeAttachments,
  deleteSomeOutcomes,
  deleteSomeResults,
  lockOldRun,
  type OldRun,
  selectOldRuns,
} from './old-runs.queries.ts'
import { recordRetention } from './record-retention.ts'
import { isOver, type RetentionLimits, runBatch } from './retention-batches.ts'

const RUNS_PER_LIST = 200

/**
 * Deletes the runs that were completed before a time, with their attachments, results, outcomes and suite errors, in small transactions.
 * Each of them leaves exact counters, so that a run of which a part is deleted is a smaller run, and a later call continues.
 */
export async function deleteOldRuns(db: Database, before: Date, limits: RetentionLimits): Promise<void> {
  const skipped = new Set<string>()
  let recordedProjectId: string | null = null
  for (;;) {
    const runs = (await selectOldRuns(db, before, RUNS_PER_LIST + skipped.size)).filter(({ id }) => !skipped.has(id))
    if (runs.length === 0) return
    for (const run of runs) {
      if (isOver(limits)) return
      if (run.projectId !== recordedProjectId) await recordOldRuns(db, run.projectId, before)
      recordedProjectId = run.projectId
      if (!(await deleteOldRun(db, run, before, limits))) skipped.add(run.id)
    }
  }
}

async function recordOldRuns(db: Database, projectId: string, before: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const [counts] = await countOldRuns(tx, before, projectId)
    if (counts === undefined) return
    const detail = { runs: counts.runs, results: counts.results }
    await recordRetention(tx, 'project.delete_old_runs', { id: projectId, name: counts.name }, { before, detail })
  })
}

/** Returns whether the run is deleted. */
async function deleteOldRun(db: Database, run: OldRun, before: Date, limits: RetentionLimits): Promise<boolean> {
  const steps = [...(run.hasAttachments ? [deleteSomeAttachments] : []), deleteSomeResults, deleteSomeOutcomes]
  for (const deleteSome of steps) {
    let hasMore: boolean | undefined = true
    while (hasMore) {
      if (isOver(limits)) return false
      hasMore = await runBatch(db, async (tx) =>
        (await lockOldRun(tx, run, before)) ? await deleteSome(tx, run) : undefined,
      )
      if (hasMore === undefined) return false
    }
  }
  const isDeleted = await runBatch(db, async (tx) => {
    await lockProjectRow(tx, run.projectId)
    if (!(await lockOldRun(tx, run, before))) return false
    await deleteEmptyRun(tx, run)
    return true
  })
  return isDeleted === true
}
