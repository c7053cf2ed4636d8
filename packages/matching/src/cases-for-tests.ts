import type { ReportedTest } from './attempt.ts'
import { cleanName } from './clean-name.ts'
import { normalizeKey } from './normalize-key.ts'
import { cutText } from './note.ts'
import { getTitleKey } from './test-identity.ts'

/** What a test case that is made for a test takes from it. */
export type CoveredTest = Pick<ReportedTest, 'suite' | 'name' | 'file'>

const MAX_NAME_LENGTH = 255
const MAX_KEY_LENGTH = 2000
const UNTITLED = 'Untitled test'
const TITLE_SEPARATOR = /\s+[>›»]\s+/

/** Tests with the same text differ only in their variant, and share a test case. */
export const getCaseIdentity = (test: CoveredTest): string => `${test.file}\0${getTitleKey(test)}`

/** The title is the last part of the name; the folders are the suite, of which a file is one folder, and the other titles. */
export function splitIntoTitles({ suite, name, file }: CoveredTest): { title: string; path: string[] } {
  const titles = name.split(TITLE_SEPARATOR).map(toName)
  const suites = suite === file ? [toName(suite)] : suite.split(TITLE_SEPARATOR).map(toName)
  const title = [...titles].reverse().find((part) => part !== '') ?? UNTITLED
  return { title, path: [...suites, ...titles.slice(0, -1)].filter((part) => part !== '') }
}

/** What a folder or title may contain. */
const toName = (text: string): string => cutText(cleanName(text).trim(), MAX_NAME_LENGTH).trim()

/**
 * Chooses automation keys for test cases of these tests: suite and name and, if no other of the tests has it, the name.
 * @param taken normalized keys of other test cases, which are left out
 */
export function chooseAutomationKeys(tests: readonly CoveredTest[], taken: ReadonlySet<string>): string[][] {
  const used = new Set(taken)
  const take = (key: string): string[] => {
    const normalized = normalizeKey(key)
    if (normalized === '' || used.has(normalized) || cutText(key, MAX_KEY_LENGTH) !== key) return []
    used.add(normalized)
    return [key]
  }
  // All full keys first: they match more precisely than names.
  const fullKeys = tests.map((test) => take(getFullKey(test)))
  const nameCounts = new Map<string, number>()
  for (const { name } of tests) nameCounts.set(normalizeKey(name), (nameCounts.get(normalizeKey(name)) ?? 0) + 1)
  return tests.map(({ name }, index) => {
    const keys = fullKeys[index] ?? []
    return nameCounts.get(normalizeKey(name)) === 1 ? [...keys, ...take(name.trim())] : keys
  })
}

/** Suite and name. */
export const getFullKey = ({ suite, name }: Pick<ReportedTest, 'suite' | 'name'>): string =>
  (suite === '' ? name : `${suite} > ${name}`).trim()
