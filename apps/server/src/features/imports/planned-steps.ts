import { MAX_STEP_RESULTS_BYTES, STEP_STATUSES, type StepResult } from '@caseward/contract/step-results'
import { MAX_STEPS } from '@caseward/contract/steps'
import { RESULT_STATUSES } from '@caseward/contract/results'
import type { OwnStepResults } from '@caseward/importers/records'
import { rollUpSteps } from '@caseward/matching/roll-up-steps'

/** Results of steps as they are stored. */
export interface PlannedSteps {
  steps: StepResult[]
  /** Digests of the steps that the test case had then; empty in an earlier value. */
  case_steps: string
}

const DIGEST_LENGTH = 4
const DIGESTS = /^(?:[A-Za-z0-9_-]{4}){1,500}$/
const MAX_ACTUAL = 65_536

/** Plans the results of steps; null if they cannot be stored. */
export function planSteps({ steps: records, case_steps: digests }: OwnStepResults): PlannedSteps | null {
  if (digests !== '' && !DIGESTS.test(digests)) return null
  const byPosition = new Map<number, StepResult>()
  for (const { position, status: word, actual } of records) {
    const status = STEP_STATUSES.find((known) => known === word) ?? null
    const isPossible = Number.isInteger(position) && position >= 1 && position <= MAX_STEPS
    if (!isPossible || byPosition.has(position) || (word !== '' && status === null) || actual.length > MAX_ACTUAL)
      return null
    if (status !== null || actual !== '')
      byPosition.set(position, { position, status, actual: actual === '' ? null : actual })
  }
  const steps = [...byPosition.values()].toSorted((a, b) => a.position - b.position)
  if (steps.length === 0 || Buffer.byteLength(JSON.stringify(steps)) > MAX_STEP_RESULTS_BYTES) return null
  return { steps, case_steps: digests }
}

/** The status that follows, as its place in RESULT_STATUSES. */
export function toStepState({ steps, case_steps: digests }: PlannedSteps): number {
  const statuses = new Map(steps.map(({ position, status }) => [position, status]))
  const count = digests.length / DIGEST_LENGTH
  return RESULT_STATUSES.indexOf(rollUpSteps(Array.from({ length: count }, (_, index) => statuses.get(index + 1))))
}
