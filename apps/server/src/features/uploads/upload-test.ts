import type { ReportedTest } from '@caseward/matching/attempt'

import type { CombinedOutcome } from '../tests/combine-parts.ts'
import { FIRST_SOURCE } from '../tests/write-outcomes.ts'
import type { KnownTest, LinkSource } from '../tests/known-tests.queries.ts'

/**
 * A test of an upload, with what the steps of the upload find out about it. One object with all its fields from the
 * beginning, which the steps change: copies of 250,000 tests would take too much memory.
 */
export interface UploadTest {
  test: ReportedTest
  /** Its normalized titles. */
  readonly titleKey: string
  /** The test of the project that it is; null for a new one. */
  known: KnownTest | null
  /** Empty until it is stored. */
  id: string
  /** The test cases that it is linked to. None: the test is unmatched. */
  caseNumbers: readonly number[]
  source: LinkSource | null
  /** The number of its source in the run. */
  sourceNumber: number
  /** What follows from the reports of all sources; null if no other has reported the test. */
  combined: CombinedOutcome | null
  /** Whether a test case may be created: the test is unmatched, names no id and is not ambiguous. */
  needsTestCase: boolean
}

const NONE: readonly number[] = []

export const createUploadTest = (test: ReportedTest, titleKey: string): UploadTest => ({
  test,
  titleKey,
  known: null,
  id: '',
  caseNumbers: NONE,
  source: null,
  sourceNumber: FIRST_SOURCE,
  combined: null,
  needsTestCase: false,
})
