import { MAX_AUTOMATION_KEY_LENGTH } from '@caseward/client/endpoints'
import { type CaseIdFinder, createCaseIdFinder, MAX_CASE_IDS } from '@caseward/matching/case-ids'
import { truncateNote } from '@caseward/matching/note'
import {
  combineOutcomes,
  type TestOutcome,
  type ResultStatus,
  sumSeconds,
  toWholeSeconds,
} from '@caseward/matching/outcome'

import { formatNote, toPlainText } from './format-note.ts'
import type { TestAttempt } from './test-attempt.ts'

/** A result in the upload request. */
export interface ResultItem {
  /** An id such as `WEB-12`, or the full title of a test without one, which may be an automation key. */
  readonly test_case_id: string
  readonly status: ResultStatus
  readonly note?: string
  readonly elapsed?: number
}

/** The results of a suite. */
export interface SuiteResults {
  /** One for each test case, and one for each full title without an id. */
  readonly items: readonly ResultItem[]
  /** Explicit ids that cannot belong to the project, with the titles of their tests. */
  readonly unknownIds: ReadonlyMap<string, string>
  /** Titles of tests with more ids than a test can have. Only the first ones were used. */
  readonly testsWithTooManyIds: readonly string[]
}

/**
 * Builds the results of a suite. The attempts at a test become one outcome: passed if any attempt passed. Several tests
 * of one test case become one result with the worst status.
 * @param prefix the project's prefix, such as `WEB`
 */
export function buildResults(prefix: string, attempts: readonly TestAttempt[]): SuiteResults {
  const finder = createCaseIdFinder(prefix)
  const testsById = new Map<string, { name: string; outcome: TestOutcome }[]>()
  const unknownIds = new Map<string, string>()
  const testsWithTooManyIds: string[] = []
  for (const test of groupAttempts(attempts)) {
    const name = getFullTitle(test)
    const { numbers, unknown, hasTooMany } = findCaseNumbers(test, finder)
    for (const id of unknown) unknownIds.set(id, name)
    if (hasTooMany) testsWithTooManyIds.push(name)
    if (numbers.length === 0 && (unknown.length > 0 || test.every(({ isContainer }) => isContainer === true))) continue
    const outcome = getTestOutcome(test)
    for (const id of numbers.length > 0 ? numbers.map((number) => `${prefix}-${number}`) : [name]) {
      const tests = testsById.get(id)
      if (tests === undefined) testsById.set(id, [{ name, outcome }])
      else tests.push({ name, outcome })
    }
  }
  const items = [...testsById].map(([test_case_id, tests]) => toResultItem(test_case_id, combineOutcomes(tests)))
  return { items, unknownIds, testsWithTooManyIds }
}

function toResultItem(test_case_id: string, { status, note, seconds }: TestOutcome): ResultItem {
  const elapsed = toWholeSeconds(seconds)
  return {
    test_case_id,
    status,
    ...(note === null ? {} : { note: truncateNote(note) }),
    ...(elapsed === null ? {} : { elapsed }),
  }
}

/** The attempts at one test, in order. */
type Test = readonly [TestAttempt, ...TestAttempt[]]

function groupAttempts(attempts: readonly TestAttempt[]): Iterable<Test> {
  const tests = new Map<string, [TestAttempt, ...TestAttempt[]]>()
  for (const attempt of attempts) {
    const identity = `${attempt.variant ?? ''}\0${attempt.testId}`
    const test = tests.get(identity)
    if (test === undefined) tests.set(identity, [attempt])
    else test.push(attempt)
  }
  return tests.values()
}

/** Joins the title path into one name, which can be an automation key. A longer name than a key is truncated. */
export function getFullTitle([{ titlePath, file = '' }]: Test): string {
  const titles = titlePath.map((title) => toPlainText(title).trim()).filter((title) => title !== '')
  const name = titles.length > 0 ? titles.join(' > ') : toPlainText(file).trim()
  return name === '' ? 'untitled test' : truncateNote(name, MAX_AUTOMATION_KEY_LENGTH)
}

interface FoundIds {
  readonly numbers: readonly number[]
  readonly unknown: readonly string[]
  readonly hasTooMany: boolean
}

/**
 * Uses the first source that contains an id: explicit ids, tags, the test's title, the titles of its blocks. Returns at
 * most {@link MAX_CASE_IDS} ids.
 */
function findCaseNumbers(test: Test, finder: CaseIdFinder): FoundIds {
  const allIds = unique(test.flatMap(({ caseIds = [] }) => caseIds.flatMap(splitIds))).filter((id) => id !== '')
  const explicitIds = allIds.slice(0, MAX_CASE_IDS)
  if (explicitIds.length > 0) {
    const parsed = explicitIds.map((id) => finder.parse(id))
    const numbers = parsed.filter((number): number is number => number !== null)
    const unknown = explicitIds.filter((_, index) => parsed[index] === null)
    return { numbers: unique(numbers), unknown, hasTooMany: allIds.length > MAX_CASE_IDS }
  }
  const [{ titlePath }] = test
  const texts = [
    unique(test.flatMap(({ tags = [] }) => tags)).join(' '),
    titlePath.at(-1) ?? '',
    titlePath.slice(0, -1).join(' '),
  ]
  for (const text of texts) {
    const numbers = finder.findAll(toPlainText(text))
    if (numbers.length === 0) continue
    return { numbers: numbers.slice(0, MAX_CASE_IDS), unknown: [], hasTooMany: numbers.length > MAX_CASE_IDS }
  }
  return { numbers: [], unknown: [], hasTooMany: false }
}

const splitIds = (text: string): string[] => toPlainText(text).split(/[\s,]+/)

function getTestOutcome(test: Test): TestOutcome {
  const decisive =
    test.find(({ status }) => status === 'passed') ?? test.find(({ status }) => status === 'failed') ?? test.at(-1)
  const status = decisive?.status ?? 'not_tested'
  const seconds = sumSeconds(test.map(({ durationMs }) => toSeconds(durationMs)))
  return { status, note: formatNote(status, test), seconds }
}

const toSeconds = (durationMs: number | undefined): number | null =>
  durationMs !== undefined && durationMs >= 0 && Number.isFinite(durationMs) ? durationMs / 1000 : null

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
