import type { Database } from '../../platform/database/connect.ts'
import {
  countOldFiles,
  type FileRetention,
  lockRunWithOldFiles,
  removeSomeFiles,
  selectFileRetention,
  selectRunsWithOldFiles,
} from './old-files.queries.ts'
import { recordRetention } from './record-retention.ts'
import { getRetentionStart, isOver, type RetentionLimits, runBatch } from './retention-batches.ts'

/**
 * Removes the files of runs that were completed longer ago than their project keeps them, in small transactions. The
 * attachments stay, and say so. A sweep deletes the files that nothing else needs.
 * @param maxDays what the server keeps at most; null for as long as the runs
 */
export async function removeOldFiles(db: Database, maxDays: number | null, limits: RetentionLimits): Promise<void> {
  for (const project of await selectFileRetention(db, maxDays)) {
    if (isOver(limits)) return
    await removeFilesOfProject(db, project, limits)
  }
}

async function removeFilesOfProject(db: Database, project: FileRetention, limits: RetentionLimits): Promise<void> {
  const before = getRetentionStart(project.days)
  let isRecorded = false
  for await (const runIds of selectRunsWithOldFiles(db, project.id, before)) {
    if (!isRecorded) await recordOldFiles(db, project, before)
    isRecorded = true
    for (const runId of runIds) {
      let hasMore = true
      while (hasMore) {
        if (isOver(limits)) return
        const removed = await runBatch(db, async (tx) => {
          if (!(await lockRunWithOldFiles(tx, project.id, runId, before))) return false
          return await removeSomeFiles(tx, project.id, runId)
        })
        hasMore = removed === true
      }
    }
  }
}

async function recordOldFiles(db: Database, project: FileRetention, before: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const files = await countOldFiles(tx, project.id, before)
    await recordRetention(tx, 'project.remove_old_files', project, { before, detail: { files } })
  })
}
