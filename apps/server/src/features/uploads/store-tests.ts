import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import type { ResultItemError } from '@caseward/contract/results'
import type { ReportedTest } from '@caseward/matching/attempt'
import { getCaseIdentity } from '@caseward/matching/cases-for-tests'
import { getTestOutcome } from '@caseward/matching/test-outcome'
import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { planForParameters } from '../../platform/database/plans.ts'
import { addToGroup } from '../../platform/one-or-more.ts'
import { createYielder } from '../../platform/yielder.ts'
import { addResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { addCasesToLockedRun } from '../runs/add-test-cases.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { selectCaseNumbersByKey, selectExistingCases } from '../test-cases/automation-keys.queries.ts'
import { createCasesForTests } from '../tests/create-cases.ts'
import { type CombinedOutcome, combineParts, type Source } from '../tests/combine-parts.ts'
import { addStoredOutcomes, type CaseTest, type TestsByCase, writeDerivedResults } from '../tests/derive-results.ts'
import { encodeAttempts, toWholeMs } from '../tests/encode-attempts.ts'
import { selectKnownTests, selectLinkedTests, selectTestNames } from '../tests/known-tests.queries.ts'
import { countUnmatched, selectLinkedOutcomes, selectTestsWithOutcome } from '../tests/outcomes.queries.ts'
import { recordUploads } from '../tests/run-uploads.queries.ts'
import { FIRST_SOURCE, type OutcomeWrite, writeOutcomes, type WrittenOutcomes } from '../tests/write-outcomes.ts'
import { adoptRenamedTests } from './adopt-renamed-tests.ts'
import { combineWithStored, toPart } from './combine-with-stored.ts'
import { dropUnreported } from './drop-unreported.ts'
import { groupBySource, type SourceGroup } from './group-by-source.ts'
import { identifyTests } from './identify-tests.ts'
import { matchTests } from './match-tests.ts'
import type { ReportNotes } from './read-reports.ts'
import { readTitles, type UploadTests } from './read-titles.ts'
import { selectCasesNotInRun, selectRunState } from './run-state.queries.ts'
import { changesProject, storeTestsAndLinks } from './store-links.ts'
import { storeSuiteErrors } from './store-suite-errors.ts'
import type { SuiteError } from './suite-errors.queries.ts'
import { toReceipt } from './tests-receipt.ts'
import type { UploadTest } from './upload-test.ts'

/** Up to this number of tests, the generic plan is faster than planning for the rows. */
const PLAN_MIN_TESTS = 100

/** What an upload of tests contains. */
export interface TestsUpload {
  tests: readonly ReportedTest[]
  suiteErrors: readonly SuiteError[]
  /** What in CI ran the tests. Each report file of the upload is a source of its own. */
  source: Source
  /** Whether the errors outside of tests replace those of an earlier upload of the shard. */
  replacesSuiteErrors: boolean
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
interface Upload extends Omit<TestsUpload, 'tests'>, Omit<TestsUploadOptions, 'addsToRun'> {
  run: RunRef
  addsToRun: boolean
  tests: UploadTests
}

/**
 * Stores the outcomes of tests, derives the results of their test cases, and returns the receipt. One transaction; a dry run
 * only returns the receipt. The project is locked only if something is added to it, so that the shards of a build that is
 * known upload at the same time as those of others.
 * @throws {Problem} 404 when the run is gone; 409 when it is completed
 */
export async function storeTests(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  { tests, ...rest }: TestsUpload,
  options: TestsUploadOptions,
): Promise<UploadReceipt | PartialReceipt> {
  const { adds_test_cases: addsByDefault, has_outcomes: hasOutcomes } = await selectRunState(deps.db, run.id)
  const counted = await dropUnreported(tests, {
    hasOutcomes,
    identify: async (all) => {
      const titles = await readTitles(all, createYielder())
      await identify(deps.db, { run, tests: titles })
      return titles
    },
    selectReported: (ids) => selectTestsWithOutcome(deps.db, run, ids),
  })
  const upload: Upload = {
    ...rest,
    ...options,
    run,
    addsToRun: options.addsToRun ?? addsByDefault,
    tests: await readTitles(counted, createYielder()),
  }
  combineReports(upload)
  await identify(deps.db, upload)
  // New tests are matched under the lock.
  const errors = options.dryRun || !upload.tests.all.some(isNew) ? await match(deps.db, upload) : null
  const locksProject = !options.dryRun && (errors === null || (await addsSomething(deps.db, upload)))
  const store = async (tx: Database, changes: ResultChanges, isReopened: boolean) => {
    // Another upload may have added the same tests before this one got the lock.
    if (locksProject) await identify(tx, upload)
    const current = locksProject || errors === null ? await match(tx, upload) : errors
    if (options.dryRun) return await tryUpload(tx, upload, current, changes)
    const { receipt, hasStored } = await write(tx, upload, current, changes)
    if (isReopened && !hasStored) throw new NothingStored(receipt)
    return isReopened ? { ...receipt, reopened: true as const } : receipt
  }
  try {
    return await withOpenRun(deps, run, store, { locksProject, reopens: !options.dryRun })
  } catch (error) {
    if (error instanceof NothingStored) return error.receipt
    throw error
  }
}

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

/** Finds the tests of the project that the tests of an upload are. */
async function identify(db: Database, { run: { project }, tests }: Pick<Upload, 'run' | 'tests'>): Promise<void> {
  const keys =
    tests.formerKeys.size === 0 ? tests.byTitle.keys() : new Set([...tests.byTitle.keys(), ...tests.formerKeys])
  const known = await selectKnownTests(db, project.id, keys)
  const selectNames = (ids: readonly string[]) => selectTestNames(db, project.id, ids)
  await identifyTests(tests, known, selectNames, createYielder())
}

/** Finds the test cases that the tests of an upload belong to. Returns the errors. */
async function match(db: Database, { run: { project }, tests, createsTestCases }: Upload): Promise<ResultItemError[]> {
  const lookups = {
    findCaseNumbersByKey: (keys: readonly string[]) => selectCaseNumbersByKey(db, project.id, keys),
    findExistingCases: (numbers: readonly number[]) => selectExistingCases(db, project.id, numbers),
    findLinkedTests: (numbers: readonly number[]) => selectLinkedTests(db, project.id, numbers),
  }
  const errors = await matchTests(project.prefix, tests.all, lookups, createYielder(), { createsTestCases })
  await readForeignIds(db, project.id, tests.all)
  return errors
}

/** Reads which ids of other tools are stored, for the tests that have some. */
async function readForeignIds(db: Database, projectId: string, tests: readonly UploadTest[]): Promise<void> {
  const withIds = tests.filter(({ known, foreignIds }) => known !== null && foreignIds.length > 0)
  if (withIds.length === 0) return
  const stored = await selectTestNames(
    db,
    projectId,
    withIds.flatMap(({ known }) => known?.id ?? []),
  )
  const idsByTest = new Map(stored.map(({ id, foreign_ids: ids }) => [id, ids ?? []]))
  for (const { known } of withIds) if (known !== null) known.foreignIds = idsByTest.get(known.id)
}

/** Whether an upload adds tests, links, test cases, or test cases to the run. */
async function addsSomething(db: Database, { createsTestCases, addsToRun, run, tests }: Upload): Promise<boolean> {
  const yielder = createYielder()
  for (const test of tests.all) {
    if (yielder.shouldYield()) await yielder.yield()
    if (changesProject(test) || (createsTestCases && test.needsTestCase)) return true
  }
  return addsToRun && (await selectCasesNotInRun(db, run, collectCaseNumbers(tests.all))).length > 0
}

function collectCaseNumbers(tests: readonly UploadTest[]): number[] {
  const numbers = new Set<number>()
  for (const { caseNumbers } of tests) for (const number of caseNumbers) numbers.add(number)
  return [...numbers]
}

async function write(
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
  const { sources, isOnlySource, at } = await recordUploads(tx, run, groups, finishedAt)
  const numbered = groups.map((group, index) => ({ ...group, number: sources[index] ?? FIRST_SOURCE }))
  await adoptRenamed(tx, run, numbered)
  const createdNumbers = await createMissing(tx, upload)
  await storeTestsAndLinks(tx, run.project, tests)
  const joining = upload.addsToRun ? collectCaseNumbers(tests) : createdNumbers
  const missing = joining.length === 0 ? [] : await selectCasesNotInRun(tx, run, joining)
  if (missing.length > 0) await addCasesToLockedRun(tx, run, missing)
  if (!state.counts_unmatched) await countUnmatched(tx, run)
  if (tests.length > PLAN_MIN_TESTS) await planForParameters(tx)
  const { testedAt, newer, executed } = isOnlySource
    ? await writeOutcomes(tx, run, tests, toOutcome, { finishedAt, hasOutcomes, hasSources: false })
    : await writeBesideOthers(tx, upload, numbered, { hasOutcomes, testedAt: toTestedAt(finishedAt, at) })
  addResultChanges(changes, new Date(), [])
  const isKept = newer.size + executed.size > 0
  const written = isKept ? tests.filter(({ id }) => !newer.has(id) && !executed.has(id)) : tests
  const testsByCase = await groupByCase(written, testedAt)
  if (hasOutcomes) {
    const writtenIds = written.map(({ id }) => id)
    addStoredOutcomes(testsByCase, await selectLinkedOutcomes(tx, run, [...testsByCase.keys()], writtenIds))
  }
  const results = await writeDerivedResults(tx, run, testsByCase, {
    keepsNewer: finishedAt !== null,
    dryRun: false,
    changes,
  })
  await storeSuiteErrors(tx, run, numbered, { replaces, finishedAt, hasErrors })
  for (const { id, caseNumbers } of tests) {
    const newerAt = newer.get(id)
    if (newerAt === undefined) continue
    for (const number of caseNumbers) if (!testsByCase.has(number)) results.newer.set(number, newerAt)
  }
  const receipt = toReceipt(
    { ...upload, prefix: run.project.prefix },
    { tests, created: createdNumbers.length, errors, caseCount: testsByCase.size, ...results },
  )
  // Errors outside of tests are as old as the tests of their upload.
  return { receipt, hasStored: tests.length === 0 || written.length > 0 }
}

async function adoptRenamed(tx: Database, run: RunRef, groups: readonly NumberedGroup[]): Promise<void> {
  const reported = new Set<string>()
  for (const { tests } of groups) for (const { known } of tests) if (known !== null) reported.add(known.id)
  for (const { tests, number } of groups) await adoptRenamedTests(tx, run, tests, { source: number, reported })
}

/** A time in the future counts as now. */
const toTestedAt = (finishedAt: Date | null, now: Date): Date =>
  finishedAt !== null && finishedAt < now ? finishedAt : now

/** A source of an upload with its number in the run. */
type NumberedGroup = SourceGroup & { number: number }

/** Writes the outcomes of an upload into a run that has several sources, combined with what the others reported. */
async function writeBesideOthers(
  tx: Database,
  { run, finishedAt, tests: { all: tests } }: Upload,
  groups: readonly NumberedGroup[],
  { hasOutcomes, testedAt }: { hasOutcomes: boolean; testedAt: Date },
): Promise<WrittenOutcomes> {
  for (const group of groups) for (const test of group.tests) test.sourceNumber = group.number
  const numberByReport = new Map(groups.map(({ source, number }) => [source.report, number]))
  const getNumber = (report = '') => numberByReport.get(report) ?? FIRST_SOURCE
  const kept =
    hasOutcomes || tests.some(({ repeats }) => repeats.length > 0)
      ? await combineWithStored(tx, run, tests, { testedAt, keepsNewer: finishedAt !== null, getNumber })
      : { newer: new Map<string, Date>(), executed: new Set<string>() }
  const changed = tests.filter(({ id }) => !kept.newer.has(id) && !kept.executed.has(id))
  const toWrite = (test: UploadTest) => ({ ...toOutcome(test), testedAt: toTestTime(test, testedAt) })
  await writeOutcomes(tx, run, changed, toWrite, { finishedAt, hasOutcomes, hasSources: true })
  return { ...kept, testedAt }
}

const toTestTime = ({ combined }: UploadTest, testedAt: Date): Date =>
  combined === null ? testedAt : new Date(combined.testedAt)

function toOutcome({ id, test, caseNumbers, sourceNumber, combined }: UploadTest): OutcomeWrite {
  const attempts = combined?.attempts ?? test.attempts
  const { status, isFlaky, elapsedMs } = getTestOutcome(attempts)
  return {
    testId: id,
    status: combined?.status ?? status,
    isFlaky: combined?.isFlaky ?? isFlaky,
    isMatched: caseNumbers.length > 0,
    elapsedMs: toWholeMs(elapsedMs),
    attemptCount: attempts.length,
    attempts: encodeAttempts(attempts),
    source: sourceNumber,
    testedAt: null,
  }
}

/** Returns the receipt of an upload without storing anything. */
async function tryUpload(
  tx: Database,
  upload: Upload,
  errors: readonly ResultItemError[],
  changes: ResultChanges,
): Promise<UploadReceipt | PartialReceipt> {
  const { run, finishedAt, createsTestCases, addsToRun } = upload
  const tests = upload.tests.all
  const testsByCase = await groupByCase(tests, finishedAt ?? new Date())
  const results = await writeDerivedResults(tx, run, testsByCase, {
    keepsNewer: finishedAt !== null,
    dryRun: true,
    changes,
  })
  if (addsToRun) results.missing.clear()
  const covered = createsTestCases ? tests.filter(({ needsTestCase }) => needsTestCase) : []
  const created = new Set(covered.map(({ test }) => getCaseIdentity(test))).size
  // They would match.
  for (const test of covered) test.caseNumbers = [0]
  return toReceipt(
    { ...upload, prefix: run.project.prefix },
    { tests, created, errors, caseCount: testsByCase.size + created, ...results },
  )
}

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

async function groupByCase(tests: readonly UploadTest[], testedAt: Date): Promise<TestsByCase> {
  const testsByCase: TestsByCase = new Map()
  const yielder = createYielder()
  for (const { test, caseNumbers, combined } of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    if (caseNumbers.length === 0) continue
    const caseTest = combined === null ? { test, testedAt } : toCombinedTest(test, combined)
    for (const number of caseNumbers) addToGroup(testsByCase, number, caseTest)
  }
  return testsByCase
}

const toCombinedTest = (test: ReportedTest, { status, attempts, testedAt }: CombinedOutcome): CaseTest => ({
  test: { suite: test.suite, name: test.name, status, attempts },
  testedAt: new Date(testedAt),
})
