import type { TestAttempt } from '@caseward/junit'

import { createYielder } from '../../platform/yielder.ts'

/**
 * A test of a report. Every `<testcase>` with the same classname and name in the same suite is an attempt at it, unless
 * their properties name different test cases. Those are different tests (one function over a table of data, say). So are
 * tests in different suites (another browser, file or describe block). A pass of one must not hide a failure of another.
 */
export interface ReportedTest {
  classname: string
  name: string
  /** The test case ids in the properties of all attempts that have any. */
  caseIds: readonly string[]
  attempts: TestAttempt[]
}

/** `classname.name`, or the name alone without a class. */
export const getFullName = ({ classname, name }: { classname: string; name: string }): string =>
  classname === '' ? name : `${classname}.${name}`

/** The tests of one classname and name. */
interface SameNameTests {
  lastBySuite: Map<number, ReportedTest>
  /** Tests with ids in their properties, by suite and ids. */
  byCaseIds: Map<string, ReportedTest>
}

/** Groups attempts by test, in the order of the report. */
export async function groupAttempts(attempts: readonly TestAttempt[]): Promise<ReportedTest[]> {
  const tests: ReportedTest[] = []
  const yielder = createYielder()
  // Nearly every test has one attempt, so same-name tests are told apart only from the second attempt on.
  const byClass = new Map<string, Map<string, ReportedTest | SameNameTests>>()
  for (const attempt of attempts) {
    if (yielder.shouldYield()) await yielder.yield()
    const { classname, name, caseIds } = attempt
    const byName = byClass.get(classname) ?? new Map<string, ReportedTest | SameNameTests>()
    if (byName.size === 0) byClass.set(classname, byName)
    const earlier = byName.get(name)
    const sameName = earlier !== undefined && 'attempts' in earlier ? toSameNameTests(earlier) : earlier
    const sameTest = sameName && findTest(sameName, attempt)
    const test = sameTest ?? { classname, name, caseIds, attempts: [] }
    const hasNewIds = test.caseIds.length === 0 && caseIds.length > 0
    test.attempts.push(attempt)
    if (hasNewIds) test.caseIds = caseIds
    if (sameTest === undefined) tests.push(test)
    if (sameName !== undefined && (sameTest === undefined || hasNewIds)) addTest(sameName, test, attempt.suite)
    if (earlier === undefined || sameName !== earlier) byName.set(name, sameName ?? test)
  }
  return tests
}

function toSameNameTests(test: ReportedTest): SameNameTests {
  const sameName: SameNameTests = { lastBySuite: new Map(), byCaseIds: new Map() }
  for (const { suite } of test.attempts) addTest(sameName, test, suite)
  return sameName
}

function addTest({ lastBySuite, byCaseIds }: SameNameTests, test: ReportedTest, suite: number): void {
  lastBySuite.set(suite, test)
  if (test.caseIds.length > 0) byCaseIds.set(getKey(suite, test.caseIds), test)
}

/**
 * Finds the test of an attempt in the same suite. Some tools write retries without ids: such an attempt belongs to the
 * test before it, whichever of the two has the ids.
 */
function findTest({ lastBySuite, byCaseIds }: SameNameTests, { suite, caseIds }: TestAttempt) {
  const last = lastBySuite.get(suite)
  return caseIds.length === 0 || last?.caseIds.length === 0 ? last : byCaseIds.get(getKey(suite, caseIds))
}

const getKey = (suite: number, caseIds: readonly string[]): string => `${suite}\0${caseIds.toSorted().join('\0')}`
