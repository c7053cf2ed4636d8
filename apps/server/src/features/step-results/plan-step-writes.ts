import type { StepChange } from '@caseward/contract/step-results'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import { type ChangedSteps, changeSteps, type StepRefusal } from './change-steps.ts'
import { selectResultSteps } from './step-results.queries.ts'

/** What is to be stored of the steps of a result. */
export interface StepWrite {
  resultId: string
  changed: ChangedSteps
}

/**
 * Plans a change of the steps of one result. The caller holds the lock on the run.
 * @throws {Problem} 422 for an unknown step, or too much text
 */
export async function planStepWrite(
  tx: Database,
  run: RunRef,
  resultId: string,
  changes: readonly StepChange[],
): Promise<StepWrite> {
  const [result] = await selectResultSteps(tx, run, { resultIds: [resultId] })
  const changed = changeSteps(result?.stored ?? null, result?.caseSteps ?? [], changes)
  if ('code' in changed) throw unprocessableProblem(changed.code, changed.detail)
  return { resultId, changed }
}

/**
 * Plans changes of the steps of many results, as {@link planStepWrite} does.
 * @returns what is to be stored, and why not, by the number of the test case; test cases that are not in the run are missing
 */
export async function planStepWrites(
  tx: Database,
  run: RunRef,
  changesByCase: ReadonlyMap<number, readonly StepChange[]>,
): Promise<{ planned: Map<number, StepWrite>; refused: Map<number, StepRefusal> }> {
  const planned = new Map<number, StepWrite>()
  const refused = new Map<number, StepRefusal>()
  if (changesByCase.size === 0) return { planned, refused }
  for (const result of await selectResultSteps(tx, run, { caseNumbers: [...changesByCase.keys()] })) {
    const { resultId, caseNumber, stored, caseSteps } = result
    if (caseNumber === null) continue
    const changed = changeSteps(stored, caseSteps, changesByCase.get(caseNumber) ?? [])
    if ('code' in changed) refused.set(caseNumber, changed)
    else planned.set(caseNumber, { resultId, changed })
  }
  return { planned, refused }
}
