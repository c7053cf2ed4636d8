import type { ResultItemError } from '@caseward/contract/results'
import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { settleBoth } from '../../platform/database/settle-both.ts'
import { planForParameters } from '../../platform/database/plans.ts'
import { yieldToEventLoop } from '../../platform/yielder.ts'
import { addResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { readLackingFields } from '../fields/require-values.ts'
import { addCasesToLockedRun } from '../runs/add-test-cases.ts'
import { createCasesForTests } from '../tests/create-cases.ts'
import { addStoredOutcomes, type TestsOfCase, writeDerivedResults } from '../tests/derive-results.ts'
import { countUnmatched, selectLinkedOutcomes } from '../tests/outcomes.queries.ts'
import { recordUploads } from '../tests/run-uploads.queries.ts'
import { FIRST_SOURCE } from '../tests/outcome-write.ts'
import { writeOutcomes } from '../tests/write-outcomes.ts'
import { toPartKey } from './combine-with-stored.ts'
import { declareAttachments, type StoredTests } from './declare-attachments.ts'
import { linkTests } from './link-results.ts'
import { adoptRenamedTests } from './adopt-renamed-tests.ts'
import { groupByCase } from './group-by-case.ts'
import { groupBySource } from './group-by-source.ts'
import { selectCasesNotInRun, selectRunState } from './run-state.queries.ts'
import { storeFields } from './store-fields.ts'
import { storeTestsAndLinks } from './store-links.ts'
import { storeSuiteErrors } from './store-suite-errors.ts'
import { toReceipt } from './tests-receipt.ts'
import { collectCaseNumbers, type Upload } from './tests-upload.ts'
import type { UploadTest } from './upload-test.ts'
import { type NumberedGroup, toOutcome, writeBesideOthers } from './write-beside-others.ts'

/** Up to this number of tests, the generic plan is faster than planning for the rows. */
const PLAN_MIN_TESTS = 100
/** Of more tests, outcomes and results would take too much memory together. */
const PARALLEL_MAX_TESTS = 20_000

/**
 * Writes the tests of an upload, their links and outcomes, and the results of their test cases. The caller holds the lock on
 * the run, and on the project if something is added to it.
 */
export async function writeUpload(
  tx: Database,
  upload: Upload,
  errors: readonly ResultItemError[],
  changes: ResultChanges,
): Promise<{ receipt: UploadReceipt | PartialReceipt; hasStored: boolean }> {
  const { run, finishedAt, replacesSuiteErrors: replaces } = upload
  const tests = upload.tests.all
  const state = await selectRunState(tx, run.id)
  const { has_outcomes: hasOutcomes, has_suite_errors: hasErrors } = state
  const groups = groupBySource(upload.source, tests, upload.suiteErrors)
  const { sources, isOnlySource, at, attachmentCount } = await recordUploads(tx, run, groups, finishedAt)
  const numbered = groups.map((group, index) => ({ ...group, number: sources[index] ?? FIRST_SOURCE }))
  await adoptRenamed(tx, upload, numbered)
  const createdNumbers = await createMissing(tx, upload)
  const lackingFields = createdNumbers.length === 0 ? [] : await readLackingFields(tx, run.project.id)
  await storeTestsAndLinks(tx, run.project, tests)
  const joining = upload.addsToRun ? collectCaseNumbers(tests) : createdNumbers
  const missing = joining.length === 0 ? [] : await selectCasesNotInRun(tx, run, joining)
  if (missing.length > 0) await addCasesToLockedRun(tx, run, missing, changes)
  if (!state.counts_unmatched) await countUnmatched(tx, run)
  if (tests.length > PLAN_MIN_TESTS) await planForParameters(tx)
  const testedAt = toTestedAt(finishedAt, at)
  const writeOwnOutcomes = () =>
    isOnlySource
      ? writeOutcomes(tx, run, tests, toOutcome, { finishedAt, hasOutcomes, hasSources: false })
      : writeBesideOthers(tx, upload, numbered, { hasOutcomes, testedAt })
  const deriveResults = async (written: readonly UploadTest[]) => {
    const reported = await groupByCase(written, testedAt)
    const testsByCase = hasOutcomes ? await addOtherTests(tx, run, reported, written) : reported
    const options = { keepsNewer: finishedAt !== null, dryRun: false, changes }
    return { testsByCase, results: await writeDerivedResults(tx, run, testsByCase, options) }
  }
  // All of the first outcomes of a run are written: meanwhile, the results can be prepared.
  const areAllWritten = isOnlySource && !hasOutcomes && tests.length <= PARALLEL_MAX_TESTS
  const derivesMeanwhile = areAllWritten ? () => deriveResults(tests) : async () => null
  const [{ newer, executed, keptParts }, derived] = await settleBoth([writeOwnOutcomes(), derivesMeanwhile()])
  addResultChanges(changes, new Date(), [])
  await letOthersRun(tests)
  const isKept = newer.size + executed.size > 0
  const written = isKept ? tests.filter(({ id }) => !newer.has(id) && !executed.has(id)) : tests
  const { testsByCase, results } = derived ?? (await deriveResults(written))
  await letOthersRun(tests)
  const attachments = await declareAttachments(tx, upload, {
    attachmentCount,
    getSource: createSourceFinder(upload, numbered),
    isStored: ({ id }, source) => !newer.has(id) && !executed.has(id) && keptParts?.has(toPartKey(id, source)) !== true,
    changes,
  })
  await letOthersRun(tests)
  const links = await linkTests(tx, run, {
    tests,
    isStored: ({ id }) => !newer.has(id) && !executed.has(id),
    dryRun: false,
    changes,
  })
  const ignoredFields = await storeFields(tx, run, {
    tests,
    isStored: ({ id }) => !newer.has(id) && !executed.has(id),
    results,
    dryRun: false,
  })
  await storeSuiteErrors(tx, run, numbered, { replaces, finishedAt, hasErrors })
  await letOthersRun(tests)
  if (newer.size > 0) {
    const writtenCases = new Set(testsByCase.map(([caseNumber]) => caseNumber))
    for (const { id, caseNumbers } of tests) {
      const newerAt = newer.get(id)
      if (newerAt === undefined) continue
      for (const number of caseNumbers) if (!writtenCases.has(number)) results.newer.set(number, newerAt)
    }
    await letOthersRun(tests)
  }
  const receipt = toReceipt(
    { ...upload, prefix: run.project.prefix },
    {
      tests,
      created: createdNumbers.length,
      lackingFields,
      errors,
      caseCount: testsByCase.length,
      attachments,
      links,
      ignoredFields,
      ...results,
    },
  )
  // Errors outside of tests are as old as the tests of their upload.
  return { receipt, hasStored: tests.length === 0 || written.length > 0 }
}

/** Adds what the run has of other tests of the same test cases. */
async function addOtherTests(
  tx: Database,
  run: RunRef,
  testsByCase: readonly TestsOfCase[],
  written: readonly UploadTest[],
): Promise<readonly TestsOfCase[]> {
  const caseNumbers = testsByCase.map(([caseNumber]) => caseNumber)
  const writtenIds = written.map(({ id }) => id)
  return addStoredOutcomes(testsByCase, await selectLinkedOutcomes(tx, run, caseNumbers, writtenIds))
}

/** Between two steps that look at each of tens of thousands of tests. */
async function letOthersRun(tests: readonly UploadTest[]): Promise<void> {
  if (tests.length > PARALLEL_MAX_TESTS) await yieldToEventLoop()
}

/** Finds the number of the source of a test, by the report file that it is in. */
function createSourceFinder({ source }: Upload, groups: readonly NumberedGroup[]): StoredTests['getSource'] {
  const byReport = new Map(groups.map((group) => [group.source.report, group.number]))
  return (_test, { report = source.report }) => byReport.get(report) ?? FIRST_SOURCE
}

async function adoptRenamed(
  tx: Database,
  { run, finishedAt }: Pick<Upload, 'run' | 'finishedAt'>,
  groups: readonly NumberedGroup[],
): Promise<void> {
  if (groups.every(({ tests }) => tests.every(({ known }) => known !== null))) return
  const reported = new Set<string>()
  for (const { tests } of groups) for (const { known } of tests) if (known !== null) reported.add(known.id)
  for (const { tests, number } of groups)
    await adoptRenamedTests(tx, run, tests, { source: number, reported, finishedAt })
}

/** A time in the future counts as now. */
const toTestedAt = (finishedAt: Date | null, now: Date): Date =>
  finishedAt !== null && finishedAt < now ? finishedAt : now

/** Creates test cases for tests that need one, and links them. Returns the numbers of the test cases. */
async function createMissing(tx: Database, { run, createsTestCases, tests }: Upload): Promise<number[]> {
  const open = createsTestCases ? tests.all.filter(({ needsTestCase }) => needsTestCase) : []
  if (open.length === 0) return []
  const { caseNumbers, created } = await createCasesForTests(
    tx,
    run.project,
    open.map(({ test }) => test),
    { folderId: null, authorId: null },
  )
  for (const [index, test] of open.entries()) {
    test.caseNumbers = caseNumbers.slice(index, index + 1)
    test.source = 'key'
  }
  return created.map(({ number }) => number)
}
