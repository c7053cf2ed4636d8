import type { TestAttempt } from '@caseward/junit'

import { createYielder } from '../../platform/yielder.ts'

/**
 * A test of a report. Every `<testcase>` with the same classname and name is an attempt at it, unless their properties
 * name different test cases. Those are different tests (one function over a table of data, say), and a pass of one must
 * not hide a failure of another.
 */
export interface ReportedTest {
  classname: string
  name: string
  attempts: TestAttempt[]
}

/** `classname.name`, or the name alone without a class. */
export const getFullName = ({ classname, name }: { classname: string; name: string }): string =>
  classname === '' ? name : `${classname}.${name}`

/** The tests of one classname and name. */
interface SameNameTests {
  /** By the test cases that they name; `''` for a test that does not name any yet. */
  byCaseIds: Map<string, ReportedTest>
  last: ReportedTest
}

/** Groups attempts by test, in the order of the report. */
export async function groupAttempts(attempts: readonly TestAttempt[]): Promise<ReportedTest[]> {
  const tests: ReportedTest[] = []
  const yielder = createYielder()
  // Nearly every test has one attempt, so same-name tests are told apart only from the second attempt on.
  const byClass = new Map<string, Map<string, ReportedTest | SameNameTests>>()
  for (const attempt of attempts) {
    if (yielder.shouldYield()) await yielder.yield()
    const { classname, name } = attempt
    const byName = byClass.get(classname) ?? new Map<string, ReportedTest | SameNameTests>()
    if (byName.size === 0) byClass.set(classname, byName)
    const earlier = byName.get(name)
    const sameName = earlier !== undefined && 'attempts' in earlier ? groupSameName(earlier) : earlier
    const sameTest = sameName && findSameTest(sameName, getCaseIdsKey(attempt))
    if (sameName !== undefined && sameName !== earlier) byName.set(name, sameName)
    if (sameTest !== undefined) {
      sameTest.attempts.push(attempt)
      continue
    }
    const test = { classname, name, attempts: [attempt] }
    tests.push(test)
    if (sameName === undefined) byName.set(name, test)
    else sameName.byCaseIds.set(getCaseIdsKey(attempt), (sameName.last = test))
  }
  return tests
}

const getCaseIdsKey = ({ caseIds }: TestAttempt): string => caseIds.toSorted().join('\0')

const groupSameName = (test: ReportedTest): SameNameTests => ({
  byCaseIds: new Map(test.attempts.map((attempt) => [getCaseIdsKey(attempt), test])),
  last: test,
})

/** Finds the test of an attempt. Some tools write retries without ids: such an attempt belongs to the test before it. */
function findSameTest({ byCaseIds, last }: SameNameTests, caseIdsKey: string): ReportedTest | undefined {
  const withoutIds = byCaseIds.get('')
  if (caseIdsKey === '') return last
  if (withoutIds === undefined) return byCaseIds.get(caseIdsKey)
  byCaseIds.delete('')
  byCaseIds.set(caseIdsKey, withoutIds)
  return withoutIds
}
