import { isNextAttempt } from './retry-mark.ts'
import type { TestAttempt } from './test-attempt.ts'

/**
 * What several elements of the same names in one suite are. `tests`: several tests, unless the report says that they are
 * attempts at one. `attempts`: attempts at one test, for tools that are known to write retries without a mark.
 */
export type EqualNames = 'tests' | 'attempts'

export interface SplitOptions {
  equalNames: EqualNames
  /** Numbers of the suites in which Gradle has repeated the failed tests. */
  retriedSuites: ReadonlySet<number>
}

/**
 * Divides the executions of the same names in one suite into tests, in the order of the report. A failure after a pass is
 * never a retry: it starts another test, so that the pass does not hide it.
 */
export function splitRepeated<A extends TestAttempt>(executions: readonly A[], options: SplitOptions): A[][] {
  const tests: A[][] = []
  let hasPassed = false
  for (const execution of executions) {
    const test = tests.at(-1)
    const previous = test?.at(-1)
    const failsAfterPass = hasPassed && execution.status === 'failed'
    if (test !== undefined && previous !== undefined && !failsAfterPass && isAttempt(previous, execution, options)) {
      test.push(execution)
      hasPassed ||= execution.status === 'passed'
    } else {
      tests.push([execution])
      hasPassed = execution.status === 'passed'
    }
  }
  return tests
}

function isAttempt(previous: TestAttempt, execution: TestAttempt, options: SplitOptions): boolean {
  return (
    options.equalNames === 'attempts' ||
    options.retriedSuites.has(execution.suite) ||
    isNextAttempt(previous.retryMark, execution.retryMark)
  )
}

/** The executions of a suite of Gradle. */
interface GradleSuite {
  /** By classname and name; in the order in which they are first met. */
  executions: Map<string, TestAttempt[]>
  hasRepeated: boolean
  /** Whether all after the first repetition are repetitions, too. */
  endsWithRepetitions: boolean
}

/**
 * Finds the suites that have the form of Gradle's retry plug-in: after a first round of all tests come rounds of those that
 * have failed, all of them. Rows of a table with the same name do not have that form, unless they are the last.
 */
export function findRetriedSuites(attempts: readonly TestAttempt[]): Set<number> {
  const suites = new Map<number, GradleSuite>()
  for (const attempt of attempts) {
    if (attempt.context.dialect !== 'gradle') continue
    const suite = suites.get(attempt.suite) ?? { executions: new Map(), hasRepeated: false, endsWithRepetitions: true }
    suites.set(attempt.suite, suite)
    const name = `${attempt.classname}\0${attempt.name}`
    const earlier = suite.executions.get(name)
    if (earlier === undefined) suite.executions.set(name, [attempt])
    else earlier.push(attempt)
    if (earlier !== undefined) suite.hasRepeated = true
    else if (suite.hasRepeated) suite.endsWithRepetitions = false
  }
  const retried = new Set<number>()
  for (const [number, { executions, hasRepeated, endsWithRepetitions }] of suites) {
    if (hasRepeated && endsWithRepetitions && [...executions.values()].every(isRetried)) retried.add(number)
  }
  return retried
}

/** Whether a test was repeated because it had failed, or was not. */
const isRetried = ([first, ...others]: readonly TestAttempt[]): boolean =>
  first === undefined || (first.status === 'failed') === others.length > 0
