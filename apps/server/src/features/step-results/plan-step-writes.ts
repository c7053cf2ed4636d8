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
  /** The place of a combination; 0 for the result as a whole. */
  place: number
  changed: ChangedSteps
}

/**
 * Plans a change of the steps of one result. The caller holds the lock on the run.
 * @param options the version of the test case that the positions are of, missing for the current one, and the combination
 * @throws {Problem} 422 for an unknown step, or too much text
 */
export async function planStepWrite(
  tx: Database,
  run: RunRef,
  resultId: string,
  changes: readonly StepChange[],
  { caseVersion, place = 0 }: { caseVersion?: number | undefined; place?: number } = {},
): Promise<StepWrite> {
  const [result] = await selectResultSteps(tx, run, { resultIds: [resultId], places: [place] })
  const earlier = result === undefined ? new Map() : await readEarlierSteps(tx, run, [{ ...result, sent: caseVersion }])
  const caseSteps = earlier.get(result?.caseNumber ?? 0) ?? result?.caseSteps ?? []
  const changed = changeSteps(result?.stored ?? null, caseSteps, changes)
  if ('code' in changed) throw unprocessableProblem(changed.code, changed.detail)
  return { resultId, place, changed }
}

/** Steps of a test case in a run, or of one combination of it. */
export interface CaseSteps {
  caseNumber: number
  place?: number | undefined
  steps: readonly StepChange[]
  caseVersion?: number | undefined
}

/** A text that is equal for the same test case and combination. */
export const toStepKey = ({
  caseNumber,
  place = 0,
}: {
  caseNumber: number | null
  place?: number | undefined
}): string => `${caseNumber} ${place}`

/**
 * Plans changes of the steps of many results, as {@link planStepWrite} does.
 * @returns what is to be stored, and why not, by {@link toStepKey}; test cases that are not in the run are missing
 */
export async function planStepWrites(
  tx: Database,
  run: RunRef,
  items: readonly CaseSteps[],
): Promise<{ planned: Map<string, StepWrite>; refused: Map<string, StepRefusal> }> {
  const planned = new Map<string, StepWrite>()
  const refused = new Map<string, StepRefusal>()
  if (items.length === 0) return { planned, refused }
  const byKey = new Map(items.map((item) => [toStepKey(item), item]))
  const results = await selectResultSteps(tx, run, {
    caseNumbers: [...byKey.values()].map(({ caseNumber }) => caseNumber),
    places: [...byKey.values()].map(({ place = 0 }) => place),
  })
  const earlier = await readEarlierSteps(
    tx,
    run,
    results.map((result) => ({ ...result, sent: byKey.get(toStepKey(result))?.caseVersion })),
  )
  for (const { resultId, place, caseNumber, stored, caseSteps } of results) {
    if (caseNumber === null) continue
    const key = toStepKey({ caseNumber, place })
    const changed = changeSteps(stored, earlier.get(caseNumber) ?? caseSteps, byKey.get(key)?.steps ?? [])
    if ('code' in changed) refused.set(key, changed)
    else planned.set(key, { resultId, place, changed })
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
