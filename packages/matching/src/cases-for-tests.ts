import type { ReportedTest } from './attempt.ts'
import { cleanName } from './clean-name.ts'
import { normalizeKey } from './normalize-key.ts'
import { cutText } from './note.ts'
import { getTitles } from './test-identity.ts'

/** What a test case that is made for a test takes from it. */
export type CoveredTest = Pick<ReportedTest, 'suite' | 'name' | 'file'>

const MAX_NAME_LENGTH = 255
const MAX_KEY_LENGTH = 2000
const UNTITLED = 'Untitled test'
const TITLE_SEPARATOR = /\s+[>›»]\s+/

/** Tests with the same text as written differ only in their variant or module, and share a test case. */
export const getCaseIdentity = (test: CoveredTest): string => `${test.file}\0${getTitles(test)}`

/**
 * The title is the last part of the name; the folders are the suite, of which a file is one folder, and the other titles.
 * The whole title is the precondition if it is longer than a title can be.
 */
export function splitIntoTitles({ suite, name, file }: CoveredTest): {
  title: string
  path: string[]
  precondition?: string
} {
  const titles = name.split(TITLE_SEPARATOR).map(clean)
  const suites = suite === file ? [clean(suite)] : suite.split(TITLE_SEPARATOR).map(clean)
  const fullTitle = [...titles].reverse().find((part) => part !== '') ?? UNTITLED
  const title = shorten(fullTitle)
  const path = [...suites, ...titles.slice(0, -1)].filter((part) => part !== '').map(shorten)
  return title === fullTitle ? { title, path } : { title, path, precondition: fullTitle }
}

/** What a folder or title may contain. */
const clean = (text: string): string => cleanName(text).trim()

const ELLIPSIS = '…'
/** Parameters are at the end of a name. */
const END_LENGTH = 100

/** Keeps the beginning and the end of a long name, so that names that differ in one of them can be told apart. */
function shorten(text: string): string {
  if (cutText(text, MAX_NAME_LENGTH) === text) return text
  const characters = Array.from(text)
  const start = characters.slice(0, MAX_NAME_LENGTH - END_LENGTH - ELLIPSIS.length).join('')
  // Cutting can leave a character that is only allowed beside another one.
  return clean(`${start.trimEnd()}${ELLIPSIS}${characters.slice(-END_LENGTH).join('').trimStart()}`)
}

/**
 * Chooses the automation key for the test case of each test: suite and name, or file and name. A test of which neither is
 * known has its name as key: otherwise, whichever test came first would take the name from those of other files.
 * @param taken normalized keys of other test cases, which are left out
 */
export function chooseAutomationKeys(tests: readonly CoveredTest[], taken: ReadonlySet<string>): string[][] {
  const used = new Set(taken)
  return tests.map((test) => {
    const key = getCaseKey(test)
    const normalized = normalizeKey(key)
    if (normalized === '' || used.has(normalized) || cutText(key, MAX_KEY_LENGTH) !== key) return []
    used.add(normalized)
    return [key]
  })
}

/** The automation key for the test case of a test. */
export const getCaseKey = ({ suite, name, file }: CoveredTest): string =>
  getFullKey({ suite: suite === '' ? file : suite, name })

/** Suite and name. */
export const getFullKey = ({ suite, name }: Pick<ReportedTest, 'suite' | 'name'>): string =>
  (suite === '' ? name : `${suite} > ${name}`).trim()
