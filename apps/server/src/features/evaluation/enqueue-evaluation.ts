import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { enqueueJob } from '../../platform/jobs/queued-jobs.ts'
import { selectSiblingRuns } from './base-candidates.queries.ts'
import type { EvaluatedRun } from './evaluated-run.queries.ts'

/** Stored in the queue. */
export const EVALUATE_RUN = 'evaluate'

/** The uploads of this time are evaluated together. */
const AFTER_UPLOAD_MS = 2000

/**
 * Lets a run be evaluated soon after an upload: the last statement of its transaction, because later uploads wait for the job's row
 * until it ends.
 */
export const enqueueAfterUpload = (tx: Database, { id }: Pick<RunRef, 'id'>): Promise<void> =>
  enqueueJob(tx, { name: EVALUATE_RUN }, id, { delayMs: AFTER_UPLOAD_MS })

/** Lets a run be evaluated at once. */
export const enqueueEvaluation = (tx: Database, { id }: Pick<RunRef, 'id'>): Promise<void> =>
  enqueueJob(tx, { name: EVALUATE_RUN }, id)

/** Evaluates the other runs of a commit again: whether a test flaked there may depend on a run that is excluded, or is not any more. */
export async function reevaluateSiblings(tx: Database, ref: RunRef, run: EvaluatedRun): Promise<void> {
  const siblings = (await selectSiblingRuns(tx, ref, run)).filter((sibling) => sibling.is_evaluated)
  for (const sibling of siblings) {
    await sql`
      update runs set evaluated_upload_count = null where id = ${sibling.id}`.execute(tx)
    await enqueueEvaluation(tx, sibling)
  }
}
