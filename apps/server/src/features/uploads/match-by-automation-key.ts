import type { ResultItemError } from '@caseward/contract/results'
import { getAutomationKeyCandidates } from '@caseward/matching/automation-keys'
import { getFullKey } from '@caseward/matching/cases-for-tests'
import { agreeOnFile, getPathInModule } from '@caseward/matching/test-identity'

import type { Yielder } from '../../platform/yielder.ts'
import type { LinkedTest } from '../tests/known-tests.queries.ts'
import type { MatchLookups } from './match-lookups.ts'
import type { UploadTest } from './upload-test.ts'

/** For fewer, looking up their keys costs less than another statement. */
const MANY_TESTS = 200

/**
 * Matches tests to test cases by their automation keys: suite and name first, the name alone last. A key that is the name
 * alone must not match tests of several files or suites: those are errors. The variants of a test share a test case, and so
 * do tests that differ only in their module.
 * @returns the number of the test case of each test; null without one
 */
export async function matchByAutomationKey(
  tests: readonly UploadTest[],
  {
    hasAutomationKeys,
    findCaseNumbersByKey,
    findLinkedTests,
  }: Pick<MatchLookups, 'hasAutomationKeys' | 'findCaseNumbersByKey' | 'findLinkedTests'>,
  yielder: Yielder,
): Promise<{ caseNumbers: (number | null | 'ambiguous')[]; errors: ResultItemError[] }> {
  const none = { caseNumbers: tests.map(() => null), errors: [] }
  // The keys of thousands of tests are not worth their time in a project that has none.
  if (tests.length === 0 || (tests.length >= MANY_TESTS && !(await hasAutomationKeys()))) return none
  const candidates: { full: readonly string[]; name: string }[] = []
  const keys = new Set<string>()
  for (const { test } of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const testKeys = getAutomationKeyCandidates(test)
    candidates.push(testKeys)
    for (const key of testKeys.full) keys.add(key)
    keys.add(testKeys.name)
  }
  const caseNumbersByKey = keys.size === 0 ? new Map<string, number>() : await findCaseNumbersByKey([...keys])
  if (caseNumbersByKey.size === 0) return none
  const findByFullKey = (full: readonly string[]): number | undefined => {
    const key = full.find((candidate) => caseNumbersByKey.has(candidate))
    return key === undefined ? undefined : caseNumbersByKey.get(key)
  }
  const suitesByName = new Map<string, Set<string>>()
  const numbersByName = new Set<number>()
  for (const [index, { full, name }] of candidates.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    const test = tests[index]?.test
    const number = caseNumbersByKey.get(name)
    if (test === undefined || number === undefined || findByFullKey(full) !== undefined) continue
    numbersByName.add(number)
    const suites = suitesByName.get(name) ?? new Set<string>()
    if (suites.size === 0) suitesByName.set(name, suites)
    // Suites around a class, such as those of two browsers, are variants of its tests.
    const path = getPathInModule(test)
    suites.add(`${path}\0${test.classname ?? (test.suite === test.file ? path : test.suite)}`)
  }
  // Other tests may have the name from earlier uploads, such as those of other shards.
  const linkedByCase = new Map<number, LinkedTest[]>()
  for (const linked of numbersByName.size === 0 ? [] : await findLinkedTests([...numbersByName])) {
    const earlier = linkedByCase.get(linked.case_number)
    if (earlier === undefined) linkedByCase.set(linked.case_number, [linked])
    else earlier.push(linked)
  }
  const errors = new Map<string, ResultItemError>()
  const findCase = ({ full, name }: (typeof candidates)[number], index: number): number | null | 'ambiguous' => {
    const number = findByFullKey(full)
    if (number !== undefined) return number
    const byName = caseNumbersByKey.get(name) ?? null
    const test = tests[index]
    if (byName === null || test === undefined) return byName
    const suiteCount = suitesByName.get(name)?.size ?? 0
    const isTaken = linkedByCase.get(byName)?.some((linked) => isOtherTest(test, linked)) ?? false
    if (suiteCount <= 1 && !isTaken) return byName
    const fullName = getFullKey(test.test)
    errors.set(fullName, ambiguousKeyError(fullName, test.test.name, Math.max(suiteCount, 2)))
    return 'ambiguous'
  }
  const caseNumbers: (number | null | 'ambiguous')[] = []
  for (const [index, candidate] of candidates.entries()) {
    if (yielder.shouldYield()) await yielder.yield()
    caseNumbers.push(findCase(candidate, index))
  }
  return { caseNumbers, errors: [...errors.values()] }
}

/** Whether a linked test is in another file or suite, so that both cannot be meant by the name alone. */
const isOtherTest = ({ test, titleKey, known }: UploadTest, linked: LinkedTest): boolean =>
  linked.test_id !== known?.id &&
  ((linked.source === 'key' && linked.title_key !== titleKey) ||
    (test.file !== '' && linked.file !== '' && !haveSamePath(test, linked)))

/** Tests of two packages that differ in nothing else share a test case. */
function haveSamePath(test: UploadTest['test'], linked: LinkedTest): boolean {
  const { module = '' } = test
  return module === '' || linked.module === '' || module === linked.module
    ? agreeOnFile(test.file, linked.file)
    : getPathInModule(test) === getPathInModule(linked)
}

const ambiguousKeyError = (fullName: string, key: string, suiteCount: number): ResultItemError => ({
  test_case_id: fullName,
  error: `The automation key ${JSON.stringify(key)} matches tests in ${suiteCount} files or suites. Use the suite and the name as the automation key, or add test case ids to the test names.`,
  code: 'ambiguous',
})
