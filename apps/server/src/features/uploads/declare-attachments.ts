import type { AttachmentsReceipt } from '@caseward/contract/uploads'
import type { ReportedTest } from '@caseward/matching/attempt'

import type { Database } from '../../platform/database/connect.ts'
import { presentDeclared, storeDeclared, tryDeclared } from '../attachments/store-declared.ts'
import type { ResultChanges } from '../events/result-changes.ts'
import { collectDeclared, createFileFinder, type DeclareOptions, type DeclaringAttempt } from './collect-declared.ts'
import type { Upload } from './tests-upload.ts'
import type { UploadTest } from './upload-test.ts'

/** Without a limit, for uploads of the service itself. */
const DEFAULT_OPTIONS: DeclareOptions = { findFile: createFileFinder([]), limitBytes: Infinity }

/** How an upload was stored. */
export interface StoredTests {
  attachmentCount: number | null
  /** Returns the number of the source of a test, or of the same test in another report. */
  getSource: (test: UploadTest, report: ReportedTest) => number
  /** Whether a source's report of a test was stored, and not an earlier one kept. */
  isStored: (test: UploadTest, source: number) => boolean
  changes: ResultChanges
}

const hasAttachments = ({ attempts }: ReportedTest): boolean =>
  attempts.some(({ attachments }) => attachments !== undefined)

const declaresFiles = ({ test, repeats }: UploadTest): boolean => hasAttachments(test) || repeats.some(hasAttachments)

const declaresAttachments = ({ tests: { all } }: Upload): boolean => all.some(declaresFiles)

/** Stores the attachments of the tests of an upload. Without any, in a run without any, it runs no statement. */
export async function declareAttachments(
  tx: Database,
  upload: Upload,
  { attachmentCount, getSource, isStored, changes }: StoredTests,
): Promise<AttachmentsReceipt | undefined> {
  if (attachmentCount === null && !declaresAttachments(upload)) return undefined
  const { run, tests, declares = DEFAULT_OPTIONS } = upload
  const collected = collectDeclared(listAttempts(tests.all, getSource, isStored), declares)
  const listWritten = () =>
    tests.all.flatMap((test) =>
      getReports(test)
        .map((report) => ({ testId: test.id, source: getSource(test, report) }))
        .filter(({ source }) => isStored(test, source)),
    )
  const stored = await storeDeclared(tx, run, {
    declarations: collected.declarations,
    // Nothing is replaced in a run without attachments.
    written: { tests: attachmentCount === null ? [] : listWritten(), caseNumbers: [], source: 0 },
    attachmentCount,
    changes,
  })
  return presentDeclared(collected, stored)
}

/** Says what {@link declareAttachments} would do with an upload, of which nothing is stored. */
export async function tryAttachments(db: Database, upload: Upload): Promise<AttachmentsReceipt | undefined> {
  if (!declaresAttachments(upload)) return undefined
  const { run, tests, declares = DEFAULT_OPTIONS } = upload
  const getSource = (test: UploadTest, report: ReportedTest) => getReports(test).indexOf(report)
  const collected = collectDeclared(
    listAttempts(tests.all, getSource, () => true),
    declares,
  )
  return presentDeclared(collected, await tryDeclared(db, run, collected.declarations))
}

const getReports = ({ test, repeats }: UploadTest): ReportedTest[] => [test, ...repeats]

function* listAttempts(
  tests: readonly UploadTest[],
  getSource: StoredTests['getSource'],
  isStored: StoredTests['isStored'],
): Generator<DeclaringAttempt> {
  for (const test of tests) {
    if (!declaresFiles(test)) continue
    for (const report of getReports(test)) {
      if (!hasAttachments(report)) continue
      const source = getSource(test, report)
      const { id: testId, caseNumbers } = test
      for (const [index, { attachments }] of report.attempts.entries()) {
        if (attachments === undefined) continue
        const attempt = { testId, caseNumbers, source, attempt: index + 1, report: report.report }
        yield { ...attempt, attachments, isStored: isStored(test, source) }
      }
    }
  }
}
