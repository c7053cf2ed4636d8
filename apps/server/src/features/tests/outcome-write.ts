import type { AttemptStatus } from '@caseward/contract/test-fields'

/** The number of the first source of a run, which takes no space. */
export const FIRST_SOURCE = 1

/** The outcome of a test in a run. */
export interface OutcomeWrite {
  testId: string
  status: AttemptStatus
  isFlaky: boolean
  isMatched: boolean
  /** Whole milliseconds. */
  elapsedMs: number | null
  attemptCount: number
  /** The attempts as JSON; null for one that needs no words. */
  attempts: string | null
  /** The number of the source in the run. Only used if the run has several. */
  source: number
  /** When it was tested, if the run has several sources; null otherwise, when all have the time of the upload. */
  testedAt: Date | null
}
