import type { ReportedTest } from '@caseward/matching/attempt'

import { hasDuplicates } from '../../platform/has-duplicates.ts'
import { addToGroup, type OneOrMore } from '../../platform/one-or-more.ts'
import { createYielder } from '../../platform/yielder.ts'
import type { CombinedOutcome } from '../tests/combine-parts.ts'
import type { CaseTest, TestsOfCase } from '../tests/derive-results.ts'
import type { UploadTest } from './upload-test.ts'

/** Groups the tests of an upload by their test cases. */
export async function groupByCase(tests: readonly UploadTest[], testedAt: Date): Promise<readonly TestsOfCase[]> {
  const pairs: [number, CaseTest][] = []
  const yielder = createYielder()
  for (const { test, caseNumbers, combined } of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    if (caseNumbers.length === 0) continue
    const caseTest: CaseTest =
      combined === null ? { test, testedAt, variant: test.variant } : toCombinedTest(test, combined)
    for (const number of caseNumbers) pairs.push([number, caseTest])
  }
  return hasDuplicates(pairs.map(([number]) => number)) ? joinSameCases(pairs) : pairs
}

function joinSameCases(pairs: readonly (readonly [number, CaseTest])[]): TestsOfCase[] {
  const testsByCase = new Map<number, OneOrMore<CaseTest>>()
  for (const [number, test] of pairs) addToGroup(testsByCase, number, test)
  return [...testsByCase]
}

const toCombinedTest = (test: ReportedTest, { status, attempts, testedAt }: CombinedOutcome): CaseTest => ({
  test: { suite: test.suite, name: test.name, status, attempts },
  testedAt: new Date(testedAt),
  variant: test.variant,
})
