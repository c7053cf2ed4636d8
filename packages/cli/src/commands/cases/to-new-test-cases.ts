import { MAX_AUTOMATION_KEY_LENGTH } from '@caseward/client/endpoints'
import type { ReportedTest } from '@caseward/matching/attempt'
import { getAutomationKeyCandidates } from '@caseward/matching/automation-keys'
import { createCaseIdFinder } from '@caseward/matching/case-ids'
import { cleanName } from '@caseward/matching/clean-name'
import { normalizeKey } from '@caseward/matching/normalize-key'
import { findTestCaseNumbers } from '@caseward/matching/test-case-ids'
import { getTitleKey } from '@caseward/matching/test-identity'

import type { NewTestCase } from './parse-test-case.ts'
import type { ListedCase } from './test-case-rows.ts'

const MAX_NAME_LENGTH = 255
const MAX_FOLDER_DEPTH = 10
const TITLE_SEPARATOR = /\s+[>›»]\s+/
const UNTITLED = 'Untitled test'

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
 * folders are the suite and the other titles, and the automation keys are suite and name and, if no other test has it, the
 * name. Tests that differ only in their variant share a test case.
 */
export function toNewTestCases(tests: readonly ReportedTest[], project: ProjectTestCases): TestCasesOfTests {
  const usedKeys = new Set(project.testCases.flatMap(getKeys).map(normalizeKey))
  const finder = createCaseIdFinder(project.prefix)
  const isMatched = (test: ReportedTest) => {
    const { numbers, unknownIds } = findTestCaseNumbers(test, finder)
    const { full, name } = getAutomationKeyCandidates(test)
    return numbers.length + unknownIds.length > 0 || [...full, name].some((key) => usedKeys.has(key))
  }
  const unmatched = tests.filter((test) => !isMatched(test))
  const distinct = [
    ...new Map(unmatched.toReversed().map((test) => [`${test.file}\0${getTitleKey(test)}`, test])).values(),
  ].toReversed()
  const keys = chooseKeys(distinct, usedKeys)
  const newTestCases = distinct.map((test, index): NewTestCase => {
    const { title, path } = splitIntoTitles(test)
    const folder = [...project.baseFolder, ...path].slice(0, MAX_FOLDER_DEPTH)
    return { line: index + 1, id: '', folder, body: { title, type: 'other', automation_keys: keys[index] ?? [] } }
  })
  return { newTestCases, matchedCount: tests.length - unmatched.length }
}

const getKeys = ({
  automation_key: first,
  automation_keys: keys,
}: Pick<ListedCase, 'automation_key' | 'automation_keys'>) => keys ?? (first === null ? [] : [first])

function splitIntoTitles({ suite, name, file }: ReportedTest): { title: string; path: string[] } {
  const titles = name.split(TITLE_SEPARATOR).map(toName)
  const suites = suite === file ? [toName(suite)] : suite.split(TITLE_SEPARATOR).map(toName)
  return {
    title: titles.findLast((part) => part !== '') ?? UNTITLED,
    path: [...suites, ...titles.slice(0, -1)].filter((part) => part !== ''),
  }
}

const toName = (text: string): string => [...cleanName(text).trim()].slice(0, MAX_NAME_LENGTH).join('').trim()

/** Chooses keys that no test case has, and that only one of the tests would have. */
function chooseKeys(tests: readonly ReportedTest[], usedKeys: ReadonlySet<string>): string[][] {
  const used = new Set(usedKeys)
  const take = (key: string): boolean => {
    const normalized = normalizeKey(key)
    if (normalized === '' || used.has(normalized) || [...key].length > MAX_AUTOMATION_KEY_LENGTH) return false
    used.add(normalized)
    return true
  }
  const nameCounts = new Map<string, number>()
  for (const { name } of tests) nameCounts.set(normalizeKey(name), (nameCounts.get(normalizeKey(name)) ?? 0) + 1)
  // All full keys first: they match more precisely than names.
  const fullKeys = tests.map(({ suite, name }) => {
    const key = (suite === '' ? name : `${suite} > ${name}`).trim()
    return take(key) ? [key] : []
  })
  return tests.map(({ name }, index) => {
    const keys = fullKeys[index] ?? []
    return nameCounts.get(normalizeKey(name)) === 1 && take(name.trim()) ? [...keys, name.trim()] : keys
  })
}
