import type { Reporter, TestError } from '@caseward/reporter-core'

import { toAttempt, didNotRun, getErrors, getTestIdentity, toSuiteError, getSuites } from './to-attempt.ts'
import type { FullResult, TestError as PlaywrightError, Suite, TestCase, TestResult } from './playwright-objects.ts'

/** Takes what Playwright tells, in its order. */
export interface TestReader {
  recordResult(test: TestCase, result: TestResult): void
  readError(error: PlaywrightError): void
  /** No more will come. */
  end(result: FullResult): { readonly interrupted: boolean }
}

/** A test that failed, and so kept others from running. */
interface BlockingFailure {
  readonly title: string
  readonly errors: readonly TestError[]
}

/** Tells a reporter of each attempt as soon as Playwright does. */
export function createTestReader(reporter: Reporter, root: Suite, cwd: string): TestReader {
  /** The latest failure in each block and file: of its tests, or of a hook, which Playwright tells as a test's. */
  const failuresBySuite = new Map<Suite, BlockingFailure>()

  const block = (test: TestCase, culprit: BlockingFailure | undefined) => {
    const remark = culprit === undefined ? 'It did not run.' : `It did not run, because “${culprit.title}” failed.`
    reporter.recordAttempt({
      ...getTestIdentity(test, cwd),
      status: 'blocked',
      errors: culprit?.errors ?? [],
      comment: remark,
    })
  }
  return {
    recordResult(test, result) {
      if (didNotRun(test, result)) {
        const nearest = getSuites(test).find((suite) => failuresBySuite.has(suite))
        block(test, nearest && failuresBySuite.get(nearest))
        return
      }
      const attempt = toAttempt(test, result, cwd)
      reporter.recordAttempt(attempt)
      if (attempt.status !== 'failed') return
      for (const suite of getSuites(test))
        failuresBySuite.set(suite, { title: test.title, errors: attempt.errors ?? [] })
    },
    readError(error) {
      reporter.recordSuiteError(toSuiteError(error, cwd))
    },
    end({ status }) {
      const tests = root.allTests()
      const dependencyIndex = createDependencyIndex(tests)
      let left = 0
      for (const test of tests.filter(
        ({ results, expectedStatus }) => results.length === 0 && expectedStatus !== 'skipped',
      )) {
        const failed = dependencyIndex.findFailedDependency(test)
        if (failed === undefined) left += 1
        else block(test, { title: failed.title, errors: failed.results.flatMap((result) => getErrors(failed, result)) })
      }
      return { interrupted: left > 0 || status === 'interrupted' || status === 'timedout' }
    },
  }
}

/** Which test of the projects that must pass before its own has failed? */
function createDependencyIndex(tests: readonly TestCase[]): {
  findFailedDependency(test: TestCase): TestCase | undefined
} {
  const dependencies = new Map<string, readonly string[]>()
  const failures = new Map<string, TestCase>()
  for (const test of tests) {
    const { name = '', dependencies: needed = [] } = test.parent.project() ?? {}
    dependencies.set(name, needed)
    if (test.outcome() === 'unexpected') failures.set(name, test)
  }
  const findFailedDependency = (name: string): TestCase | undefined => {
    for (const needed of dependencies.get(name) ?? []) {
      const failure = failures.get(needed) ?? findFailedDependency(needed)
      if (failure !== undefined) return failure
    }
    return undefined
  }
  return { findFailedDependency: (test) => findFailedDependency(test.parent.project()?.name ?? '') }
}
