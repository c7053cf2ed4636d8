import { createOccurrenceCounter, type Guard, type Reporter, type TestError } from '@caseward/reporter-core'

import { toAttempt, toTestError, getTestFile, getTitlePath, type AttemptResult } from './to-attempt.ts'
import type { MochaEvent, MochaFailure, MochaOptions, MochaSuite, MochaTest } from './framework-types.ts'
import { isSelected } from './read-options.ts'

/** Reads Mocha's events in their order. */
export interface EventReader {
  read(event: MochaEvent): void
  /** Call it after the last event. */
  end(failures: number): { readonly interrupted: boolean }
}

interface FailedHook {
  readonly hook: MochaTest
  readonly error: TestError
  /** The test that the hook was preparing. */
  readonly currentTest: MochaTest | null
}

/**
 * @param root the root suite, which has no children in parallel mode
 * @param guard records the tests that cannot be read at the end of a suite, one at a time
 */
export function createEventReader(
  reporter: Pick<Reporter, 'recordAttempt' | 'recordSuiteError'>,
  root: MochaSuite,
  options: MochaOptions,
  cwd: string,
  guard: Guard,
): EventReader {
  const occurrences = createOccurrenceCounter()
  /** The occurrences of the tests that have ended. */
  const recorded = new Map<MochaTest | string, number>()
  let currentTest: MochaTest | null = null
  let failedHooks: FailedHook[] = []

  const record = (test: MochaTest, result: AttemptResult) => {
    const [file, titlePath] = [getTestFile(test, cwd), getTitlePath(test)]
    currentTest = null
    // A second result of the same test, which calls `done` twice or throws late. Mocha retries a copy of the test.
    const recordedOccurrence = recorded.get(getIdentity(test))
    if (recordedOccurrence !== undefined) {
      if (result.status !== 'failed') return
      reporter.recordAttempt({ ...toAttempt(test, result, recordedOccurrence, cwd), replacesResult: true })
      return
    }
    // Mocha retries a test immediately.
    const isRetry = (test.currentRetry?.() ?? 0) > 0
    const occurrence = isRetry ? occurrences.getLatest(file, titlePath) : occurrences.count(file, titlePath)
    recorded.set(getIdentity(test), occurrence)
    reporter.recordAttempt(toAttempt(test, result, occurrence, cwd))
  }
  const fail = ({ name, test, error: thrown, diff }: MochaFailure) => {
    const error = toTestError(thrown, diff)
    if (test.type === 'test' || name === 'retry') record(test, { status: 'failed', error })
    else if (test.type === 'hook') failedHooks.push({ hook: test, error, currentTest })
    else reporter.recordSuiteError({ location: getTestFile(test, cwd) ?? test.title ?? 'mocha', ...error })
  }
  /** Records the tests that a failed hook has blocked: all remaining tests of its suite. */
  const recordBlocked = ({ hook, error, currentTest: preparedTest }: FailedHook) => {
    let blockedCount = 0
    const recordIfBlocked = (test: MochaTest) => {
      if (recorded.has(getIdentity(test)) || !isTestSelected(test, options)) return
      const isPending = test.isPending?.() === true
      record(test, isPending ? { status: 'skipped' } : { status: 'blocked', error })
      if (!isPending) blockedCount++
    }
    for (const test of [...(preparedTest === null ? [] : [preparedTest]), ...listTests(hook.parent)]) {
      guard(() => recordIfBlocked(test))
    }
    if (blockedCount > 0 && !isAfterHook(hook)) return
    reporter.recordSuiteError({ location: getTitlePath(hook).join(' > '), ...error })
  }
  const endSuite = (suite: MochaSuite | null) => {
    const hooksOfSuite = failedHooks.filter(
      ({ hook }) => suite === null || hook.parent === suite || !hasTests(hook.parent),
    )
    failedHooks = failedHooks.filter((hook) => !hooksOfSuite.includes(hook))
    for (const hook of hooksOfSuite) guard(() => recordBlocked(hook))
  }
  return {
    read(event) {
      switch (event.name) {
        case 'suite end':
          return endSuite(event.suite)
        case 'test':
          currentTest = event.test
          return setCurrentTest({ file: event.test.file, name: event.test.fullTitle?.() })
        case 'pass':
          return record(event.test, { status: 'passed' })
        case 'pending':
          return record(event.test, { status: 'skipped' })
        case 'fail':
        case 'retry':
          return fail(event)
      }
    },
    end(failures) {
      endSuite(null)
      setCurrentTest(null)
      const hasRemainingTests = listTests(root).some(
        (test) => !recorded.has(getIdentity(test)) && isTestSelected(test, options),
      )
      return { interrupted: hasRemainingTests || (options.bail === true && failures > 0) }
    },
  }
}

/** Tells `attach` and `step` of reporter-core, which tests call in this process, which test runs. */
const setCurrentTest = (test: { file: unknown; name: unknown } | null): void =>
  void Reflect.set(globalThis, Symbol.for('caseward.currentTest'), test)

const getIdentity = (test: MochaTest): MochaTest | string => test.__mocha_id__ ?? test

const isTestSelected = (test: MochaTest, options: MochaOptions): boolean =>
  isSelected(test.fullTitle?.() ?? getTitlePath(test).join(' '), options)

const isAfterHook = ({ title = '' }: MochaTest): boolean => title.startsWith('"after')

const hasTests = (suite: MochaSuite | undefined): boolean => Array.isArray(suite?.tests)

function listTests(suite: MochaSuite | undefined): readonly MochaTest[] {
  return [...(suite?.tests ?? []), ...(suite?.suites ?? []).flatMap(listTests)]
}
