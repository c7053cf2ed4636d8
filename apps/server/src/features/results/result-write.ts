import type { ResultStatus } from '@caseward/contract/results'
import type { StepChange } from '@caseward/contract/step-results'

import type { SentValues } from '../fields/check-values.ts'
import type { ResultChanges } from '../events/result-changes.ts'

/** The new fields of a result. An undefined note or elapsed time does not change. */
export interface NewResult {
  status: ResultStatus
  note: string | null | undefined
  /** Whole seconds. */
  elapsed: number | null | undefined
  /** The version of the test case that was tested; missing for the one it was tested with before, or the current one. */
  caseVersion?: number | undefined
  /** Whether results of steps, or values of fields, are replaced, so that the earlier ones are kept. */
  replacesSteps?: boolean
}

/** New fields of a result without a status, which then stays. */
export type PartialResult = Omit<NewResult, 'status'> & {
  status: ResultStatus | undefined
  /** Whether only values of custom fields change: they say nothing of who has tested, and when. */
  keepsTester?: boolean
}

/** The new fields of the result of a test case. */
export interface ResultWrite extends NewResult {
  caseNumber: number
  /** The combination to set; undefined for all of them, or a result without any. */
  place?: number | undefined
  /** `tested_at` of the result that the caller has seen, null if it was not set; undefined overwrites any result. */
  base?: Date | null | undefined
  /** What changes in the steps; see `planStepWrites`. */
  steps?: readonly StepChange[] | undefined
  /** Values of custom fields, and their JSON Pointer; see `planFieldWrites`. */
  fields?: { values: SentValues; path: string } | undefined
}

export interface WriteOptions {
  /** User id, or null for a CI token. */
  testedBy: string | null
  /** Returns the same and writes nothing. */
  dryRun: boolean
  /** When the tests finished; a time in the future counts as now. Newer results are kept. Null overwrites all. */
  finishedAt: Date | null
  /** Whether newer results that CI left untested are replaced all the same, as an execution goes before a skipped test. */
  replacesUntested?: boolean | undefined
  /** Receives what is written, as `withOpenRun` provides it. */
  changes: ResultChanges
}
