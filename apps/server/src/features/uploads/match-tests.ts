import { BODY_LIMIT } from '@caseward/contract/endpoint'
import type { ResultItemError } from '@caseward/contract/results'
import { type CaseIdFinder, createCaseIdFinder, MAX_CASE_IDS } from '@caseward/matching/case-ids'
import { truncateNote, MAX_NOTE_LENGTH } from '@caseward/matching/note'
import { toWholeSeconds } from '@caseward/matching/outcome'

import type { FindCaseNumbersByKey } from '../results/match-items.ts'
import type { ResultWrite } from '../results/result-write.ts'
import { createYielder, type Yielder } from '../../platform/yielder.ts'
import { getFullName, type ReportedTest } from './group-attempts.ts'
import { matchByAutomationKey } from './match-by-automation-key.ts'
import { combineTests, type TestWithOutcome, getTestOutcome } from './test-outcome.ts'

export interface MatchedTests {
  /** One for each test case that any test matches. */
  writes: ResultWrite[]
  /** One for each test that matches no test case, or that names too many of them. */
  errors: ResultItemError[]
  /** Ids in the properties of tests that cannot be test cases of this project. */
  unknownIds: string[]
}

/**
 * Maximum number of characters of all notes together. A note goes to every test case that its test names, so a small
 * report could grow to gigabytes. Reports of real tools stay far below this limit.
 */
const MAX_TOTAL_NOTE_LENGTH = 2 * BODY_LIMIT.upload

/** The tests that match each test case, by case number. Nearly every test case has one test, which needs no list. */
type TestsByCase = Map<number, TestWithOutcome | TestWithOutcome[]>

/**
 * Matches the tests of a report to test cases. For each test the first of these that yields anything wins: its
 * properties, ids in its name, ids in its classname, an automation key equal to `classname.name`, one equal to `name`.
 */
export async function matchTests(
  prefix: string,
  tests: readonly ReportedTest[],
  findCaseNumbersByKey: FindCaseNumbersByKey,
): Promise<MatchedTests> {
  const finder = createCaseIdFinder(prefix)
  const testsByCase: TestsByCase = new Map()
  const unknownIds = new Set<string>()
  const testsWithoutId: ReportedTest[] = []
  const tooManyIds: ResultItemError[] = []
  const yielder = createYielder()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const ids = findCaseNumbers(test, finder)
    for (const id of ids.unknownIds) unknownIds.add(id)
    if (ids.hasTooMany) tooManyIds.push(tooManyIdsError(getFullName(test)))
    if (ids.caseNumbers.length > 0) addOutcomeToCases(testsByCase, ids.caseNumbers, test)
    else if (ids.unknownIds.length === 0) testsWithoutId.push(test)
  }
  const { matches, errors } = await matchByAutomationKey(testsWithoutId, findCaseNumbersByKey, yielder)
  for (const { test, caseNumber } of matches) {
    if (yielder.shouldYield()) await yielder.yield()
    addOutcomeToCases(testsByCase, [caseNumber], test)
  }
  return {
    writes: await toWrites(testsByCase, yielder),
    errors: [...errors, ...tooManyIds],
    unknownIds: [...unknownIds],
  }
}

const tooManyIdsError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error: `This test has more than ${MAX_CASE_IDS} test case ids. Only the first ${MAX_CASE_IDS} were used: divide the others among several tests.`,
  code: 'too_many_ids',
})

interface FoundIds {
  caseNumbers: number[]
  /** Ids in properties that cannot belong to the project. */
  unknownIds: string[]
  hasTooMany: boolean
}

/** Finds the test case ids of a test: at most {@link MAX_CASE_IDS}. */
function findCaseNumbers({ caseIds, name, classname }: ReportedTest, finder: CaseIdFinder): FoundIds {
  if (caseIds.length === 0) {
    const inName = finder.findAll(name)
    const numbers = inName.length > 0 ? inName : finder.findAll(classname)
    return { caseNumbers: numbers.slice(0, MAX_CASE_IDS), unknownIds: [], hasTooMany: numbers.length > MAX_CASE_IDS }
  }
  const caseNumbers = new Set<number>()
  const unknownIds: string[] = []
  for (const id of caseIds.slice(0, MAX_CASE_IDS)) {
    const number = finder.parse(id)
    if (number === null) unknownIds.push(id)
    else caseNumbers.add(number)
  }
  return { caseNumbers: [...caseNumbers], unknownIds, hasTooMany: caseIds.length > MAX_CASE_IDS }
}

function addOutcomeToCases(testsByCase: TestsByCase, caseNumbers: readonly number[], test: ReportedTest): void {
  const testWithOutcome = { test, outcome: getTestOutcome(test) }
  for (const caseNumber of caseNumbers) {
    const earlier = testsByCase.get(caseNumber)
    if (earlier === undefined) testsByCase.set(caseNumber, testWithOutcome)
    else if (Array.isArray(earlier)) earlier.push(testWithOutcome)
    else testsByCase.set(caseNumber, [earlier, testWithOutcome])
  }
}

async function toWrites(testsByCase: TestsByCase, yielder: Yielder): Promise<ResultWrite[]> {
  const writes: ResultWrite[] = []
  let remainingLength = MAX_TOTAL_NOTE_LENGTH
  for (const [caseNumber, tests] of testsByCase) {
    if (yielder.shouldYield()) await yielder.yield()
    const { status, note: fullNote, seconds } = Array.isArray(tests) ? combineTests(tests) : tests.outcome
    const note = fullNote === null ? null : truncateNote(fullNote, Math.min(MAX_NOTE_LENGTH, remainingLength))
    remainingLength = Math.max(0, remainingLength - (note?.length ?? 0))
    writes.push({ caseNumber, status, note, elapsed: toWholeSeconds(seconds) })
  }
  return writes
}
