import type { ResultItem, ResultItemError } from '@caseward/contract/results'
import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import { JUnitError, parseJUnit } from '@caseward/junit'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { selectCaseNumbersByKey } from '../test-cases/automation-keys.queries.ts'
import { isLikeTestCaseId, formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import {
  matchItems,
  newerResultError,
  collectNewerResultErrors,
  collectNotInRunErrors,
  notInRunError,
} from '../results/match-items.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import type { ResultWrite } from '../results/result-write.ts'
import { writeResults, type WrittenResults } from '../results/write-results.ts'
import { groupAttempts } from './group-attempts.ts'
import { matchTests } from './match-tests.ts'

/** A JUnit report, as text or in the encoding that it declares. */
export type JUnitSource = string | Buffer

/** The results of an upload: result items, or a JUnit report. */
export type UploadSource = { items: readonly ResultItem[] } | { junit: JUnitSource }

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
  source: UploadSource,
  { dryRun, finishedAt }: { dryRun: boolean; finishedAt: Date | null },
): Promise<UploadReceipt | PartialReceipt> {
  const { db } = deps
  const matched =
    'items' in source ? await matchUploadedItems(db, run, source.items) : await matchReport(db, run, source.junit)
  const written = await withOpenRun(deps, run, (tx, changes) =>
    writeResults(tx, run, matched.writes, { testedBy: null, dryRun, finishedAt, changes }),
  )
  const errors = matched.getErrors(written)
  const counts = {
    uploaded_count: matched.writes.length - written.missing.size - written.newer.size,
    failed_count: errors.length,
    stats: written.stats,
    ...(dryRun ? { dry_run: true as const } : {}),
  }
  return errors.length === 0
    ? { success: true, ...counts }
    : { success: false, partial_failure: true, ...counts, errors }
}

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

async function matchReport(db: Database, run: RunRef, junit: JUnitSource): Promise<MatchedUpload> {
  const report = await parseReport(junit)
  const tests = await groupAttempts(report.attempts)
  const { writes, errors, unknownIds } = await matchTests(run.project.prefix, tests, (keys) =>
    selectCaseNumbersByKey(db, run.project.id, keys),
  )
  const suiteErrors = report.suiteErrors.map(({ suite, message }): ResultItemError => ({
    test_case_id: suite,
    error: `This suite failed outside of its tests: ${message || 'no message'}`,
    code: 'no_test_case_id',
  }))
  const toTestCaseId = (number: number) => formatTestCaseId(run.project.prefix, number)
  return {
    writes,
    getErrors: ({ missing, newer }) => [
      ...errors,
      ...unknownIds.map(notInRunError),
      ...[...missing].map((number) => notInRunError(toTestCaseId(number))),
      ...suiteErrors,
      ...[...newer]
        .toSorted(([a], [b]) => a - b)
        .map(([number, testedAt]) => newerResultError(toTestCaseId(number), testedAt)),
    ],
  }
}

async function parseReport(junit: JUnitSource) {
  try {
    return await parseJUnit(junit)
  } catch (error) {
    if (!(error instanceof JUnitError)) throw error
    const path = typeof junit === 'string' ? '/junit_xml' : ''
    throw invalidFieldProblem(path, `cannot be read: ${error.message}`, 'invalid_junit_xml')
  }
}
