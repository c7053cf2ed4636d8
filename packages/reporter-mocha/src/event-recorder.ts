import type { Reporter, TestError } from '@caseward/reporter-core'

import { toAttempt, toTestError, getTestFile, getTitlePath, type AttemptResult } from './to-attempt.ts'
import type { MochaEvent, MochaFailure, MochaOptions, MochaSuite, MochaTest } from './mocha-objects.ts'
import { isSelected } from './read-options.ts'

/** Takes what happens, in its order. */
export interface EventRecorder {
  handleEvent(event: MochaEvent): void
  /** No more will come. */
  end(failures: number): { readonly interrupted: boolean }
}

/** A hook that failed, and what it keeps from running. */
interface FailedHook {
  readonly hook: MochaTest
  readonly error: TestError
  /** The test that it was to prepare. */
  readonly currentTest: MochaTest | null
}

/** @param root the suite around all others, which in parallel mode holds none of them */
export function createEventRecorder(
  reporter: Pick<Reporter, 'recordAttempt' | 'recordSuiteError'>,
  root: MochaSuite,
  options: MochaOptions,
  cwd: string,
): EventRecorder {
  /** How many tests of a file have had the same titles so far. */
  const rows = new Map<string, number>()
  const told = new Set<MochaTest>()
  let currentTest: MochaTest | null = null
  let failedHooks: FailedHook[] = []

  const record = (test: MochaTest, verdict: AttemptResult) => {
    const key = JSON.stringify([getTestFile(test, cwd), ...getTitlePath(test)])
    // An attempt follows the one before at once. What is told of a test a second time, as an error that came after its
    // end, is no attempt, of which any pass would win.
    const isRetry = (test.currentRetry?.() ?? 0) > 0 && !told.has(test)
    const row = isRetry ? (rows.get(key) ?? 0) : (rows.get(key) ?? -1) + 1
    rows.set(key, row)
    told.add(test)
    currentTest = null
    reporter.recordAttempt(toAttempt(test, verdict, row, cwd))
  }
  const fail = ({ name, test, error: thrown, diff }: MochaFailure) => {
    const error = toTestError(thrown, diff)
    if (test.type === 'test' || name === 'retry') record(test, { status: 'failed', error })
    else if (test.type === 'hook') failedHooks.push({ hook: test, error, currentTest })
    else reporter.recordSuiteError({ location: getTestFile(test, cwd) ?? test.title ?? 'mocha', ...error })
  }
  /** Tells of the tests that a hook has kept from running: all that are left of its suite when that ends. */
  const recordBlocked = ({ hook, error, currentTest: prepared }: FailedHook) => {
    let blocked = 0
    for (const test of [...(prepared === null ? [] : [prepared]), ...testsIn(hook.parent)]) {
      if (told.has(test) || !isWanted(test, options)) continue
      if (test.isPending?.() === true) {
        record(test, { status: 'not_tested' })
      } else {
        record(test, { status: 'blocked', error })
        blocked++
      }
    }
    if (blocked > 0 && !isAfterHook(hook)) return
    reporter.recordSuiteError({ location: getTitlePath(hook).join(' > '), ...error })
  }
  const endSuite = (suite: MochaSuite | null) => {
    const ended = failedHooks.filter(({ hook }) => suite === null || hook.parent === suite || !hasTests(hook.parent))
    failedHooks = failedHooks.filter((hook) => !ended.includes(hook))
    for (const hook of ended) recordBlocked(hook)
  }
  return {
    handleEvent(event) {
      switch (event.name) {
        case 'suite end':
          return endSuite(event.suite)
        case 'test':
          currentTest = event.test
          return undefined
        case 'pass':
          return record(event.test, { status: 'passed' })
        case 'pending':
          return record(event.test, { status: 'not_tested' })
        case 'fail':
        case 'retry':
          return fail(event)
      }
    },
    end(failures) {
      endSuite(null)
      const isCutShort = testsIn(root).some((test) => !told.has(test) && isWanted(test, options))
      return { interrupted: isCutShort || (options.bail === true && failures > 0) }
    },
  }
}

const isWanted = (test: MochaTest, options: MochaOptions): boolean =>
  isSelected(test.fullTitle?.() ?? getTitlePath(test).join(' '), options)

const isAfterHook = ({ title = '' }: MochaTest): boolean => title.startsWith('"after')

const hasTests = (suite: MochaSuite | undefined): boolean => Array.isArray(suite?.tests)

function testsIn(suite: MochaSuite | undefined): readonly MochaTest[] {
  return [...(suite?.tests ?? []), ...(suite?.suites ?? []).flatMap(testsIn)]
}
