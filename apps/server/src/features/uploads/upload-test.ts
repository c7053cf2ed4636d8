import type { AliasSystem } from '@caseward/matching/aliases'
import type { ReportedTest } from '@caseward/matching/attempt'

import type { CombinedOutcome } from '../tests/combine-parts.ts'
import { FIRST_SOURCE } from '../tests/outcome-write.ts'
import type { KnownTest, LinkSource } from '../tests/known-tests.queries.ts'

/**
 * A test of an upload, with what the steps of the upload find out about it. One object with all its fields from the
 * beginning, which the steps change: copies of 250,000 tests would take too much memory.
 */
export interface UploadTest {
  test: ReportedTest
  /** The same test in other report files of the upload. */
  repeats: readonly ReportedTest[]
  /** Its normalized titles. */
  readonly titleKey: string
  /** Its normalized titles as earlier versions read them from the same report; null if they are the same. */
  readonly formerKey: string | null
  /** Its titles as written; '' until they are needed. */
  titles: string
  /** Whether another test of the upload has the same titles, file, variant and module before it. */
  isRepeated: boolean
  /** The test of the project that it is; null for a new one. */
  known: KnownTest | null
  /** Whether the known test was found by its former titles. */
  isRenamed: boolean
  /** Whether it may be one of several known tests: it has no file, and they have. */
  isInDoubt: boolean
  /** Test cases of known tests with the same normalized titles, with the titles as written; '' for several. */
  titlesByCase: ReadonlyMap<number, string> | null
  /** Ids in its properties that are not of this project. */
  foreignIds: readonly string[]
  /** Empty until it is stored. */
  id: string
  /** The test cases that it is linked to. None: the test is unmatched. */
  caseNumbers: readonly number[]
  source: LinkSource | null
  /** The tool whose id linked it; null if none did. */
  aliasSystem: AliasSystem | null
  /** The number of its source in the run. */
  sourceNumber: number
  /** What follows from the reports of all sources; null if no other has reported the test. */
  combined: CombinedOutcome | null
  /** Whether a test case may be created: the test is unmatched, names no id and is not ambiguous. */
  needsTestCase: boolean
}

const NONE: readonly number[] = []
const NO_IDS: readonly string[] = []
const NO_REPEATS: readonly ReportedTest[] = []

export const createUploadTest = (test: ReportedTest, titleKey: string, formerKey: string | null): UploadTest => ({
  test,
  repeats: NO_REPEATS,
  titleKey,
  formerKey,
  titles: '',
  isRepeated: false,
  known: null,
  isRenamed: false,
  isInDoubt: false,
  titlesByCase: null,
  foreignIds: NO_IDS,
  id: '',
  caseNumbers: NONE,
  source: null,
  aliasSystem: null,
  sourceNumber: FIRST_SOURCE,
  combined: null,
  needsTestCase: false,
})
