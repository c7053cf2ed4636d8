import type { Guard, Reporter, TestError } from '@caseward/reporter-core'

import { toAttempt, didNotRun, getErrors, getTestIdentity, toSuiteError, getSuites } from './to-attempt.ts'
import type { FullResult, TestError as PlaywrightError, Suite, TestCase, TestResult } from './framework-types.ts'

/** Reads Playwright's events in their order. */
export interface TestReader {
  recordResult(test: TestCase, result: TestResult): void
  recordError(error: PlaywrightError): void
  /** Call it after the last event. */
  end(result: FullResult): { readonly interrupted: boolean }
}

/** A failed test that blocked other tests. */
interface BlockingFailure {
  readonly title: string
  readonly errors: readonly TestError[]
}

/**
 * Creates a reader that records each attempt immediately.
 * @param guard records the tests that cannot be read at the end of the suite, one at a time
 */
export function createTestReader(reporter: Reporter, root: Suite, cwd: string, guard: Guard): TestReader {
  /** The latest failure in each block and file. Playwright reports the failure of a hook as that of a test. */
  const failuresBySuite = new Map<Suite, BlockingFailure>()

  const recordBlocked = (test: TestCase, failure: BlockingFailure | undefined) => {
    reporter.recordAttempt({
      ...getTestIdentity(test, cwd),
      status: 'blocked',
      errors: failure?.errors ?? [],
      comment: failure === undefined ? 'Did not run.' : `Did not run because “${failure.title}” failed.`,
    })
  }
  return {
    recordResult(test, result) {
      if (didNotRun(test, result)) {
        const suiteWithFailure = getSuites(test).find((suite) => failuresBySuite.has(suite))
        recordBlocked(test, suiteWithFailure && failuresBySuite.get(suiteWithFailure))
        return
      }
      const attempt = toAttempt(test, result, cwd)
      reporter.recordAttempt(attempt)
      if (attempt.status !== 'failed') return
      for (const suite of getSuites(test))
        failuresBySuite.set(suite, { title: test.title, errors: attempt.errors ?? [] })
    },
    recordError(error) {
      reporter.recordSuiteError(toSuiteError(error, cwd))
    },
    end({ status }) {
      const tests = root.allTests()
      const dependencyIndex = createDependencyIndex(tests)
      const testsNotRun = tests.filter(
        ({ results, expectedStatus }) => results.length === 0 && expectedStatus !== 'skipped',
      )
      let remainingCount = 0
      const readTestNotRun = (test: TestCase) => {
        const failed = dependencyIndex.findFailedDependency(test)
        if (failed === undefined) {
          remainingCount += 1
        } else {
          const errors = failed.results.flatMap((result) => getErrors(failed, result))
          recordBlocked(test, { title: failed.title, errors })
        }
      }
      for (const test of testsNotRun) guard(() => readTestNotRun(test))
      return { interrupted: remainingCount > 0 || status === 'interrupted' || status === 'timedout' }
    },
  }
}

/** Finds the failed test of a project dependency that blocked a test. */
function createDependencyIndex(tests: readonly TestCase[]): {
  findFailedDependency(test: TestCase): TestCase | undefined
} {
  const dependencies = new Map<string, readonly string[]>()
  const failures = new Map<string, TestCase>()
  for (const test of tests) {
    const { name = '', dependencies: projectDependencies = [] } = test.parent.project() ?? {}
    dependencies.set(name, projectDependencies)
    if (test.outcome() === 'unexpected') failures.set(name, test)
  }
  const findFailedDependency = (name: string): TestCase | undefined => {
    for (const dependency of dependencies.get(name) ?? []) {
      const failure = failures.get(dependency) ?? findFailedDependency(dependency)
      if (failure !== undefined) return failure
    }
    return undefined
  }
  return { findFailedDependency: (test) => findFailedDependency(test.parent.project()?.name ?? '') }
}
