import type { ResultItemError } from '@caseward/contract/results'
import { type CaseIdFinder, createCaseIdFinder, MAX_CASE_IDS } from '@caseward/matching/case-ids'
import { getFullKey } from '@caseward/matching/cases-for-tests'
import { findTestCaseNumbers } from '@caseward/matching/test-case-ids'

import type { Yielder } from '../../platform/yielder.ts'
import { notInRunError } from '../results/match-items.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'
import { matchByAutomationKey } from './match-by-automation-key.ts'
import type { MatchLookups } from './match-lookups.ts'
import type { UploadTest } from './upload-test.ts'

/**
 * Matches tests to test cases. For each test the first of these that yields anything wins: ids in its properties, its tags,
 * its name or its suite; its link; its automation keys. Ids that name no test case are errors, and leave the link alone; ids
 * of other tools are kept. With `createsTestCases`, a test without a file that may be one of several known tests is an error:
 * a test case for it would be a second one.
 * @returns the errors: ids that name no test case, ambiguous keys, and tests with too many ids
 */
export async function matchTests(
  prefix: string,
  tests: readonly UploadTest[],
  lookups: MatchLookups,
  yielder: Yielder,
  { createsTestCases = false }: { createsTestCases?: boolean } = {},
): Promise<ResultItemError[]> {
  const ids = await collectIds(tests, createCaseIdFinder(prefix), yielder)
  const existing = ids.numbers.size === 0 ? new Set<number>() : await lookups.findExistingCases([...ids.numbers])
  const unlinked: UploadTest[] = []
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const found = ids.byTest.get(test)
    const named = found?.filter((number) => existing.has(number)) ?? NONE
    const isNamed = named.length > 0
    test.caseNumbers = isNamed ? named : (test.known?.caseNumbers ?? NONE)
    test.source = isNamed ? 'id' : (test.known?.source ?? null)
    test.needsTestCase = false
    if (test.caseNumbers.length === 0 && found === undefined) unlinked.push(test)
  }
  const byKey = await matchByAutomationKey(unlinked, lookups, yielder)
  const doubts: ResultItemError[] = []
  for (const [index, test] of unlinked.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const caseNumber = byKey.caseNumbers[index] ?? null
    if (caseNumber === 'ambiguous') continue
    if (caseNumber === null || (createsTestCases && isCaseOfOtherTitles(test, caseNumber))) {
      test.needsTestCase = !test.isInDoubt
      if (createsTestCases && test.isInDoubt) doubts.push(ambiguousTestError(getFullKey(test.test)))
    } else {
      test.caseNumbers = [caseNumber]
      test.source = 'key'
    }
  }
  const unknown = [...ids.numbers].filter((number) => !existing.has(number))
  const unknownIds = unknown.map((number) => formatTestCaseId(prefix, number))
  return [...byKey.errors, ...doubts, ...ids.errors, ...unknownIds.map(notInRunError)]
}

/** Whether a test case is that of a known test whose titles differ from those of this test only in separators. */
const isCaseOfOtherTitles = ({ titlesByCase, titles }: UploadTest, caseNumber: number): boolean => {
  const others = titlesByCase?.get(caseNumber)
  return others !== undefined && others !== '' && others !== titles
}

const NONE: readonly number[] = []

interface CollectedIds {
  /** The numbers of the ids of each test that has any. */
  byTest: Map<UploadTest, readonly number[]>
  numbers: Set<number>
  errors: ResultItemError[]
}

async function collectIds(tests: readonly UploadTest[], finder: CaseIdFinder, yielder: Yielder): Promise<CollectedIds> {
  const ids: CollectedIds = { byTest: new Map(), numbers: new Set(), errors: [] }
  for (const uploadTest of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { test } = uploadTest
    const { numbers, foreignIds, hasTooMany } = findTestCaseNumbers(test, finder)
    uploadTest.foreignIds = foreignIds
    if (numbers.length > 0) ids.byTest.set(uploadTest, numbers)
    for (const number of numbers) ids.numbers.add(number)
    if (hasTooMany) ids.errors.push(tooManyIdsError(getFullKey(test)))
  }
  return ids
}

const ambiguousTestError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error:
    'Several known tests in different files have these titles, and the report does not name the file. No test case was created. Configure the reporter to write files, or add test case ids to the test names.',
  code: 'ambiguous',
})

const tooManyIdsError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error: `This test has more than ${MAX_CASE_IDS} test case ids. Only the first ${MAX_CASE_IDS} were used: divide the others among several tests.`,
  code: 'too_many_ids',
})
