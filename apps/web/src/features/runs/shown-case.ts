import type { ResultDetail, StepResult } from '@caseward/client/endpoints'

/** The text of a test case that a page shows for a result. */
export interface ShownCase {
  readonly testCase: NonNullable<ResultDetail['test_case' | 'tested_case']>
  /** The results of its steps. */
  readonly steps: readonly StepResult[]
  /** The version to send with a status; undefined if the test case was never changed. */
  readonly version: number | undefined
}

/**
 * Chooses between the text that was tested and that of today; null if the test case was deleted.
 * @param prefersNew whether the text of today is shown although another one was tested
 */
export function chooseShownCase(detail: ResultDetail, prefersNew: boolean): ShownCase | null {
  const { test_case: current, tested_case: tested = null, tested_steps: testedSteps = [] } = detail
  if (current === null) return null
  if (tested !== null && !prefersNew) return { testCase: tested, steps: testedSteps, version: tested.version }
  return { testCase: current, steps: detail.steps, version: current.version > 1 ? current.version : undefined }
}
