import { BODY_LIMIT } from '@caseward/contract/endpoint'
import type { ResultItemError } from '@caseward/contract/results'
import { type CaseIdFinder, createCaseIdFinder } from '@caseward/matching/case-ids'
import { truncateNote, MAX_NOTE_LENGTH } from '@caseward/matching/note'
import { toWholeSeconds } from '@caseward/matching/outcome'

import type { ResultWrite } from '../results/result-write.ts'
import { createYielder, type Yielder } from '../../platform/yielder.ts'
import { combineTests, fullName, type TestWithOutcome, getTestOutcome, type ReportedTest } from './test-outcome.ts'

export interface MatchedTests {
  /** One for each case that any test bears on. */
  writes: ResultWrite[]
  /** Tests that lead to no case. */
  errors: ResultItemError[]
  /** Ids that tests carry as a property and that cannot be cases of this project. */
  unknownIds: string[]
}

/**
 * Characters of all notes together. A note goes to every case that its test names, so that a small report could grow
 * to gigabytes; one that any tool has written stays far below.
 */
const MAX_TOTAL_NOTE_LENGTH = 2 * BODY_LIMIT.upload

/** What bears on each case. Nearly every case has one test, which needs no list. */
type ByCase = Map<number, TestWithOutcome | TestWithOutcome[]>

/**
 * Finds the test cases that the tests of a report bear on. For each test the first that yields anything wins: its
 * properties, ids in its name, ids in its classname, an automation key equal to `classname.name`, then to `name`.
 * @param findKeys the case numbers of those automation keys that exist
 */
export async function matchTests(
  prefix: string,
  tests: readonly ReportedTest[],
  findKeys: (keys: string[]) => Promise<ReadonlyMap<string, number>>,
): Promise<MatchedTests> {
  const finder = createCaseIdFinder(prefix)
  const byCase: ByCase = new Map()
  const unknownIds = new Set<string>()
  const nameless: ReportedTest[] = []
  const turns = createYielder()
  for (const test of tests) {
    if (turns.shouldYield()) await turns.yield()
    const { numbers, unknown } = findCaseNumbers(test, finder)
    for (const id of unknown) unknownIds.add(id)
    if (numbers.length > 0) addOutcomeToCases(byCase, numbers, test)
    else if (unknown.length === 0) nameless.push(test)
  }
  const { found, errors } = await matchByKey(nameless, findKeys, turns)
  for (const [test, number] of found) {
    if (turns.shouldYield()) await turns.yield()
    addOutcomeToCases(byCase, [number], test)
  }
  return { writes: await toWrites(byCase, turns), errors, unknownIds: [...unknownIds] }
}

function addOutcomeToCases(byCase: ByCase, numbers: readonly number[], test: ReportedTest): void {
  const judged = { test, outcome: getTestOutcome(test) }
  for (const number of numbers) {
    const earlier = byCase.get(number)
    if (earlier === undefined) byCase.set(number, judged)
    else if (Array.isArray(earlier)) earlier.push(judged)
    else byCase.set(number, [earlier, judged])
  }
}

function findCaseNumbers(
  { attempts, name, classname }: ReportedTest,
  finder: CaseIdFinder,
): { numbers: number[]; unknown: string[] } {
  if (attempts.some((attempt) => attempt.caseIds.length > 0)) {
    const given = [...new Set(attempts.flatMap((attempt) => attempt.caseIds))]
    const numbers = new Set(given.map((id) => finder.parse(id)).filter((number) => number !== null))
    return { numbers: [...numbers], unknown: given.filter((id) => finder.parse(id) === null) }
  }
  const inName = finder.findAll(name)
  return { numbers: inName.length > 0 ? inName : finder.findAll(classname), unknown: [] }
}

async function matchByKey(
  tests: readonly ReportedTest[],
  findKeys: (keys: string[]) => Promise<ReadonlyMap<string, number>>,
  turns: Yielder,
): Promise<{ found: [ReportedTest, number][]; errors: ResultItemError[] }> {
  const candidates = new Set<string>()
  for (const test of tests) {
    if (turns.shouldYield()) await turns.yield()
    const { full, alone } = getAutomationKeys(test)
    candidates.add(full).add(alone)
  }
  const keys = candidates.size === 0 ? new Map<string, number>() : await findKeys([...candidates])
  const byNameAlone = await classesByNameAlone(tests, keys, turns)
  const found: [ReportedTest, number][] = []
  const errors: ResultItemError[] = []
  for (const test of tests) {
    if (turns.shouldYield()) await turns.yield()
    const { full, alone } = getAutomationKeys(test)
    const number = keys.get(full) ?? keys.get(alone)
    const classes = keys.has(full) ? 1 : (byNameAlone.get(alone)?.size ?? 1)
    if (number === undefined) errors.push(noTestCaseIdError(fullName(test)))
    else if (classes > 1) errors.push(ambiguousKeyError(fullName(test), alone, classes))
    else found.push([test, number])
  }
  return { found, errors }
}

/** For each automation key that is a test's name alone: the classes whose tests it would take in. */
async function classesByNameAlone(
  tests: readonly ReportedTest[],
  keys: ReadonlyMap<string, number>,
  turns: Yielder,
): Promise<Map<string, Set<string>>> {
  const classes = new Map<string, Set<string>>()
  if (keys.size === 0) return classes
  for (const test of tests) {
    if (turns.shouldYield()) await turns.yield()
    const { full, alone } = getAutomationKeys(test)
    if (keys.has(full) || !keys.has(alone)) continue
    const known = classes.get(alone)
    if (known === undefined) classes.set(alone, new Set([test.classname]))
    else known.add(test.classname)
  }
  return classes
}

/** The automation keys that may name a test's case. Keys are stored without blanks around them. */
const getAutomationKeys = (test: ReportedTest) => ({ full: fullName(test).trim(), alone: test.name.trim() })

const noTestCaseIdError = (name: string): ResultItemError => ({
  test_case_id: name,
  error: 'No test case id in its properties, name or class, and no automation key fits.',
  code: 'no_test_case_id',
})

const ambiguousKeyError = (full: string, name: string, classes: number): ResultItemError => ({
  test_case_id: full,
  error: `The automation key ${JSON.stringify(name)} fits tests of ${classes} classes. Use classname.name as the key, or put ids into the names.`,
  code: 'ambiguous',
})

async function toWrites(byCase: ByCase, turns: Yielder): Promise<ResultWrite[]> {
  const writes: ResultWrite[] = []
  let remainingLength = MAX_TOTAL_NOTE_LENGTH
  for (const [caseNumber, judged] of byCase) {
    if (turns.shouldYield()) await turns.yield()
    const { status, note, seconds } = Array.isArray(judged) ? combineTests(judged) : judged.outcome
    const kept = note === null ? null : truncateNote(note, Math.min(MAX_NOTE_LENGTH, remainingLength))
    remainingLength = Math.max(0, remainingLength - (kept?.length ?? 0))
    writes.push({
      caseNumber,
      status,
      note: kept,
      elapsed: toWholeSeconds(seconds),
    })
  }
  return writes
}
