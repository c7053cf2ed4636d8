import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import type { ReportedTest } from '@caseward/matching/attempt'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { enqueueAfterUpload } from '../evaluation/enqueue-evaluation.ts'
import type { ResultChanges } from '../events/result-changes.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { combineParts } from '../tests/combine-parts.ts'
import { selectTestsWithOutcome } from '../tests/outcomes.queries.ts'
import { toPart } from './combine-with-stored.ts'
import { dropUnreported } from './drop-unreported.ts'
import type { FoundSuite, KnownSuites } from './known-suites.ts'
import { identifyUpload, matchUpload } from './match-upload.ts'
import { readTitles, type UploadTests } from './read-titles.ts'
import { selectCasesNotInRun, selectRunState } from './run-state.queries.ts'
import { changesProject } from './store-links.ts'
import { collectCaseNumbers, type TestsUpload, type TestsUploadOptions, type Upload } from './tests-upload.ts'
import { tryUpload } from './try-upload.ts'
import type { UploadTest } from './upload-test.ts'
import { writeUpload } from './write-upload.ts'

/**
 * Stores the outcomes of tests, derives the results of their test cases, and returns the receipt. One transaction; a dry run
 * only returns the receipt. The project is locked only if something is added to it, so that the shards of a build that is
 * known upload at the same time as those of others.
 * @throws {Problem} 404 when the run is gone; 409 when it is completed
 */
export async function storeTests(
  deps: Pick<Deps, 'db' | 'announcer'> & { knownSuites?: KnownSuites },
  run: RunRef,
  { tests, ...rest }: TestsUpload,
  options: TestsUploadOptions,
): Promise<UploadReceipt | PartialReceipt> {
  const state = await selectRunState(deps.db, run.id)
  const counted = await dropUnreported(tests, {
    hasOutcomes: state.has_outcomes,
    identify: async (all) => {
      const titles = await readTitles(all, createYielder())
      await identifyUpload(deps.db, { run, tests: titles, source: rest.source })
      return titles
    },
    selectReported: (ids) => selectTestsWithOutcome(deps.db, run, ids),
  })
  const suite = await deps.knownSuites?.find(run.project.id, state.tests_version, counted)
  const upload: Omit<Upload, 'tests'> = {
    ...rest,
    ...options,
    run,
    addsToRun: options.addsToRun ?? state.adds_test_cases,
    aliases: { sources: state.alias_sources ?? [], areFirst: state.aliases_first },
  }
  const readAgain = () => readTitles(counted, createYielder())
  const recognized = suite?.tests ?? null
  if (suite !== undefined && recognized !== null) {
    // Else the database compares while the upload is written as if nothing had changed since the last one.
    const isCurrent = suite.isUnchanged ? Promise.resolve(true) : suite.isCurrent(deps.db)
    // Awaited below, which may be after it has failed.
    isCurrent.catch(() => {})
    try {
      return await storeIdentified(deps, { ...upload, tests: recognized }, { suite, isCurrent, readAgain })
    } catch (error) {
      if (await isCurrent) throw error
    }
  }
  const identified: Upload = { ...upload, tests: await readAgain() }
  combineReports(identified)
  const identification = await identifyUpload(deps.db, identified)
  await suite?.remember(identified.tests, identification)
  return await storeIdentified(deps, identified)
}

/** A suite that was uploaded before. */
interface RecognizedSuite {
  suite: FoundSuite
  /** Whether the database still has the same of its tests. */
  isCurrent: Promise<boolean>
  /** Returns its tests as if it had not been uploaded before. */
  readAgain: () => Promise<UploadTests>
}

/**
 * Stores tests of which the known tests have been found.
 * @throws {OutdatedSuite} if they would be others by now
 */
async function storeIdentified(
  deps: Pick<Deps, 'db' | 'announcer'>,
  upload: Upload,
  recognized?: RecognizedSuite,
): Promise<UploadReceipt | PartialReceipt> {
  const { run, dryRun } = upload
  // New tests are matched under the lock.
  const errors = dryRun || !upload.tests.all.some(isNew) ? await matchUpload(deps.db, upload) : null
  const locksProject = !dryRun && (errors === null || (await addsSomething(deps.db, upload)))
  const store = async (tx: Database, changes: ResultChanges, isReopened: boolean) => {
    // Another upload may have added the same tests before this one got the lock.
    if (locksProject && (await recognized?.suite.isCurrent(tx)) !== true) {
      if (recognized !== undefined) upload.tests = await recognized.readAgain()
      await identifyUpload(tx, upload)
    }
    const current = locksProject || errors === null ? await matchUpload(tx, upload) : errors
    const stored = dryRun
      ? { receipt: await tryUpload(tx, upload, current, changes), hasStored: true }
      : await writeUpload(tx, upload, current, changes)
    if (!locksProject && recognized !== undefined && !(await recognized.isCurrent)) throw new OutdatedSuite()
    const { receipt, hasStored } = stored
    if (dryRun) return receipt
    if (isReopened && !hasStored) throw new NothingStored(receipt)
    await enqueueAfterUpload(tx, run)
    return isReopened ? { ...receipt, reopened: true as const } : receipt
  }
  try {
    return await withOpenRun(deps, run, store, { locksProject, reopens: !dryRun })
  } catch (error) {
    if (error instanceof NothingStored) return error.receipt
    throw error
  }
}

/** Rolls an upload back that was written as if the project still had the same tests. */
class OutdatedSuite extends Error {}

/** What several report files of an upload say of one test, as long as nothing else is known of it. */
function combineReports({ source, tests: { all }, finishedAt }: Upload): void {
  const testedAt = finishedAt ?? new Date()
  for (const uploadTest of all) {
    const { test, repeats } = uploadTest
    if (repeats.length === 0) continue
    const toReportPart = (reported: ReportedTest) =>
      toPart(reported, { ...source, report: reported.report ?? source.report }, testedAt)
    uploadTest.combined = combineParts([test, ...repeats].map(toReportPart))
  }
}

/** Rolls an upload back that would only have opened a completed run again, such as that of an older suite. */
class NothingStored extends Error {
  readonly receipt: UploadReceipt | PartialReceipt
  constructor(receipt: UploadReceipt | PartialReceipt) {
    super('The upload has stored nothing.')
    this.receipt = receipt
  }
}

const isNew = ({ known }: UploadTest): boolean => known === null

/** Whether an upload adds tests, links, test cases, or test cases to the run. */
async function addsSomething(db: Database, { createsTestCases, addsToRun, run, tests }: Upload): Promise<boolean> {
  const yielder = createYielder()
  for (const test of tests.all) {
    if (yielder.shouldYield()) await yielder.yield()
    if (changesProject(test) || (createsTestCases && test.needsTestCase)) return true
  }
  return addsToRun && (await selectCasesNotInRun(db, run, collectCaseNumbers(tests.all))).length > 0
}
