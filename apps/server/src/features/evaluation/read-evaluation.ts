import { setTimeout as sleep } from 'node:timers/promises'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { enqueueEvaluation } from './enqueue-evaluation.ts'
import { evaluateRun } from './evaluate-run.ts'
import { type PresentedEvaluation, selectEvaluation } from './present-evaluation.ts'

/** With more failures, a request would take seconds: a job evaluates the run. */
const MAX_FAILURES_OF_READER = 5000
const POLL_MS = 500

/**
 * Reads the evaluation of a run, and computes it if it is not current and that takes no long time.
 * @param options.waitSeconds how long to wait for a job that computes it
 * @param options.createSignal returns what ends the wait, when the client has gone or the server stops
 * @returns null when the run is gone
 */
export async function readEvaluation(
  db: Database,
  ref: RunRef,
  { waitSeconds = 0, createSignal }: { waitSeconds?: number; createSignal: () => AbortSignal },
): Promise<PresentedEvaluation | null> {
  let evaluation = await selectEvaluation(db, ref)
  if (evaluation === null || evaluation.isCurrent) return evaluation
  if (evaluation.failedTests <= MAX_FAILURES_OF_READER) {
    return (await evaluateRun(db, ref)) ? await selectEvaluation(db, ref) : null
  }
  await enqueueEvaluation(db, ref)
  const signal = createSignal()
  const end = Date.now() + waitSeconds * 1000
  while (evaluation !== null && !evaluation.isCurrent && Date.now() < end && !signal.aborted) {
    await sleep(Math.min(POLL_MS, Math.max(0, end - Date.now())), undefined, { signal }).catch(() => {})
    evaluation = await selectEvaluation(db, ref)
  }
  return evaluation
}
