import type { StepChange } from '@caseward/contract/step-results'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import { selectStepsAt } from '../case-versions/case-versions.queries.ts'
import type { CaseStep } from './align-steps.ts'
import { type ChangedSteps, changeSteps, type StepRefusal } from './change-steps.ts'
import { type ResultSteps, selectResultSteps } from './step-results.queries.ts'

/** What is to be stored of the steps of a result. */
export interface StepWrite {
  resultId: string
  changed: ChangedSteps
}

/**
 * Plans a change of the steps of one result. The caller holds the lock on the run.
 * @param caseVersion the version of the test case that the positions are of; missing for the current one
 * @throws {Problem} 422 for an unknown step, or too much text
 */
export async function planStepWrite(
  tx: Database,
  run: RunRef,
  resultId: string,
  changes: readonly StepChange[],
  caseVersion?: number,
): Promise<StepWrite> {
  const [result] = await selectResultSteps(tx, run, { resultIds: [resultId] })
  const earlier = result === undefined ? new Map() : await readEarlierSteps(tx, run, [{ ...result, sent: caseVersion }])
  const caseSteps = earlier.get(result?.caseNumber ?? 0) ?? result?.caseSteps ?? []
  const changed = changeSteps(result?.stored ?? null, caseSteps, changes)
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
  changesByCase: ReadonlyMap<number, { steps: readonly StepChange[]; caseVersion?: number | undefined }>,
): Promise<{ planned: Map<number, StepWrite>; refused: Map<number, StepRefusal> }> {
  const planned = new Map<number, StepWrite>()
  const refused = new Map<number, StepRefusal>()
  if (changesByCase.size === 0) return { planned, refused }
  const results = await selectResultSteps(tx, run, { caseNumbers: [...changesByCase.keys()] })
  const earlier = await readEarlierSteps(
    tx,
    run,
    results.map((result) => ({ ...result, sent: changesByCase.get(result.caseNumber ?? 0)?.caseVersion })),
  )
  for (const { resultId, caseNumber, stored, caseSteps } of results) {
    if (caseNumber === null) continue
    const { steps = [] } = changesByCase.get(caseNumber) ?? {}
    const changed = changeSteps(stored, earlier.get(caseNumber) ?? caseSteps, steps)
    if ('code' in changed) refused.set(caseNumber, changed)
    else planned.set(caseNumber, { resultId, changed })
  }
  return { planned, refused }
}

/** Reads the steps of test cases of which an earlier version was tested, by number. */
async function readEarlierSteps(
  tx: Database,
  { project }: RunRef,
  results: readonly (Pick<ResultSteps, 'caseNumber' | 'caseVersion'> & { sent: number | undefined })[],
): Promise<Map<number, CaseStep[]>> {
  const items = results.flatMap(({ caseNumber: number, caseVersion, sent: version }) =>
    number === null || caseVersion === null || version === undefined || version >= caseVersion
      ? []
      : [{ number, version }],
  )
  return await selectStepsAt(tx, project.id, items)
}
