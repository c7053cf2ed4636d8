import type { ResultItem, ResultItemError } from '@caseward/contract/results'
import type { PartialReceipt, UploadBody, UploadedTest, UploadReceipt } from '@caseward/contract/uploads'
import { JUnitError, parseJUnit } from '@caseward/junit'
import { toReportedTests } from '@caseward/junit/to-tests'
import type { ReportedTest } from '@caseward/matching/attempt'
import { truncateNote } from '@caseward/matching/note'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { selectCaseNumbersByKey } from '../test-cases/automation-keys.queries.ts'
import { isLikeTestCaseId, formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { matchItems, collectNewerResultErrors, collectNotInRunErrors, notInRunError } from '../results/match-items.ts'
import { createYielder } from '../../platform/yielder.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import type { ResultWrite } from '../results/result-write.ts'
import { writeResults, type WrittenResults } from '../results/write-results.ts'
import type { Source } from '../tests/combine-parts.ts'
import { readUploadedTests } from './read-uploaded-tests.ts'
import { storeTests, type TestsUpload, type TestsUploadOptions } from './store-tests.ts'

/** A JUnit report, as text or in the encoding that it declares. */
export type JUnitSource = string | Buffer

/** What an upload contains: result items, tests, or a JUnit report. */
export type UploadContent =
  | { items: readonly ResultItem[] }
  | { tests: readonly UploadedTest[]; suiteErrors: UploadBody['suite_errors'] }
  | { junit: JUnitSource }

/** The results to write, and the errors of the upload once they are written. */
interface MatchedUpload {
  writes: ResultWrite[]
  getErrors(written: WrittenResults): ResultItemError[]
}

/**
 * Stores an upload in one transaction; a dry run only returns the receipt. Errors of newer results come last: in the order
 * of the items, or by case number for a JUnit report.
 * @param options.finishedAt when the suite finished: newer results are kept. Null overwrites them
 * @throws {Problem} 400 for XML that is not well-formed or not JUnit; 404 when the run is gone; 409 when it is completed
 */
export async function storeUpload(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  content: UploadContent,
  { source, ...options }: TestsUploadOptions & { source: Source },
): Promise<UploadReceipt | PartialReceipt> {
  if (!('items' in content)) {
    const upload = await readTests(content)
    return await storeTests(deps, run, { ...upload, tests: addVariant(upload.tests, source), source }, options)
  }
  const { dryRun, finishedAt } = options
  const matched = await matchUploadedItems(deps.db, run, content.items)
  let isReopened = false
  const written = await withOpenRun(
    deps,
    run,
    (tx, changes, hasReopened) => {
      isReopened = hasReopened
      return writeResults(tx, run, matched.writes, { testedBy: null, dryRun, finishedAt, changes })
    },
    { reopens: !dryRun },
  )
  const errors = matched.getErrors(written)
  const counts = {
    uploaded_count: matched.writes.length - written.missing.size - written.newer.size,
    failed_count: errors.length,
    stats: written.stats,
    ...(dryRun ? { dry_run: true as const } : {}),
    ...(isReopened ? { reopened: true as const } : {}),
  }
  return errors.length === 0
    ? { success: true, ...counts }
    : { success: false, partial_failure: true, ...counts, errors }
}

/** The variant that people give comes before that of the framework. */
const addVariant = (tests: readonly ReportedTest[], { variant }: Source): readonly ReportedTest[] =>
  variant === ''
    ? tests
    : tests.map((test) => ({ ...test, variant: test.variant === '' ? variant : `${variant}, ${test.variant}` }))

async function readTests(content: Exclude<UploadContent, { items: unknown }>): Promise<Omit<TestsUpload, 'source'>> {
  if ('tests' in content) {
    const { tests, suiteErrors } = content
    return {
      tests: await readUploadedTests(tests),
      suiteErrors: (suiteErrors ?? []).map(({ where, message }) => toStoredError(where, message)),
      replacesSuiteErrors: suiteErrors !== undefined,
    }
  }
  const report = await parseReport(content.junit)
  return {
    tests: await toReportedTests(report, createYielder()),
    suiteErrors: report.suiteErrors.map(({ suite, message, text }) => toStoredError(suite, message || text)),
    replacesSuiteErrors: false,
  }
}

const MAX_ERROR_LENGTH = 10_000

const toStoredError = (location: string, message: string) => ({
  location: truncateNote(location, 1000).toWellFormed(),
  message: truncateNote(message, MAX_ERROR_LENGTH).toWellFormed(),
})

async function matchUploadedItems(db: Database, run: RunRef, items: readonly ResultItem[]): Promise<MatchedUpload> {
  const matched = await matchItems(run.project, items, {
    clearMissing: true,
    findCaseNumbersByKey: (keys) => selectCaseNumbersByKey(db, run.project.id, keys),
  })
  const toUnmatchedError = (id: string) => (isLikeTestCaseId(id) ? notInRunError(id) : unknownKeyError(run, id))
  return {
    writes: matched.writes,
    getErrors: ({ missing, newer }) => [
      ...collectNotInRunErrors(matched, missing, toUnmatchedError),
      ...collectNewerResultErrors(matched, newer),
    ],
  }
}

const unknownKeyError = ({ project }: RunRef, key: string): ResultItemError => ({
  test_case_id: key,
  error: `This is neither a test case id, such as ${formatTestCaseId(project.prefix, 12)}, nor the automation key of a test case. Send the id, or set this automation key on the test case.`,
  code: 'no_test_case_id',
})

async function parseReport(junit: JUnitSource) {
  try {
    return await parseJUnit(junit)
  } catch (error) {
    if (!(error instanceof JUnitError)) throw error
    const path = typeof junit === 'string' ? '/junit_xml' : ''
    throw invalidFieldProblem(path, `cannot be read: ${error.message}`, 'invalid_junit_xml')
  }
}
