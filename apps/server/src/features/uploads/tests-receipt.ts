import type { IgnoredFields } from '@caseward/contract/field-values'
import type { ResultItemError } from '@caseward/contract/results'
import type {
  AttachmentsReceipt,
  LinksReceipt,
  PartialReceipt,
  TestCounts,
  UploadReceipt,
} from '@caseward/contract/uploads'
import { getTestOutcome } from '@caseward/matching/test-outcome'

import type { ReportNotes } from './read-reports.ts'
import { newerResultError, notInRunError } from '../results/match-items.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { SuiteError } from './suite-errors.queries.ts'
import type { UploadTest } from './upload-test.ts'

/** The outcome of an upload of tests. */
export interface TestsOutcome {
  tests: readonly UploadTest[]
  created: number
  /** Keys of required fields of which created test cases have no value. */
  lackingFields: readonly string[]
  /** Undefined if the tests name no files. */
  attachments?: AttachmentsReceipt | undefined
  /** Undefined if the tests name no addresses. */
  links?: LinksReceipt | undefined
  /** Undefined if all values of fields were stored. */
  ignoredFields?: IgnoredFields | undefined
  errors: readonly ResultItemError[]
  /** The number of test cases whose result was to be stored. */
  caseCount: number
  stats: UploadReceipt['stats']
  missing: ReadonlySet<number>
  newer: ReadonlyMap<number, Date>
}

interface ReceiptContext {
  prefix: string
  dryRun: boolean
  suiteErrors: readonly SuiteError[]
  /** Undefined without a report. */
  notes?: ReportNotes | undefined
}

/** The receipt of an upload of tests. Errors of newer results come last, by case number. */
export function toReceipt(
  { prefix, dryRun, suiteErrors, notes }: ReceiptContext,
  {
    tests,
    created,
    lackingFields,
    attachments,
    links,
    ignoredFields,
    errors,
    caseCount,
    stats,
    missing,
    newer,
  }: TestsOutcome,
): UploadReceipt | PartialReceipt {
  const toId = (number: number) => formatTestCaseId(prefix, number)
  const all: ResultItemError[] = [
    ...(notes?.errors ?? []),
    ...errors,
    ...[...missing].map((number) => notInRunError(toId(number))),
    ...suiteErrors.map(toSuiteItemError),
    ...[...newer].toSorted(([a], [b]) => a - b).map(([number, testedAt]) => newerResultError(toId(number), testedAt)),
  ]
  const stored = Object.values(stats).reduce((sum, count) => sum + count, 0)
  const counts = {
    uploaded_count: dryRun ? caseCount - missing.size - newer.size : stored,
    failed_count: all.length,
    stats,
    tests: {
      ...countTests(tests, created),
      ...(lackingFields.length === 0 ? {} : { lacking_fields: [...lackingFields] }),
      ...presentNotes(notes),
    },
    ...(notes?.reports === undefined ? {} : { reports: [...notes.reports] }),
    ...(attachments === undefined ? {} : { attachments }),
    ...(links === undefined ? {} : { links }),
    ...(ignoredFields === undefined ? {} : { ignored_fields: ignoredFields }),
    ...(dryRun ? { dry_run: true as const } : {}),
  }
  return all.length === 0
    ? { success: true, ...counts }
    : { success: false, partial_failure: true, ...counts, errors: all }
}

const toSuiteItemError = ({ location, message }: SuiteError): ResultItemError => ({
  test_case_id: location,
  error: `This suite failed outside of its tests: ${message || 'no message'}`,
  code: 'suite_error',
})

/** By what the run has of them after the upload: another source may have reported the same tests. */
function countTests(tests: readonly UploadTest[], created: number): TestCounts {
  const counts = { total: tests.length, matched: 0, unmatched: 0, flaky: 0, created, repeated: 0 }
  let unmatchedFailed = 0
  const byAlias: Record<string, number> = {}
  for (const { test, combined, caseNumbers, isRepeated, aliasSystem } of tests) {
    const { status, isFlaky } = combined ?? getTestOutcome(test.attempts)
    const isMatched = caseNumbers.length > 0
    counts[isMatched ? 'matched' : 'unmatched'] += 1
    if (isFlaky) counts.flaky += 1
    if (aliasSystem !== null) byAlias[aliasSystem] = (byAlias[aliasSystem] ?? 0) + 1
    if (isRepeated) counts.repeated += 1
    if (!isMatched && (status === 'failed' || status === 'blocked')) unmatchedFailed += 1
  }
  return {
    ...counts,
    ...(unmatchedFailed === 0 ? {} : { unmatched_failed: unmatchedFailed }),
    ...(Object.keys(byAlias).length === 0 ? {} : { by_alias: byAlias }),
  }
}

const MAX_EXAMPLES = 3

function presentNotes(notes: ReportNotes | undefined): Partial<TestCounts> {
  const { unknownStatuses = [], skippedText = '' } = notes ?? {}
  return {
    ...(unknownStatuses.length === 0
      ? {}
      : {
          unknown_status: {
            count: unknownStatuses.length,
            examples: [...new Set(unknownStatuses)].slice(0, MAX_EXAMPLES),
          },
        }),
    ...(skippedText === '' ? {} : { skipped_text: skippedText.toWellFormed() }),
  }
}
