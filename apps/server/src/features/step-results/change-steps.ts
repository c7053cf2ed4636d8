import {
  MAX_STEP_RESULTS_BYTES,
  type StepChange,
  type StepResult,
  type StepStatus,
} from '@caseward/contract/step-results'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'

import { alignSteps, type CaseStep, digestSteps } from './align-steps.ts'

/** The step results of a result, as they are stored. */
export interface StoredSteps {
  steps: readonly StepResult[]
  /** Digests of the steps that the test case had then. */
  caseSteps: string
}

/** The step results of a result after a change. */
export interface ChangedSteps extends StoredSteps {
  /** The status that follows; null if no step has a result any more. */
  state: StepStatus | 'not_tested' | null
  /** Whether an earlier value is replaced, and not only new ones are added. */
  replaces: boolean
}

/** Why a change is refused. */
export interface StepRefusal {
  code: 'unknown_step' | 'step_results_too_large'
  detail: string
}

/**
 * Returns step results by their positions in the test case as it is now, without those of steps that were removed.
 * @param caseSteps null if the test case was deleted: nothing moves
 */
export function placeSteps(stored: StoredSteps, caseSteps: readonly CaseStep[] | null): StepResult[] {
  const digests = caseSteps === null ? stored.caseSteps : digestSteps(caseSteps)
  if (digests === stored.caseSteps) return [...stored.steps]
  const positions = alignSteps(stored.caseSteps, digests)
  return stored.steps
    .flatMap((step) => {
      const position = positions.get(step.position)
      return position === undefined ? [] : [{ ...step, position }]
    })
    .toSorted((a, b) => a.position - b.position)
}

/**
 * Applies changes to the step results of a result.
 * @param stored what the result has; null for nothing
 * @param caseSteps the steps of the test case as it is now
 */
export function changeSteps(
  stored: StoredSteps | null,
  caseSteps: readonly CaseStep[],
  changes: readonly StepChange[],
): ChangedSteps | StepRefusal {
  const unknown = changes.find(({ position }) => position > caseSteps.length)
  if (unknown !== undefined) {
    const count = caseSteps.length === 1 ? '1 step' : `${caseSteps.length} steps`
    return { code: 'unknown_step', detail: `The test case has no step ${unknown.position}: it has ${count}.` }
  }
  const before = new Map((stored === null ? [] : placeSteps(stored, caseSteps)).map((step) => [step.position, step]))
  const after = new Map(before)
  for (const { position, status, actual } of changes) {
    const step = after.get(position)
    after.set(position, {
      position,
      status: status === undefined ? (step?.status ?? null) : status,
      actual: actual === undefined ? (step?.actual ?? null) : actual === '' ? null : actual,
    })
  }
  const steps = [...after.values()]
    .filter(({ status, actual }) => status !== null || actual !== null)
    .toSorted((a, b) => a.position - b.position)
  if (Buffer.byteLength(JSON.stringify(steps)) > MAX_STEP_RESULTS_BYTES) {
    return {
      code: 'step_results_too_large',
      detail: 'The results of the steps would take more than 256 KB. Shorten their actual results, or attach a file.',
    }
  }
  return {
    steps,
    caseSteps: digestSteps(caseSteps),
    state: steps.length === 0 ? null : rollUpSteps(caseSteps.map((_, index) => after.get(index + 1)?.status)),
    replaces: [...before.values()].some((step) => isReplaced(step, after.get(step.position))),
  }
}

const isReplaced = (before: StepResult, after: StepResult | undefined): boolean =>
  (before.status !== null && before.status !== after?.status) ||
  (before.actual !== null && before.actual !== after?.actual)
