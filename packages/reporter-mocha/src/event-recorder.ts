import type { Reporter, TestError } from '@caseward/reporter-core'

import { attemptOf, errorOf, fileOf, titlePathOf, type Verdict } from './to-attempt.ts'
import type { MochaEvent, MochaFailure, MochaOptions, MochaSuite, MochaTest } from './mocha-objects.ts'
import { isSelected } from './read-options.ts'

/** Takes what happens, in its order. */
export interface RunLog {
  take(event: MochaEvent): void
  /** No more will come. */
  end(failures: number): { readonly interrupted: boolean }
}

/** A hook that failed, and what it keeps from running. */
interface BrokenHook {
  readonly hook: MochaTest
  readonly error: TestError
  /** The test that it was to prepare. */
  readonly begun: MochaTest | null
}

/** @param root the suite around all others, which in parallel mode holds none of them */
export function createRunLog(
  reporter: Pick<Reporter, 'recordAttempt' | 'recordSuiteError'>,
  root: MochaSuite,
  options: MochaOptions,
  cwd: string,
): RunLog {
  /** How many tests of a file have had the same titles so far. */
  const rows = new Map<string, number>()
  const told = new Set<MochaTest>()
  let begun: MochaTest | null = null
  let broken: BrokenHook[] = []

  const record = (test: MochaTest, verdict: Verdict) => {
    const key = JSON.stringify([fileOf(test, cwd), ...titlePathOf(test)])
    // An attempt follows the one before at once. What is told of a test a second time, as an error that came after its
    // end, is no attempt, of which any pass would win.
    const isRetry = (test.currentRetry?.() ?? 0) > 0 && !told.has(test)
    const row = isRetry ? (rows.get(key) ?? 0) : (rows.get(key) ?? -1) + 1
    rows.set(key, row)
    told.add(test)
    begun = null
    reporter.recordAttempt(attemptOf(test, verdict, row, cwd))
  }
  const fail = ({ name, test, error: thrown, diff }: MochaFailure) => {
    const error = errorOf(thrown, diff)
    if (test.type === 'test' || name === 'retry') record(test, { status: 'failed', error })
    else if (test.type === 'hook') broken.push({ hook: test, error, begun })
    else reporter.recordSuiteError({ where: fileOf(test, cwd) ?? test.title ?? 'mocha', ...error })
  }
  /** Tells of the tests that a hook has kept from running: all that are left of its suite when that ends. */
  const recordBlocked = ({ hook, error, begun: prepared }: BrokenHook) => {
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
    reporter.recordSuiteError({ where: titlePathOf(hook).join(' > '), ...error })
  }
  const endSuite = (suite: MochaSuite | null) => {
    const ended = broken.filter(({ hook }) => suite === null || hook.parent === suite || !hasTests(hook.parent))
    broken = broken.filter((hook) => !ended.includes(hook))
    for (const hook of ended) recordBlocked(hook)
  }
  return {
    take(event) {
      switch (event.name) {
        case 'suite end':
          return endSuite(event.suite)
        case 'test':
          begun = event.test
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
  isSelected(test.fullTitle?.() ?? titlePathOf(test).join(' '), options)

const isAfterHook = ({ title = '' }: MochaTest): boolean => title.startsWith('"after')

const hasTests = (suite: MochaSuite | undefined): boolean => Array.isArray(suite?.tests)

function testsIn(suite: MochaSuite | undefined): readonly MochaTest[] {
  return [...(suite?.tests ?? []), ...(suite?.suites ?? []).flatMap(testsIn)]
}
