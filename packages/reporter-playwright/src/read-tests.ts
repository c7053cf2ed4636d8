import type { Reporter, TestError } from '@caseward/reporter-core'

import { attemptOf, didNotRun, errorsOf, identityOf, suiteErrorOf, suitesOf } from './to-attempt.ts'
import type { FullResult, TestError as PlaywrightError, Suite, TestCase, TestResult } from './playwright-objects.ts'

/** Takes what Playwright tells, in its order. */
export interface TestReader {
  endAttempt(test: TestCase, result: TestResult): void
  readError(error: PlaywrightError): void
  /** No more will come. */
  end(result: FullResult): { readonly interrupted: boolean }
}

/** A test that failed, and so kept others from running. */
interface Culprit {
  readonly title: string
  readonly errors: readonly TestError[]
}

/** Tells a reporter of each attempt as soon as Playwright does. */
export function createTestReader(reporter: Reporter, root: Suite, cwd: string): TestReader {
  /** The latest failure in each block and file: of its tests, or of a hook, which Playwright tells as a test's. */
  const culprits = new Map<Suite, Culprit>()

  const block = (test: TestCase, culprit: Culprit | undefined) => {
    const remark = culprit === undefined ? 'It did not run.' : `It did not run, because “${culprit.title}” failed.`
    reporter.recordAttempt({ ...identityOf(test, cwd), status: 'blocked', errors: culprit?.errors ?? [], remark })
  }
  return {
    endAttempt(test, result) {
      if (didNotRun(test, result)) {
        const nearest = suitesOf(test).find((suite) => culprits.has(suite))
        block(test, nearest && culprits.get(nearest))
        return
      }
      const attempt = attemptOf(test, result, cwd)
      reporter.recordAttempt(attempt)
      if (attempt.status !== 'failed') return
      for (const suite of suitesOf(test)) culprits.set(suite, { title: test.title, errors: attempt.errors ?? [] })
    },
    readError(error) {
      reporter.recordSuiteError(suiteErrorOf(error, cwd))
    },
    end({ status }) {
      const tests = root.allTests()
      const setUps = createProjects(tests)
      let left = 0
      for (const test of tests.filter(
        ({ results, expectedStatus }) => results.length === 0 && expectedStatus !== 'skipped',
      )) {
        const failed = setUps.failureBefore(test)
        if (failed === undefined) left += 1
        else block(test, { title: failed.title, errors: failed.results.flatMap((result) => errorsOf(failed, result)) })
      }
      return { interrupted: left > 0 || status === 'interrupted' || status === 'timedout' }
    },
  }
}

/** Which test of the projects that must pass before its own has failed? */
function createProjects(tests: readonly TestCase[]): { failureBefore(test: TestCase): TestCase | undefined } {
  const dependencies = new Map<string, readonly string[]>()
  const failures = new Map<string, TestCase>()
  for (const test of tests) {
    const { name = '', dependencies: needed = [] } = test.parent.project() ?? {}
    dependencies.set(name, needed)
    if (test.outcome() === 'unexpected') failures.set(name, test)
  }
  const failureBefore = (name: string): TestCase | undefined => {
    for (const needed of dependencies.get(name) ?? []) {
      const failure = failures.get(needed) ?? failureBefore(needed)
      if (failure !== undefined) return failure
    }
    return undefined
  }
  return { failureBefore: (test) => failureBefore(test.parent.project()?.name ?? '') }
}
