import type { AliasSource } from '@caseward/matching/aliases'
import type { ReportedTest } from '@caseward/matching/attempt'

import type { RunRef } from '../../access/project-cache.ts'
import type { Source } from '../tests/combine-parts.ts'
import type { DeclareOptions } from './collect-declared.ts'
import type { ReportNotes } from './read-reports.ts'
import type { UploadTests } from './read-titles.ts'
import type { SuiteError } from './suite-errors.queries.ts'
import type { UploadTest } from './upload-test.ts'

/** What an upload of tests contains. */
export interface TestsUpload {
  tests: readonly ReportedTest[]
  suiteErrors: readonly SuiteError[]
  /** What in CI ran the tests. Each report file of the upload is a source of its own. */
  source: Source
  /** Whether the errors outside of tests replace those of an earlier upload of the shard. */
  replacesSuiteErrors: boolean
  /** Without it, the tests name no files. */
  declares?: DeclareOptions | undefined
  /** What the receipt says about reports; undefined without one. */
  notes?: ReportNotes | undefined
}

export interface TestsUploadOptions {
  dryRun: boolean
  /** When the suite finished: newer outcomes and results are kept. Null overwrites them. */
  finishedAt: Date | null
  /** Whether unmatched tests get a test case. */
  createsTestCases: boolean
  /** Whether test cases that match are added to the run; undefined: as the run says. */
  addsToRun: boolean | undefined
}

/** What the steps of an upload need. */
export interface Upload extends Omit<TestsUpload, 'tests'>, Omit<TestsUploadOptions, 'addsToRun'> {
  run: RunRef
  addsToRun: boolean
  tests: UploadTests
  /** The tools of which the project has ids, and whether these come before its own. */
  aliases: { sources: readonly AliasSource[]; areFirst: boolean }
}

/** The numbers of all test cases of tests. */
export function collectCaseNumbers(tests: readonly UploadTest[]): number[] {
  const numbers = new Set<number>()
  for (const { caseNumbers } of tests) for (const number of caseNumbers) numbers.add(number)
  return [...numbers]
}
