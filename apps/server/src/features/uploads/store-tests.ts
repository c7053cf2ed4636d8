import type { PartialReceipt, UploadReceipt } from '@caseward/contract/uploads'
import type { ReportedTest } from '@caseward/matching/attempt'
import { getCaseIdentity, getFullKey } from '@caseward/matching/cases-for-tests'
import { getTestOutcome } from '@caseward/matching/test-outcome'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createYielder } from '../../platform/yielder.ts'
import { addResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { addCasesToLockedRun } from '../runs/add-test-cases.ts'
import { withOpenRun } from '../runs/with-open-run.ts'
import { selectCaseNumbersByKey, selectExistingCases } from '../test-cases/automation-keys.queries.ts'
import { createCasesForTests } from '../tests/create-cases.ts'
import { addCaseTest, type TestsByCase, toCaseTest, writeDerivedResults } from '../tests/derive-results.ts'
import { encodeAttempts, toWholeMs } from '../tests/encode-attempts.ts'
import { selectKnownTests } from '../tests/known-tests.queries.ts'
import { selectLinkedOutcomes } from '../tests/outcomes.queries.ts'
import { type OutcomeWrite, writeOutcomes } from '../tests/write-outcomes.ts'
import { addTitleKeys, identifyTests, type TitledTest } from './identify-tests.ts'
import { type MatchedTest, type MatchedTests, matchTests } from './match-tests.ts'
import { selectCasesNotInRun, selectRunState } from './run-state.queries.ts'
import { changesProject, type StoredTest, storeTestsAndLinks } from './store-links.ts'
import { storeSuiteErrors, type SuiteError } from './suite-errors.queries.ts'
import { toReceipt } from './tests-receipt.ts'

/** Up to this number of tests, the generic plan is faster than planning for the rows. */
const CUSTOM_PLAN_MIN_TESTS = 100

/** What an upload of tests contains. */
export interface TestsUpload {
  tests: readonly ReportedTest[]
  suiteErrors: readonly SuiteError[]
  /** '' if unknown. */
  shard: string
  /** Whether the errors outside of tests replace those of an earlier upload of the shard. */
  replacesSuiteErrors: boolean
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
  titled: readonly TitledTest[]
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
  { tests, ...upload }: TestsUpload,
  options: TestsUploadOptions,
): Promise<UploadReceipt | PartialReceipt> {
  const { db } = deps
  const titled = await addTitleKeys(tests, createYielder())
  const { adds_test_cases: addsByDefault } = await selectRunState(db, run.id)
  const context: Upload = { ...upload, ...options, run, titled, addsToRun: options.addsToRun ?? addsByDefault }
  let matched: MatchedTests | null = await match(db, context)
  const locksProject = !options.dryRun && (await addsSomething(db, context, matched.tests))
  // Released, because 250,000 tests take much memory.
  if (locksProject) matched = null
  return await withOpenRun(
    deps,
    run,
    async (tx, changes) => {
      // Another upload may have added the same tests before this one got the lock.
      const current = matched ?? (await match(tx, context))
      return options.dryRun
        ? await tryUpload(tx, context, current, changes)
        : await write(tx, context, current, changes)
    },
    { locksProject },
  )
}

async function match(db: Database, { run: { project }, titled }: Upload): Promise<MatchedTests> {
  const known = await selectKnownTests(db, project.id, new Set(titled.map(({ titleKey }) => titleKey)))
  const lookups = {
    findCaseNumbersByKey: (keys: readonly string[]) => selectCaseNumbersByKey(db, project.id, keys),
    findExistingCases: (numbers: readonly number[]) => selectExistingCases(db, project.id, numbers),
  }
  const yielder = createYielder()
  return await matchTests(project.prefix, await identifyTests(titled, known, yielder), lookups, yielder)
}

/** Whether an upload adds tests, links, test cases, or test cases to the run. */
async function addsSomething(db: Database, upload: Upload, tests: readonly MatchedTest[]): Promise<boolean> {
  const { createsTestCases, addsToRun, run } = upload
  if (tests.some(changesProject)) return true
  if (createsTestCases && tests.some(({ needsTestCase }) => needsTestCase)) return true
  return addsToRun && (await selectCasesNotInRun(db, run, collectCaseNumbers(tests))).length > 0
}

const collectCaseNumbers = (tests: readonly MatchedTest[]): number[] => [
  ...new Set(tests.flatMap(({ caseNumbers }) => caseNumbers)),
]

async function write(
  tx: Database,
  upload: Upload,
  { tests: matched, errors }: MatchedTests,
  changes: ResultChanges,
): Promise<UploadReceipt | PartialReceipt> {
  const { run, finishedAt, shard, suiteErrors, replacesSuiteErrors: replaces } = upload
  // A plan for few rows would read the others once for each.
  if (matched.length > CUSTOM_PLAN_MIN_TESTS) await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
  const { tests, createdNumbers } = await createMissing(tx, upload, matched)
  const created = createdNumbers.length
  const stored = await storeTestsAndLinks(tx, run.project, tests)
  const joining = upload.addsToRun ? collectCaseNumbers(stored) : createdNumbers
  const missing = joining.length === 0 ? [] : await selectCasesNotInRun(tx, run, joining)
  if (missing.length > 0) await addCasesToLockedRun(tx, run, missing)
  const { has_outcomes: hasOutcomes } = await selectRunState(tx, run.id)
  const { testedAt, newer } = await writeOutcomes(tx, run, stored, toOutcome, { finishedAt, hasOutcomes })
  addResultChanges(changes, new Date(), [])
  const written = stored.filter(({ id }) => !newer.has(id))
  const testsByCase = toTestsByCase(written, testedAt)
  if (hasOutcomes) {
    const writtenIds = written.map(({ id }) => id)
    for (const outcome of await selectLinkedOutcomes(tx, run, [...testsByCase.keys()], writtenIds)) {
      addCaseTest(testsByCase, outcome.case_number, toCaseTest(outcome))
    }
  }
  const results = await writeDerivedResults(tx, run, testsByCase, {
    keepsNewer: finishedAt !== null,
    dryRun: false,
    changes,
  })
  await storeSuiteErrors(tx, run, suiteErrors, { shard, replaces, finishedAt })
  for (const { id, caseNumbers } of stored) {
    const newerAt = newer.get(id)
    if (newerAt === undefined) continue
    for (const number of caseNumbers) if (!testsByCase.has(number)) results.newer.set(number, newerAt)
  }
  return toReceipt(
    { ...upload, prefix: run.project.prefix },
    { tests: stored, created, errors, caseCount: testsByCase.size, ...results },
  )
}

function toOutcome({ id, test, caseNumbers }: StoredTest): OutcomeWrite {
  const { status, isFlaky, elapsedMs } = getTestOutcome(test.attempts)
  return {
    testId: id,
    status,
    isFlaky,
    isMatched: caseNumbers.length > 0,
    elapsedMs: toWholeMs(elapsedMs),
    attemptCount: test.attempts.length,
    attempts: encodeAttempts(test.attempts),
  }
}

/** Returns the receipt of an upload without storing anything. */
async function tryUpload(
  tx: Database,
  upload: Upload,
  { tests, errors }: MatchedTests,
  changes: ResultChanges,
): Promise<UploadReceipt | PartialReceipt> {
  const { run, finishedAt, createsTestCases, addsToRun } = upload
  const covered = createsTestCases ? tests.filter(({ needsTestCase }) => needsTestCase) : []
  const created = new Set(covered.map(({ test }) => getCaseIdentity(test))).size
  const testsByCase = toTestsByCase(tests, finishedAt ?? new Date())
  const results = await writeDerivedResults(tx, run, testsByCase, {
    keepsNewer: finishedAt !== null,
    dryRun: true,
    changes,
  })
  if (addsToRun) results.missing.clear()
  const wouldMatch = tests.map((test) =>
    createsTestCases && test.needsTestCase ? { ...test, caseNumbers: [0] } : test,
  )
  return toReceipt(
    { ...upload, prefix: run.project.prefix },
    { tests: wouldMatch, created, errors, caseCount: testsByCase.size + created, ...results },
  )
}

async function createMissing(tx: Database, { run, createsTestCases }: Upload, tests: readonly MatchedTest[]) {
  const open = createsTestCases ? tests.filter(({ needsTestCase }) => needsTestCase) : []
  if (open.length === 0) return { tests, createdNumbers: [] }
  const { caseNumbers, created } = await createCasesForTests(
    tx,
    run.project,
    open.map(({ test }) => test),
    { folderId: null, authorId: null },
  )
  const numbers = new Map(open.map((test, index) => [test, caseNumbers[index]]))
  return {
    tests: tests.map((test): MatchedTest => {
      const number = numbers.get(test)
      return number === undefined ? test : Object.assign(test, { caseNumbers: [number], source: 'key' as const })
    }),
    createdNumbers: created.map(({ number }) => number),
  }
}

function toTestsByCase(tests: readonly MatchedTest[], testedAt: Date): TestsByCase {
  const testsByCase: TestsByCase = new Map()
  for (const { test, caseNumbers } of tests) {
    if (caseNumbers.length === 0) continue
    const caseTest = { name: getFullKey(test), attempts: test.attempts, testedAt }
    for (const number of caseNumbers) addCaseTest(testsByCase, number, caseTest)
  }
  return testsByCase
}
