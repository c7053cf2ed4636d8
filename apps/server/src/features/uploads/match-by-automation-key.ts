import type { ResultItemError } from '@caseward/contract/results'

import type { FindCaseNumbersByKey } from '../results/match-items.ts'
import type { Yielder } from '../../platform/yielder.ts'
import { getFullName, type ReportedTest } from './group-attempts.ts'

interface KeyMatch {
  test: ReportedTest
  caseNumber: number
}

/**
 * Matches tests to test cases by an automation key equal to `classname.name`, then to `name`. A key that is a test's name
 * alone must not match tests of several classes: those tests are errors. Tests of the same class and name in several
 * suites (browsers, say) match the same test case. Without one they are one error.
 */
export async function matchByAutomationKey(
  tests: readonly ReportedTest[],
  findCaseNumbersByKey: FindCaseNumbersByKey,
  yielder: Yielder,
): Promise<{ matches: KeyMatch[]; errors: ResultItemError[] }> {
  const candidates = new Set<string>()
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { full, nameOnly } = getAutomationKeys(test)
    candidates.add(full).add(nameOnly)
  }
  const caseNumbers = candidates.size === 0 ? new Map<string, number>() : await findCaseNumbersByKey([...candidates])
  const classesByKey = await collectClassesByKey(tests, caseNumbers, yielder)
  const matches: KeyMatch[] = []
  const errors = new Map<string, ResultItemError>()
  const addError = (error: ResultItemError) => errors.set(`${error.code} ${error.test_case_id}`, error)
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { full, nameOnly } = getAutomationKeys(test)
    const caseNumber = caseNumbers.get(full) ?? caseNumbers.get(nameOnly)
    const classCount = caseNumbers.has(full) ? 1 : (classesByKey.get(nameOnly)?.size ?? 1)
    if (caseNumber === undefined) addError(noTestCaseIdError(getFullName(test)))
    else if (classCount > 1) addError(ambiguousKeyError(getFullName(test), nameOnly, classCount))
    else matches.push({ test, caseNumber })
  }
  return { matches, errors: [...errors.values()] }
}

/** Collects the classes of the tests that each automation key matches by name alone. */
async function collectClassesByKey(
  tests: readonly ReportedTest[],
  caseNumbers: ReadonlyMap<string, number>,
  yielder: Yielder,
): Promise<Map<string, Set<string>>> {
  const classesByKey = new Map<string, Set<string>>()
  if (caseNumbers.size === 0) return classesByKey
  for (const test of tests) {
    if (yielder.shouldYield()) await yielder.yield()
    const { full, nameOnly } = getAutomationKeys(test)
    if (caseNumbers.has(full) || !caseNumbers.has(nameOnly)) continue
    const classes = classesByKey.get(nameOnly)
    if (classes === undefined) classesByKey.set(nameOnly, new Set([test.classname]))
    else classes.add(test.classname)
  }
  return classesByKey
}

/** The automation keys that a test can match. Stored keys have no surrounding whitespace. */
const getAutomationKeys = (test: ReportedTest) => ({ full: getFullName(test).trim(), nameOnly: test.name.trim() })

const noTestCaseIdError = (fullName: string): ResultItemError => ({
  test_case_id: fullName,
  error: 'No test case id found in the properties, name or class name, and no automation key matches.',
  code: 'no_test_case_id',
})

const ambiguousKeyError = (fullName: string, key: string, classCount: number): ResultItemError => ({
  test_case_id: fullName,
  error: `The automation key ${JSON.stringify(key)} matches tests in ${classCount} classes. Use classname.name as the automation key, or add test case ids to the test names.`,
  code: 'ambiguous',
})
