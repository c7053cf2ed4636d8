import type { ReportedTest } from '@caseward/matching/attempt'
import { getAutomationKeyCandidates } from '@caseward/matching/automation-keys'
import { createCaseIdFinder } from '@caseward/matching/case-ids'
import { chooseAutomationKeys, getCaseIdentity, splitIntoTitles } from '@caseward/matching/cases-for-tests'
import { normalizeKey } from '@caseward/matching/normalize-key'
import { findTestCaseNumbers } from '@caseward/matching/test-case-ids'

import type { NewTestCase } from '@caseward/case-files/parse-test-case'
import type { ListedCase } from '@caseward/case-files/file-columns'

const MAX_FOLDER_DEPTH = 10

interface ProjectTestCases {
  readonly prefix: string
  readonly testCases: readonly Pick<ListedCase, 'automation_key' | 'automation_keys'>[]
  /** The names of the folder for the new test cases and their folders. */
  readonly baseFolder: readonly string[]
}

interface TestCasesOfTests {
  readonly newTestCases: readonly NewTestCase[]
  /** The number of tests that name a test case, or match one by its automation key. */
  readonly matchedCount: number
}

/**
 * Returns a test case for each test that has none, as the server creates them: the title is the last part of the name, the
 * folders are the suite and the other titles, and the automation key is suite and name. Tests that differ only in their
 * variant share a test case.
 */
export function toNewTestCases(tests: readonly ReportedTest[], project: ProjectTestCases): TestCasesOfTests {
  const usedKeys = new Set(project.testCases.flatMap(getKeys).map(normalizeKey))
  const finder = createCaseIdFinder(project.prefix)
  const isMatched = (test: ReportedTest) => {
    const { numbers } = findTestCaseNumbers(test, finder)
    const { full, name } = getAutomationKeyCandidates(test)
    return numbers.length > 0 || [...full, name].some((key) => usedKeys.has(key))
  }
  const unmatched = tests.filter((test) => !isMatched(test))
  const distinct = [
    ...new Map(unmatched.toReversed().map((test) => [getCaseIdentity(test), test])).values(),
  ].toReversed()
  const keys = chooseAutomationKeys(distinct, usedKeys)
  const newTestCases = distinct.map((test, index): NewTestCase => {
    const { title, path, precondition } = splitIntoTitles(test)
    const folder = [...project.baseFolder, ...path].slice(0, MAX_FOLDER_DEPTH)
    const texts = precondition === undefined ? { title } : { title, precondition }
    return { line: index + 1, id: '', folder, body: { ...texts, type: 'other', automation_keys: keys[index] ?? [] } }
  })
  return { newTestCases, matchedCount: tests.length - unmatched.length }
}

const getKeys = ({
  automation_key: first,
  automation_keys: keys,
}: Pick<ListedCase, 'automation_key' | 'automation_keys'>) => keys ?? (first === null ? [] : [first])
