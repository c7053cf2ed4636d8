import type { Database } from '../../platform/database/connect.ts'
import type { HistoryContext } from './history-context.ts'
import type { ImportWork } from './import-work.ts'
import { planComments } from './plan-comments.ts'
import { createPlaceFinder, locateResults } from './plan-places.ts'
import type { RunTarget } from './plan-runs.ts'

interface PlacedContext extends Pick<HistoryContext, 'source' | 'people' | 'isSelf' | 'importedAt'> {
  runs: ReadonlyMap<string, RunTarget>
  duplicateKeys: readonly string[]
}

/** Plans what an export has at test cases, runs and results, whose plans are made. */
export async function planPlaced(
  db: Database,
  work: ImportWork,
  { runs, duplicateKeys, ...context }: PlacedContext,
): Promise<void> {
  await locateResults(db, work.claim, ['comment'])
  const findPlace = await createPlaceFinder(db, work.claim, { runs, duplicateKeys })
  await planComments(db, work, context, findPlace)
}
