import type { Database } from '../../platform/database/connect.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'
import { countOldTests, deleteSomeRetiredTests, retireSomeTests, selectProjects } from './old-tests.queries.ts'
import { recordRetention } from './record-retention.ts'
import { isOver, type RetentionLimits, runBatch } from './retention-batches.ts'

/** An upload that recognized a test before it was retired has ended within this time. */
const RETIREMENT_MS = 60 * 60 * 1000

/**
 * Deletes the automated tests that became known before a time and have no link and no outcome. They are retired first, and
 * deleted by a later call, because an upload may be about to write an outcome of one.
 */
export async function deleteOldTests(db: Database, before: Date, limits: RetentionLimits): Promise<void> {
  const retiredBefore = new Date(Date.now() - RETIREMENT_MS)
  for (const project of await selectProjects(db)) {
    const projectId = project.id
    await repeat(limits, () => runBatch(db, (tx) => deleteSomeRetiredTests(tx, projectId, retiredBefore)))
    if (isOver(limits)) return
    await recordOldTests(db, project, before)
    await repeat(limits, () =>
      runBatch(db, async (tx) => {
        await lockProjectRow(tx, projectId)
        return await retireSomeTests(tx, projectId, before)
      }),
    )
  }
}

/** Repeats a batch while there may be more. */
async function repeat(limits: RetentionLimits, batch: () => Promise<boolean | undefined>): Promise<void> {
  while (!isOver(limits) && (await batch()) === true);
}

async function recordOldTests(db: Database, project: { id: string; name: string }, before: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const tests = await countOldTests(tx, project.id, before)
    if (tests > 0) await recordRetention(tx, 'project.delete_old_tests', project, { before, detail: { tests } })
  })
}
