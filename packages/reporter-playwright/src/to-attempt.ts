import { relative } from 'node:path'

import type { SuiteError, TestAttempt, TestError } from '@caseward/reporter-core'

import type { TestError as PlaywrightError, Suite, TestCase, TestResult } from './playwright-objects.ts'

/** How many errors are told of one that has a cause, which may have one itself. */
const CAUSES = 5

/** Who is this test, and which cases does it name? */
export function getTestIdentity(
  test: TestCase,
  cwd: string,
): Pick<TestAttempt, 'testId' | 'titlePath' | 'file' | 'variant' | 'caseIds' | 'tags'> {
  const file = getSuites(test).at(-1)
  return {
    testId: test.id,
    titlePath: getTitlePath(test),
    file: toRelativePath(file?.location?.file ?? test.location.file, cwd),
    variant: test.parent.project()?.name || undefined,
    caseIds: described('test_case_id', test.annotations),
    tags: test.tags,
  }
}

/** What came of one attempt at a test. Not of one that did not run although it was to: see `didNotRun`. */
export function toAttempt(test: TestCase, result: TestResult, cwd: string): TestAttempt {
  const annotations = [...test.annotations, ...(result.annotations ?? [])]
  const status = toResultStatus(test, result)
  return {
    ...getTestIdentity(test, cwd),
    caseIds: described('test_case_id', annotations),
    status,
    durationMs: status === 'not_tested' ? undefined : result.duration,
    errors: status === 'passed' ? [] : getErrors(test, result),
    comment: getComment(status, annotations),
  }
}

/** Whether it was to run, and Playwright calls it skipped because of what failed before it. */
export const didNotRun = (test: TestCase, result: TestResult): boolean =>
  result.status === 'skipped' && test.expectedStatus !== 'skipped'

/** An error that belongs to no test: in a file that does not load, in the global setup, in a worker. */
export function toSuiteError(error: PlaywrightError, cwd: string): SuiteError {
  const { message, stack } = toTestError(error)
  return {
    location: error.location === undefined ? 'the suite' : toRelativePath(error.location.file, cwd),
    message,
    stack,
  }
}

/** The block of a test and those around it, the innermost first, up to its file; around that are its project and the root. */
export function getSuites(test: TestCase): Suite[] {
  const suites: Suite[] = []
  for (let suite: Suite | undefined = test.parent; suite !== undefined; suite = suite.parent) suites.push(suite)
  return suites.slice(0, -2)
}

function toResultStatus(test: TestCase, { status }: TestResult): TestAttempt['status'] {
  if (status === 'skipped') return 'not_tested'
  if (status === 'interrupted') return 'retest'
  return status === test.expectedStatus ? 'passed' : 'failed'
}

/** What went wrong in an attempt, with what caused it. */
export function getErrors({ expectedStatus }: TestCase, { status, errors }: TestResult): TestError[] {
  if (status === 'passed' && expectedStatus === 'failed') return [{ message: 'Expected to fail, but passed.' }]
  return errors.flatMap((error) => withCauses(error).map(toTestError))
}

function withCauses(error: PlaywrightError): PlaywrightError[] {
  const chain: PlaywrightError[] = []
  for (let next: PlaywrightError | undefined = error; next !== undefined; next = next.cause) {
    if (chain.push(next) === CAUSES) break
  }
  return chain
}

const toTestError = ({ message, value, stack }: PlaywrightError): TestError => ({
  message: message ?? value ?? 'The test failed.',
  stack,
})

/** Why it was skipped, or was to fail and did. */
function getComment(status: TestAttempt['status'], annotations: TestCase['annotations']): string | undefined {
  const types = status === 'not_tested' ? ['skip', 'fixme'] : status === 'passed' ? ['fail'] : []
  return types.flatMap((type) => described(type, annotations))[0]
}

const described = (type: string, annotations: TestCase['annotations']): string[] => [
  ...new Set(annotations.flatMap((annotation) => (annotation.type === type ? (annotation.description ?? []) : []))),
]

const getTitlePath = (test: TestCase): string[] => [
  ...getSuites(test)
    .slice(0, -1)
    .map(({ title }) => title)
    .reverse(),
  test.title,
]

const toRelativePath = (file: string, cwd: string): string => relative(cwd, file).replaceAll('\\', '/')
