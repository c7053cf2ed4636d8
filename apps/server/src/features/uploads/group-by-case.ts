import type { ReportedTest } from '@caseward/matching/attempt'

import { addToGroup } from '../../platform/one-or-more.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { CombinedOutcome } from '../tests/combine-parts.ts'
import type { CaseTest, TestsByCase } from '../tests/derive-results.ts'
import type { UploadTest } from './upload-test.ts'

/** Groups the tests of an upload by their test cases. */
export async function groupByCase(tests: readonly UploadTest[], testedAt: Date): Promise<TestsByCase> {
  const testsByCase: TestsByCase = new Map()
  const yielder = createYielder()
  for (const { test, caseNumbers, combined } of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    if (caseNumbers.length === 0) continue
    const caseTest: CaseTest =
      combined === null ? { test, testedAt, variant: test.variant } : toCombinedTest(test, combined)
    for (const number of caseNumbers) addToGroup(testsByCase, number, caseTest)
  }
  return testsByCase
}

const toCombinedTest = (test: ReportedTest, { status, attempts, testedAt }: CombinedOutcome): CaseTest => ({
  test: { suite: test.suite, name: test.name, status, attempts },
  testedAt: new Date(testedAt),
  variant: test.variant,
})
