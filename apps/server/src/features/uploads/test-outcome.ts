import type { AttemptDetail, TestAttempt } from '@caseward/junit'
import { TRUNCATION_MARK } from '@caseward/matching/note'
import {
  combineOutcomes,
  describeAttempts,
  joinNotes,
  type TestOutcome,
  type ResultStatus,
  sumSeconds,
} from '@caseward/matching/outcome'

import { createYielder } from '../../platform/yielder.ts'

/**
 * A test of a report: every `<testcase>` of the same classname and name is an attempt at it, unless their properties
 * name different test cases. Those are different tests (one function over a table of data, say), and the pass of one
 * must not hide the failure of another.
 */
export interface ReportedTest {
  classname: string
  name: string
  attempts: TestAttempt[]
}

/** `classname.name`, or the name alone where there is no class. */
export const fullName = ({ classname, name }: { classname: string; name: string }): string =>
  classname === '' ? name : `${classname}.${name}`

/** The tests of one classname and name, by the test cases that they name; `''` for none yet. */
interface SameNameTests {
  byIds: Map<string, ReportedTest>
  last: ReportedTest
}

/** Gathers the attempts at each test, in the order of the report. */
export async function groupAttempts(attempts: readonly TestAttempt[]): Promise<ReportedTest[]> {
  const tests: ReportedTest[] = []
  const turns = createYielder()
  // Nearly every test has one attempt: what tells namesakes apart is made only for those that have more.
  const byClass = new Map<string, Map<string, ReportedTest | SameNameTests>>()
  for (const attempt of attempts) {
    if (turns.shouldYield()) await turns.yield()
    const { classname, name } = attempt
    const byName = byClass.get(classname) ?? new Map<string, ReportedTest | SameNameTests>()
    if (byName.size === 0) byClass.set(classname, byName)
    const earlier = byName.get(name)
    const namesakes = earlier !== undefined && 'attempts' in earlier ? groupSameName(earlier) : earlier
    const known = namesakes && findSameTest(namesakes, getCaseIdsKey(attempt))
    if (namesakes !== undefined && namesakes !== earlier) byName.set(name, namesakes)
    if (known !== undefined) {
      known.attempts.push(attempt)
      continue
    }
    const test = { classname, name, attempts: [attempt] }
    tests.push(test)
    if (namesakes === undefined) byName.set(name, test)
    else namesakes.byIds.set(getCaseIdsKey(attempt), (namesakes.last = test))
  }
  return tests
}

const getCaseIdsKey = ({ caseIds }: TestAttempt): string => caseIds.toSorted().join('\0')

const groupSameName = (test: ReportedTest): SameNameTests => ({
  byIds: new Map(test.attempts.map((attempt) => [getCaseIdsKey(attempt), test])),
  last: test,
})

/** An attempt that names no test case, as some tools write retries, is one more at the test before it. */
function findSameTest({ byIds, last }: SameNameTests, ids: string): ReportedTest | undefined {
  const nameless = byIds.get('')
  if (ids === '') return last
  if (nameless === undefined) return byIds.get(ids)
  byIds.delete('')
  byIds.set(ids, nameless)
  return nameless
}

/**
 * The outcome of a test with all its attempts: any pass wins, and the note says how many attempts there were; a
 * failure comes before a skip.
 */
export function getTestOutcome({ attempts }: ReportedTest): TestOutcome {
  const [only] = attempts
  if (attempts.length === 1 && only !== undefined && only.details.length === 0) return plainOutcome(only)
  const deciding =
    attempts.find((attempt) => attempt.status === 'passed') ??
    attempts.find((attempt) => attempt.status === 'failed') ??
    attempts[0]
  const status = deciding === undefined || deciding.status === 'skipped' ? 'not_tested' : deciding.status
  const notes = [
    describeRetries(status, attempts),
    ...inOrder(attempts, deciding).flatMap(({ details }) => details.map(describe)),
  ]
  return { status, note: joinNotes(notes), seconds: sumSeconds(attempts.map((attempt) => attempt.elapsedSeconds)) }
}

/** Nearly every test of a report: one attempt that has nothing to say. */
const plainOutcome = ({ status, elapsedSeconds }: TestAttempt): TestOutcome => ({
  status: status === 'skipped' ? 'not_tested' : status,
  note: null,
  seconds: elapsedSeconds,
})

const inOrder = (attempts: readonly TestAttempt[], first: TestAttempt | undefined): TestAttempt[] =>
  first === undefined ? [...attempts] : [first, ...attempts.filter((attempt) => attempt !== first)]

function describeRetries(status: ResultStatus, attempts: readonly TestAttempt[]): string {
  // Surefire puts all attempts into one <testcase>: each flaky or rerun element is one more.
  const inside = attempts.flatMap((attempt) => attempt.details.filter(({ kind }) => /^(?:flaky|rerun)/.test(kind)))
  const failed = inside.length + attempts.filter((attempt) => attempt.status === 'failed').length
  return describeAttempts(status, attempts.length + inside.length, failed)
}

const labels: Record<AttemptDetail['kind'], string> = {
  failure: '',
  error: '',
  skipped: 'Skipped: ',
  flakyFailure: 'Failed attempt: ',
  flakyError: 'Failed attempt: ',
  rerunFailure: 'Another attempt: ',
  rerunError: 'Another attempt: ',
}

/** Type, message and text of a failure; what the text says already is not said twice, what the parser cut is marked. */
function describe({ kind, type, message, text, isTruncated }: AttemptDetail): string {
  const body = text.trim()
  const parts = [type.trim(), message.trim()].filter((part) => part !== '' && !body.includes(part))
  const said = [parts.join(': '), body].filter((part) => part !== '').join('\n')
  return said === '' ? '' : labels[kind] + said + (isTruncated ? TRUNCATION_MARK : '')
}

/** A test that bears on a case, with its outcome. */
export interface TestWithOutcome {
  test: ReportedTest
  outcome: TestOutcome
}

/** The outcome of several different tests on one case. */
export const combineTests = (testsWithOutcome: readonly TestWithOutcome[]): TestOutcome =>
  combineOutcomes(testsWithOutcome.map(({ test, outcome }) => ({ name: fullName(test), outcome })))
