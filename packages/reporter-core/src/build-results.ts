import { type CaseIdFinder, createCaseIdFinder } from '@caseward/matching/case-ids'
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

/** A longer name is no automation key (contract, "Test cases"), and a title of megabytes must not cost an upload. */
const MAX_NAME_LENGTH = 1000

/** A result as it is uploaded. */
export interface ResultItem {
  /** An id such as `WEB-12`; for a test that names none its full title, which may be a case's automation key. */
  readonly test_case_id: string
  readonly status: ResultStatus
  readonly note?: string
  readonly elapsed?: number
}

/** The results of a suite. */
export interface SuiteResults {
  /** One for each case, and one for each full title without an id. */
  readonly items: readonly ResultItem[]
  /** Ids that tests give in so many words and that can be no cases of the project, with those tests' titles. */
  readonly unknownIds: ReadonlyMap<string, string>
}

/**
 * What attempts at tests say of the cases of a project. A test's attempts become one outcome, in which any pass wins; of
 * several tests on one case the worst speaks.
 * @param prefix the project's own, such as `WEB`
 */
export function buildResults(prefix: string, attempts: readonly TestAttempt[]): SuiteResults {
  const finder = createCaseIdFinder(prefix)
  const byCase = new Map<string, { name: string; outcome: TestOutcome }[]>()
  const unknownIds = new Map<string, string>()
  for (const test of groupAttempts(attempts)) {
    const name = getFullTitle(test)
    const { numbers, unknown } = findCaseNumbers(test, finder)
    for (const id of unknown) unknownIds.set(id, name)
    if (numbers.length === 0 && (unknown.length > 0 || test.every(({ isContainer }) => isContainer === true))) continue
    const outcome = getTestOutcome(test)
    for (const id of numbers.length > 0 ? numbers.map((number) => `${prefix}-${number}`) : [name]) {
      const others = byCase.get(id)
      if (others === undefined) byCase.set(id, [{ name, outcome }])
      else others.push({ name, outcome })
    }
  }
  const items = [...byCase].map(([test_case_id, tests]) => toResultItem(test_case_id, combineOutcomes(tests)))
  return { items, unknownIds }
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

/** A test: its attempts, in the order in which they were made. */
type Test = readonly [TestAttempt, ...TestAttempt[]]

function groupAttempts(attempts: readonly TestAttempt[]): Iterable<Test> {
  const tests = new Map<string, [TestAttempt, ...TestAttempt[]]>()
  for (const attempt of attempts) {
    const identity = `${attempt.variant ?? ''}\0${attempt.testId}`
    const earlier = tests.get(identity)
    if (earlier === undefined) tests.set(identity, [attempt])
    else earlier.push(attempt)
  }
  return tests.values()
}

/** The titles from the outermost block to the test, as one name; the name by which automation keys know it. */
export function getFullTitle([{ titlePath, file = '' }]: Test): string {
  const titles = titlePath.map((title) => toPlainText(title).trim()).filter((title) => title !== '')
  const name = titles.length > 0 ? titles.join(' > ') : toPlainText(file).trim()
  return name === '' ? 'a test without a title' : truncateNote(name, MAX_NAME_LENGTH)
}

/** The first place that names any case: annotation, tags, the test's own title, the titles around it. */
function findCaseNumbers(test: Test, finder: CaseIdFinder): { numbers: readonly number[]; unknown: readonly string[] } {
  const given = unique(test.flatMap(({ caseIds = [] }) => caseIds.flatMap(idsIn))).filter((id) => id !== '')
  if (given.length > 0) {
    const numbers = given.map((id) => finder.parse(id))
    const known = numbers.filter((number): number is number => number !== null)
    return { numbers: unique(known), unknown: given.filter((_, index) => numbers[index] === null) }
  }
  const [{ titlePath }] = test
  const places = [
    unique(test.flatMap(({ tags = [] }) => tags)).join(' '),
    titlePath.at(-1) ?? '',
    titlePath.slice(0, -1).join(' '),
  ]
  for (const place of places) {
    const numbers = finder.findAll(toPlainText(place))
    if (numbers.length > 0) return { numbers, unknown: [] }
  }
  return { numbers: [], unknown: [] }
}

const idsIn = (text: string): string[] => toPlainText(text).split(/[\s,]+/)

function getTestOutcome(test: Test): TestOutcome {
  const deciding =
    test.find(({ status }) => status === 'passed') ?? test.find(({ status }) => status === 'failed') ?? test.at(-1)
  const status = deciding?.status ?? 'not_tested'
  const seconds = sumSeconds(test.map(({ durationMs }) => toSeconds(durationMs)))
  return { status, note: formatNote(status, test), seconds }
}

const toSeconds = (durationMs: number | undefined): number | null =>
  durationMs !== undefined && durationMs >= 0 && Number.isFinite(durationMs) ? durationMs / 1000 : null

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
