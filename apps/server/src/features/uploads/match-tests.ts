import { BODY_LIMIT } from '@caseward/contract/endpoint'
import type { ResultItemError } from '@caseward/contract/results'
import { type CaseIdFinder, createCaseIdFinder } from '@caseward/matching/case-ids'
import { truncateNote, MAX_NOTE_LENGTH } from '@caseward/matching/note'
import { toWholeSeconds } from '@caseward/matching/outcome'

import type { FindCaseNumbersByKey } from '../results/match-items.ts'
import type { ResultWrite } from '../results/result-write.ts'
import { createYielder, type Yielder } from '../../platform/yielder.ts'
import type { ReportedTest } from './group-attempts.ts'
import { matchByAutomationKey } from './match-by-automation-key.ts'
import { combineTests, type TestWithOutcome, getTestOutcome } from './test-outcome.ts'

export interface MatchedTests {
  /** One for each test case that any test matches. */
  writes: ResultWrite[]
  /** One for each test that matches no test case. */
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
  const yielder = createYielder()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const ids = findCaseNumbers(test, finder)
    for (const id of ids.unknownIds) unknownIds.add(id)
    if (ids.caseNumbers.length > 0) addOutcomeToCases(testsByCase, ids.caseNumbers, test)
    else if (ids.unknownIds.length === 0) testsWithoutId.push(test)
  }
  const { matches, errors } = await matchByAutomationKey(testsWithoutId, findCaseNumbersByKey, yielder)
  for (const { test, caseNumber } of matches) {
    if (yielder.shouldYield()) await yielder.yield()
    addOutcomeToCases(testsByCase, [caseNumber], test)
  }
  return { writes: await toWrites(testsByCase, yielder), errors, unknownIds: [...unknownIds] }
}

function findCaseNumbers(
  { attempts, name, classname }: ReportedTest,
  finder: CaseIdFinder,
): { caseNumbers: number[]; unknownIds: string[] } {
  if (attempts.some((attempt) => attempt.caseIds.length > 0)) {
    const ids = [...new Set(attempts.flatMap((attempt) => attempt.caseIds))]
    const caseNumbers = new Set(ids.map((id) => finder.parse(id)).filter((number) => number !== null))
    return { caseNumbers: [...caseNumbers], unknownIds: ids.filter((id) => finder.parse(id) === null) }
  }
  const inName = finder.findAll(name)
  return { caseNumbers: inName.length > 0 ? inName : finder.findAll(classname), unknownIds: [] }
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
