import type { Database } from '../../platform/database/connect.ts'
import type { HistoryContext } from './history-context.ts'
import type { ImportWork } from './import-work.ts'
import { createAttachmentMap, planAttachments } from './plan-attachments.ts'
import { planCaseVersions } from './plan-case-versions.ts'
import { planComments } from './plan-comments.ts'
import type { FolderTargets } from './plan-folders.ts'
import type { OwnFields } from './plan-own-fields.ts'
import { createPlaceFinder, locateAttachments, locateResults } from './plan-places.ts'
import { planLeftOut } from './plan-left-out.ts'
import { planQuarantines } from './plan-quarantines.ts'
import { planSuiteErrors } from './plan-suite-errors.ts'
import { planTestOutcomes } from './plan-test-outcomes.ts'
import { planTests } from './plan-tests.ts'
import type { SharedTargets } from './plan-shared-steps.ts'
import type { RunTarget } from './plan-runs.ts'

interface PlacedContext extends Pick<HistoryContext, 'source' | 'people' | 'isSelf' | 'importedAt'> {
  runs: ReadonlyMap<string, RunTarget>
  duplicateKeys: readonly string[]
  folders: FolderTargets
  ownFields: OwnFields
  sharedSteps: SharedTargets
  /** The most bytes that a file may have. */
  fileLimitBytes: number
}

/** Plans what an export has at test cases, runs and results, whose plans are made. */
export async function planPlaced(db: Database, work: ImportWork, { runs, ...context }: PlacedContext): Promise<void> {
  await planCaseVersions(db, work, context)
  const tests = await planTests(db, work, context)
  await planTestOutcomes(db, work, context, { runs, tests })
  await planSuiteErrors(db, work, { ...context, runs })
  await planLeftOut(db, work, { ...context, runs, tests })
  await planQuarantines(db, work, { ...context, tests })
  await locateResults(db, work.claim, ['comment'])
  const findPlace = await createPlaceFinder(db, work.claim, { runs, duplicateKeys: context.duplicateKeys })
  const mapAttachment = await createAttachmentMap(db, work, context)
  await planComments(db, work, { ...context, mapAttachment }, findPlace)
  await locateAttachments(db, work.claim)
  await planAttachments(db, work, { ...context, tests }, findPlace)
}
