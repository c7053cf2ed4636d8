import { MAX_USAGE_FOLDERS, MAX_USAGE_RUNS, type SharedStepUsage } from '@caseward/contract/shared-step-usage'

import type { Database } from '../../platform/database/connect.ts'
import { requireSharedStep } from './change-shared-steps.ts'
import { countUsesInRuns, selectFolderUses, selectOpenRuns } from './shared-step-usage.queries.ts'

/** @throws {Problem} 404 */
export async function readSharedStepUsage(db: Database, projectId: string, id: string): Promise<SharedStepUsage> {
  await requireSharedStep(db, projectId, id)
  const folders = await selectFolderUses(db, projectId, id, MAX_USAGE_FOLDERS)
  const openRuns = await selectOpenRuns(db, projectId, MAX_USAGE_RUNS)
  const uses = folders.length === 0 ? new Map() : await countUsesInRuns(db, projectId, id, openRuns)
  return {
    test_case_count: folders[0]?.case_count ?? 0,
    folders: folders.map(({ folder_id, test_case_count }) => ({ folder_id, test_case_count })),
    folder_count: folders[0]?.folder_count ?? 0,
    runs: openRuns.flatMap(({ id: run_id, name }) => {
      const use = uses.get(run_id)
      if (use === undefined) return []
      return { run_id, name, test_case_count: use.test_case_count, not_tested_count: use.not_tested_count }
    }),
    searched_run_count: openRuns.length,
    open_run_count: openRuns[0]?.open_count ?? 0,
  }
}
