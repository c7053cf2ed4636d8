import type { ResultItemError } from '@caseward/contract/results'
import { type CaseIdFinder, createCaseIdFinder, MAX_CASE_IDS } from '@caseward/matching/case-ids'
import { getFullKey } from '@caseward/matching/cases-for-tests'
import { findTestCaseNumbers } from '@caseward/matching/test-case-ids'

import type { Yielder } from '../../platform/yielder.ts'
import { notInRunError, type FindCaseNumbersByKey } from '../results/match-items.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import type { LinkSource } from '../tests/known-tests.queries.ts'
import type { IdentifiedTest } from './identify-tests.ts'
import { matchByAutomationKey } from './match-by-automation-key.ts'

/** The test cases that a test is linked to. */
interface Match {
  /** None: the test is unmatched. */
  caseNumbers: readonly number[]
  source: LinkSource | null
  /** Whether a test case may be created: the test is unmatched, names no id and is not ambiguous. */
  needsTestCase: boolean
}

/** A test of an upload with the test cases that it is linked to. */
export type MatchedTest = IdentifiedTest & Match

export interface MatchedTests {
  tests: readonly MatchedTest[]
  /** Ids that name no test case, ambiguous keys, and tests with too many ids. */
  errors: ResultItemError[]
}

/** What matching looks up in the database. */
export interface MatchLookups {
  findCaseNumbersByKey: FindCaseNumbersByKey
  /** Returns those of the numbers that are test cases of the project. */
  findExistingCases: (numbers: readonly number[]) => Promise<ReadonlySet<number>>
}

/**
 * Matches tests to test cases. For each test the first of these that yields anything wins: ids in its properties, its tags,
 * its name or its suite; its link; its automation keys. Ids that name no test case are errors, and leave the link alone. The
 * tests themselves receive the fields: copies of 250,000 tests would take too much memory.
 */
export async function matchTests(
  prefix: string,
  tests: readonly IdentifiedTest[],
  lookups: MatchLookups,
  yielder: Yielder,
): Promise<MatchedTests> {
  const ids = await collectIds(tests, createCaseIdFinder(prefix), yielder)
  const existing = ids.numbers.size === 0 ? new Set<number>() : await lookups.findExistingCases([...ids.numbers])
  const unlinked: number[] = []
  const match = (test: IdentifiedTest, index: number): Match => {
    const found = ids.byTest.get(index)
    if (found !== undefined) {
      const caseNumbers = found.filter((number) => existing.has(number))
      if (caseNumbers.length > 0) return { caseNumbers, source: 'id', needsTestCase: false }
    }
    const { caseNumbers = [], source = null } = test.known ?? {}
    if (caseNumbers.length === 0 && found === undefined) unlinked.push(index)
    return { caseNumbers, source, needsTestCase: false }
  }
  for (const [index, test] of tests.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    Object.assign(test, match(test, index))
  }
  const matched = tests as readonly MatchedTest[]
  const byKey = await matchByAutomationKey(
    unlinked.map((index) => tests[index]?.test).filter((test) => test !== undefined),
    lookups.findCaseNumbersByKey,
    yielder,
  )
  for (const [position, caseNumber] of byKey.caseNumbers.entries()) {
    const index = unlinked[position]
    const test = index === undefined ? undefined : matched[index]
    if (test === undefined || caseNumber === 'ambiguous') continue
    if (caseNumber === null) test.needsTestCase = true
    else Object.assign(test, { caseNumbers: [caseNumber], source: 'key' })
  }
  const unknown = [...ids.numbers].filter((number) => !existing.has(number))
  const unknownIds = new Set([...ids.unknownIds, ...unknown.map((number) => formatTestCaseId(prefix, number))])
  return { tests: matched, errors: [...byKey.errors, ...ids.errors, ...[...unknownIds].map(notInRunError)] }
}

interface CollectedIds {
  /** The numbers of the ids of each test that has any, by index; none if all are of another project. */
  byTest: Map<number, readonly number[]>
  numbers: Set<number>
  unknownIds: Set<string>
  errors: ResultItemError[]
}

async function collectIds(
  tests: readonly IdentifiedTest[],
  finder: CaseIdFinder,
  yielder: Yielder,
): Promise<CollectedIds> {
  const ids: CollectedIds = { byTest: new Map(), numbers: new Set(), unknownIds: new Set(), errors: [] }
  for (const [index, { test }] of tests.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const { numbers, unknownIds, hasTooMany } = findTestCaseNumbers(test, finder)
    if (numbers.length + unknownIds.length > 0) ids.byTest.set(index, numbers)
    for (const number of numbers) ids.numbers.add(number)
    for (const id of unknownIds) ids.unknownIds.add(id)
    if (hasTooMany) ids.errors.push(tooManyIdsError(getFullKey(test)))
  }
  return ids
}

const tooManyIdsError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error: `This test has more than ${MAX_CASE_IDS} test case ids. Only the first ${MAX_CASE_IDS} were used: divide the others among several tests.`,
  code: 'too_many_ids',
})
