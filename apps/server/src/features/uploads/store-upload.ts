import type { ResultItemError } from '@caseward/contract/results'
import type { UploadBody, UploadedReport, UploadItem } from '@caseward/contract/upload-body'
import type { UploadedTest } from '@caseward/contract/uploaded-tests'
import type { AttachmentsReceipt, LinksReceipt, PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import type { ReportedTest } from '@caseward/matching/attempt'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { selectCaseNumbersByKey, selectMergeTargets } from '../test-cases/automation-keys.queries.ts'
import { isLikeTestCaseId, formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { RunRef } from '../../access/project-cache.ts'
import {
  type MatchedItems,
  matchItems,
  collectNewerResultErrors,
  collectNotInRunErrors,
  notInRunError,
} from '../results/match-items.ts'
import { placeWrites } from '../combinations/split-tests.ts'
import { tryOut } from '../combinations/try-out.ts'
import { enqueueAfterUpload } from '../evaluation/enqueue-evaluation.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { writeResults, type WrittenResults } from '../results/write-results.ts'
import type { Source } from '../tests/combine-parts.ts'
import { recordUploads, type SourceUpload } from '../tests/run-uploads.queries.ts'
import { createFileFinder } from './collect-declared.ts'
import { declareItemAttachments, tryItemAttachments } from './declare-item-attachments.ts'
import { linkItems } from './link-results.ts'
import type { KnownSuites } from './known-suites.ts'
import { type JUnitSource, readReport, readReports, type ReportOptions } from './read-reports.ts'
import { readUploadedTests } from './read-uploaded-tests.ts'
import { toStoredError } from './suite-errors.queries.ts'
import { storeTests } from './store-tests.ts'
import type { TestsUpload, TestsUploadOptions } from './tests-upload.ts'

/** What an upload contains: result items, tests, a JUnit report, or several. */
export type UploadContent =
  | { items: readonly UploadItem[] }
  | { tests: readonly UploadedTest[]; suiteErrors: UploadBody['suite_errors']; options: ReportOptions }
  | { junit: JUnitSource; options: ReportOptions; files?: UploadBody['files'] }
  | { reports: readonly UploadedReport[]; options: ReportOptions; files?: UploadBody['files'] }

/** The results to write, and the errors of the upload once they are written. */
interface MatchedUpload extends MatchedItems {
  getErrors(written: WrittenResults): ResultItemError[]
}

/**
 * Stores an upload in one transaction; a dry run only returns the receipt. Errors of newer results come last: in the order
 * of the items, or by case number for a JUnit report.
 * @param options.finishedAt when the suite finished: newer results are kept. Null overwrites them
 * @throws {Problem} 400 for XML that is not well-formed or not JUnit; 404 when the run is gone; 409 when it is completed
 */
export async function storeUpload(
  deps: Pick<Deps, 'db' | 'announcer' | 'fileLimitBytes'> & { knownSuites: KnownSuites },
  run: RunRef,
  content: UploadContent,
  { source, ...options }: TestsUploadOptions & { source: Source },
): Promise<UploadReceipt | PartialReceipt> {
  if (!('items' in content)) {
    const upload = await readTests(content)
    const declares = {
      findFile: createFileFinder(('files' in content ? content.files : undefined) ?? []),
      limitBytes: deps.fileLimitBytes,
    }
    return await storeTests(
      deps,
      run,
      { ...upload, tests: addVariant(upload.tests, source), source, declares },
      options,
    )
  }
  const { dryRun, finishedAt } = options
  const matched = await matchUploadedItems(deps.db, run, content.items)
  let isReopened = false
  let attachments: AttachmentsReceipt | undefined
  let links: LinksReceipt | undefined
  const written = await withOpenRun(
    deps,
    run,
    async (tx, changes, hasReopened) => {
      isReopened = hasReopened
      const write = async () => {
        // A report of one variant says nothing about the others.
        const writes = changes.hasCombinations
          ? await placeWrites(tx, run, matched.writes, source.variant)
          : matched.writes
        return await writeResults(tx, run, writes, { testedBy: null, dryRun, finishedAt, changes })
      }
      const stored = dryRun && changes.hasCombinations ? await tryOut(tx, write) : await write()
      const declare = { items: content.items, matched, stored, limitBytes: deps.fileLimitBytes, changes }
      if (dryRun) {
        attachments = await tryItemAttachments(tx, run, declare)
      } else {
        const recorded = await recordUploads(tx, run, [toSourceUpload(source, stored)], finishedAt)
        attachments = await declareItemAttachments(tx, run, declare, recorded)
      }
      links = await linkItems(tx, run, { items: content.items, matched, stored, dryRun, changes })
      if (!dryRun) await enqueueAfterUpload(tx, run)
      return stored
    },
    { reopens: !dryRun },
  )
  const errors = matched.getErrors(written)
  const counts = {
    uploaded_count: matched.writes.length - written.missing.size - written.newer.size,
    failed_count: errors.length,
    stats: written.stats,
    ...(attachments === undefined ? {} : { attachments }),
    ...(links === undefined ? {} : { links }),
    ...(dryRun ? { dry_run: true as const } : {}),
    ...(isReopened ? { reopened: true as const } : {}),
  }
  return errors.length === 0
    ? { success: true, ...counts }
    : { success: false, partial_failure: true, ...counts, errors }
}

const toSourceUpload = (source: Source, { stats }: WrittenResults): SourceUpload => ({
  source,
  testCount: Object.values(stats).reduce((sum, count) => sum + count, 0),
  failedCount: stats.failed,
  executedCount: stats.passed + stats.failed,
  elapsedMs: null,
})

/** The variant that people give comes before that of the framework. */
const addVariant = (tests: readonly ReportedTest[], { variant }: Source): readonly ReportedTest[] =>
  variant === ''
    ? tests
    : tests.map((test) => ({ ...test, variant: test.variant === '' ? variant : `${variant}, ${test.variant}` }))

async function readTests(content: Exclude<UploadContent, { items: unknown }>): Promise<Omit<TestsUpload, 'source'>> {
  if ('tests' in content) {
    const { tests, suiteErrors, options } = content
    return {
      tests: await readUploadedTests(tests, options),
      suiteErrors: (suiteErrors ?? []).map(({ where, message }) => toStoredError(where, message)),
      replacesSuiteErrors: suiteErrors !== undefined,
      notes: undefined,
    }
  }
  const { tests, suiteErrors, ...notes } =
    'reports' in content
      ? await readReports(content.reports, content.options)
      : await readReport(content.junit, content.options)
  // A report without a path may be one of several of its job, whose errors stay.
  return { tests, suiteErrors, replacesSuiteErrors: 'reports' in content || content.options.path !== undefined, notes }
}

async function matchUploadedItems(db: Database, run: RunRef, items: readonly UploadItem[]): Promise<MatchedUpload> {
  const matched = await matchItems(run.project, items, {
    clearMissing: true,
    findCaseNumbersByKey: (keys) => selectCaseNumbersByKey(db, run.project.id, keys),
    findMergeTargets: (numbers) => selectMergeTargets(db, run.project.id, numbers),
  })
  const toUnmatchedError = (id: string) => (isLikeTestCaseId(id) ? notInRunError(id) : unknownKeyError(run, id))
  return {
    ...matched,
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
