import type { ResultItem, ResultItemError } from '@casebook/contract/results'
import type { PartialReceipt, UploadReceipt } from '@casebook/contract/uploads'
import { JUnitError, parseJUnit } from '@casebook/junit'

import type { Database } from '../../database/connect.ts'
import type { RunPlace } from '../../http/places.ts'
import { invalidField } from '../../problems.ts'
import { matchItems, notInRun, notInRunError } from '../results/match-items.ts'
import { withOpenRun } from '../results/set-results.ts'
import { writeResults, type ResultWrite } from '../results/write-results.ts'
import { selectAutomationKeys } from './automation-keys.queries.ts'
import { matchTests } from './match-test-cases.ts'
import { groupAttempts } from './test-outcome.ts'

/** What an upload brings: result items, or a JUnit report as text or as chunks of bytes. */
export type UploadSource = { items: readonly ResultItem[] } | { junit: string | AsyncIterable<Uint8Array> }

/** Results to be written, and how to tell what could not be once it is known which cases are in the run. */
interface Matched {
  writes: ResultWrite[]
  errorsGiven(missing: ReadonlySet<number>): ResultItemError[]
}

/**
 * Stores an upload in one transaction, or only says what it would store.
 * @throws {Problem} 400 for XML that is not well-formed or not JUnit; 404 when the run is gone; 409 when it is completed
 */
export async function receive(
  db: Database,
  run: RunPlace,
  source: UploadSource,
  dryRun: boolean,
): Promise<UploadReceipt | PartialReceipt> {
  const matched =
    'items' in source ? await matchUploadedItems(run, source.items) : await matchReport(db, run, source.junit)
  const { stats, missing } = await withOpenRun(db, run, (tx) =>
    writeResults(tx, run, matched.writes, { testedBy: null, dryRun }),
  )
  const errors = matched.errorsGiven(missing)
  const counts = {
    uploaded_count: matched.writes.length - missing.size,
    failed_count: errors.length,
    stats,
    ...(dryRun ? { dry_run: true as const } : {}),
  }
  return errors.length === 0
    ? { success: true, ...counts }
    : { success: false, partial_failure: true, ...counts, errors }
}

async function matchUploadedItems(run: RunPlace, items: readonly ResultItem[]): Promise<Matched> {
  // An upload overwrites the earlier result as a whole: what it does not say is gone.
  const matched = await matchItems(run.project, items, (value) => value ?? null)
  return { writes: matched.writes, errorsGiven: (missing) => notInRun(matched, missing) }
}

async function matchReport(db: Database, run: RunPlace, junit: string | AsyncIterable<Uint8Array>): Promise<Matched> {
  const report = await parseReport(junit)
  const tests = await groupAttempts(report.attempts)
  const { writes, errors, unknownIds } = await matchTests(run.project.prefix, tests, (keys) =>
    selectAutomationKeys(db, run.project.id, keys),
  )
  const suites = report.suiteErrors.map(({ suite, message }): ResultItemError => ({
    test_case_id: suite,
    error: `This suite failed before it ran a test: ${message || 'no message'}`,
    code: 'no_test_case_id',
  }))
  return {
    writes,
    errorsGiven: (missing) => [
      ...errors,
      ...unknownIds.map(notInRunError),
      ...[...missing].map((number) => notInRunError(`${run.project.prefix}-${number}`)),
      ...suites,
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
