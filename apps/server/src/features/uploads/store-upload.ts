import type { ResultItem, ResultItemError } from '@caseward/contract/results'
import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import { JUnitError, parseJUnit } from '@caseward/junit'

import type { Database } from '../../platform/database/connect.ts'
import { isLikeTestCaseId, testCaseId } from '../../platform/http/ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { invalidField } from '../../platform/http/problems.ts'
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
import { selectAutomationKeys } from './automation-keys.queries.ts'
import { matchTests } from './match-test-cases.ts'
import { groupAttempts } from './test-outcome.ts'

/** What an upload brings: result items, or a JUnit report as text or as chunks of bytes. */
export type UploadSource = { items: readonly ResultItem[] } | { junit: string | AsyncIterable<Uint8Array> }

/** Results to be written, and how to tell what could not be once that is known. */
interface Matched {
  writes: ResultWrite[]
  getErrors(written: WrittenResults): ResultItemError[]
}

/**
 * Stores an upload in one transaction, or only says what it would store. Errors of results that are newer come last: in
 * the order of the items, or by the number of the case where a report has no items.
 * @param options.finishedAt when the suite finished: results newer than that stay. Null overwrites them
 * @throws {Problem} 400 for XML that is not well-formed or not JUnit; 404 when the run is gone; 409 when it is completed
 */
export async function storeUpload(
  db: Database,
  run: RunRef,
  source: UploadSource,
  { dryRun, finishedAt }: { dryRun: boolean; finishedAt: Date | null },
): Promise<UploadReceipt | PartialReceipt> {
  const matched =
    'items' in source ? await matchUploadedItems(db, run, source.items) : await matchReport(db, run, source.junit)
  const written = await withOpenRun(db, run, (tx) =>
    writeResults(tx, run, matched.writes, { testedBy: null, dryRun, finishedAt }),
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

async function matchUploadedItems(db: Database, run: RunRef, items: readonly ResultItem[]): Promise<Matched> {
  // An upload overwrites the earlier result as a whole: what it does not say is gone.
  const match = (keys?: ReadonlyMap<string, number>) => matchItems(run.project, items, (value) => value ?? null, keys)
  const byId = await match()
  const others: string[] = []
  for (const [id, number] of byId.ids) if (number === null) others.push(id)
  const keys = others.length === 0 ? new Map<string, number>() : await selectAutomationKeys(db, run.project.id, others)
  // Once more from the start, since of two items for the same case the last one counts.
  const matched = keys.size === 0 ? byId : await match(keys)
  return {
    writes: matched.writes,
    getErrors: ({ missing, newer }) => [
      ...collectNotInRunErrors(matched, missing, (id) =>
        isLikeTestCaseId(id) ? notInRunError(id) : noTestCase(run, id),
      ),
      ...collectNewerResultErrors(matched, newer),
    ],
  }
}

const noTestCase = ({ project }: RunRef, id: string): ResultItemError => ({
  test_case_id: id,
  error: `Neither a test case id, such as ${testCaseId(project.prefix, 12)}, nor the automation key of a test case. Send the id, or give the test case this key.`,
  code: 'no_test_case_id',
})

async function matchReport(db: Database, run: RunRef, junit: string | AsyncIterable<Uint8Array>): Promise<Matched> {
  const report = await parseReport(junit)
  const tests = await groupAttempts(report.attempts)
  const { writes, errors, unknownIds } = await matchTests(run.project.prefix, tests, (keys) =>
    selectAutomationKeys(db, run.project.id, keys),
  )
  const suites = report.suiteErrors.map(({ suite, message }): ResultItemError => ({
    test_case_id: suite,
    error: `This suite failed outside of its tests: ${message || 'no message'}`,
    code: 'no_test_case_id',
  }))
  const toTestCaseId = (number: number) => testCaseId(run.project.prefix, number)
  return {
    writes,
    getErrors: ({ missing, newer }) => [
      ...errors,
      ...unknownIds.map(notInRunError),
      ...[...missing].map((number) => notInRunError(toTestCaseId(number))),
      ...suites,
      ...[...newer]
        .toSorted(([a], [b]) => a - b)
        .map(([number, testedAt]) => newerResultError(toTestCaseId(number), testedAt)),
    ],
  }
}

async function parseReport(junit: string | AsyncIterable<Uint8Array>) {
  try {
    return await parseJUnit(junit)
  } catch (error) {
    throw error instanceof JUnitError
      ? invalidField(
          typeof junit === 'string' ? '/junit_xml' : '',
          `cannot be read: ${error.message}`,
          'invalid_junit_xml',
        )
      : error
  }
}
