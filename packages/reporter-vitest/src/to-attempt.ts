import { type SuiteError, type TestAttempt, type TestError, toRelativePath } from '@caseward/reporter-core'

import type { TestCase, TestModule, TestSuite, VitestError } from './framework-types.ts'
import { toAttachments } from './to-attachments.ts'

/** Maximum length of a chain of causes. */
const MAX_CAUSES = 5

/**
 * Converts a test to its attempts. Vitest reports only the number of attempts and all errors in order, but not which
 * error and duration belong to which attempt.
 */
export function toAttempts(test: TestCase, cwd: string): TestAttempt[] {
  const attempts = toPlainAttempts(test, cwd)
  const attachments = toAttachments(test)
  if (attachments.length === 0) return attempts
  // Nor which files: they are mostly of a failure.
  const index = Math.max(
    attempts.findIndex(({ status }) => status === 'failed'),
    0,
  )
  return attempts.map((attempt, position) => (position === index ? { ...attempt, attachments } : attempt))
}

function toPlainAttempts(test: TestCase, cwd: string): TestAttempt[] {
  const { state = 'pending', errors = [], note } = test.result() ?? {}
  const { duration, retryCount = 0, repeatCount = 0 } = test.diagnostic() ?? {}
  const identity = getTestIdentity(test, cwd)
  if (state === 'skipped') {
    return [{ ...identity, status: 'skipped', comment: note ?? (test.options.mode === 'todo' ? 'To do' : undefined) }]
  }
  if (state === 'pending') return [{ ...identity, status: 'interrupted', comment: 'Interrupted.' }]
  const allErrors = errors.flatMap((error) => withCauses(error))
  const status = state
  // A repeated test must pass every time, and a test with `fails` is retried because it fails: both are one attempt.
  if (repeatCount > 0 || test.options.fails === true) {
    const comment = repeatCount > 0 ? `Ran ${repeatCount + 1} times.` : undefined
    return [{ ...identity, status, durationMs: duration, errors: status === 'passed' ? [] : allErrors, comment }]
  }
  const failedCount = status === 'passed' ? retryCount : retryCount + 1
  const errorsPerAttempt = Math.max(1, Math.floor(errors.length / failedCount))
  const attempts: TestAttempt[] = Array.from({ length: failedCount }, (_, index) => {
    const start = index * errorsPerAttempt
    const end = index === failedCount - 1 ? errors.length : start + errorsPerAttempt
    return { ...identity, status: 'failed', errors: errors.slice(start, end).flatMap(withCauses) }
  })
  if (status === 'passed') attempts.push({ ...identity, status })
  return attempts.map((attempt, index) =>
    index === attempts.length - 1 ? { ...attempt, durationMs: duration } : attempt,
  )
}

/** Converts a test that was blocked by a failed hook. */
export const toBlockedAttempt = (errors: readonly VitestError[], test: TestCase, cwd: string): TestAttempt => ({
  ...getTestIdentity(test, cwd),
  status: 'blocked',
  errors: errors.flatMap(withCauses),
})

/** Converts an error outside of tests: of a file that did not load, a hook after the tests, or an unknown source. */
export function toSuiteError(error: VitestError, block: TestSuite | TestModule | null, cwd: string): SuiteError {
  const [testError = { message: 'Unknown error' }] = withCauses(error)
  return { location: getErrorLocation(error, block, cwd), ...testError }
}

/** Returns the name that Vitest compares with its filters. */
export const getFilterName = (test: TestCase): string => getTitlePath(test).join(' ')

/** Returns the file of a test or block. */
export function getModule({ parent }: TestCase | TestSuite): TestModule {
  return parent.type === 'module' ? parent : getModule(parent)
}

function getTestIdentity(test: TestCase, cwd: string): Omit<TestAttempt, 'status'> {
  return {
    testId: test.id,
    titlePath: getTitlePath(test),
    file: toRelativePath(getModule(test).moduleId, cwd),
    variant: test.project.name || undefined,
    caseIds: getCaseIds(test),
    tags: test.tags,
  }
}

/** Returns the ids in `task.meta.test_case_id` and in annotations of that type. */
function getCaseIds(test: TestCase): string[] {
  const meta: unknown = (test.meta() as { test_case_id?: unknown } | undefined)?.test_case_id
  const annotations = test.annotations?.() ?? []
  return [
    ...(Array.isArray(meta) ? meta : [meta]).filter((id): id is string => typeof id === 'string'),
    ...annotations.flatMap(({ type, message }) => (type === 'test_case_id' ? [message] : [])),
  ]
}

function getTitlePath(task: TestCase | TestSuite): string[] {
  return [...(task.parent.type === 'module' ? [] : getTitlePath(task.parent)), task.name]
}

function getErrorLocation(error: VitestError, block: TestSuite | TestModule | null, cwd: string): string {
  if (block?.type === 'suite')
    return `${toRelativePath(getModule(block).moduleId, cwd)} > ${getTitlePath(block).join(' > ')}`
  const file = block?.moduleId ?? error.VITEST_TEST_PATH
  return file === undefined ? 'the suite' : toRelativePath(file, cwd)
}

/** Returns an error and its causes. A thrown value can have any type. */
function withCauses(error: unknown): TestError[] {
  const chain: TestError[] = []
  for (
    let next: unknown = error;
    next !== undefined && next !== null && chain.length < MAX_CAUSES;
    next = getCause(next)
  ) {
    chain.push(toTestError(next))
  }
  return chain
}

const getCause = (error: unknown): unknown => (typeof error === 'object' ? (error as VitestError).cause : undefined)

function toTestError(error: unknown): TestError {
  if (typeof error !== 'object' || error === null) return { message: String(error) }
  const { name = 'Error', message = '', stack, diff } = error as VitestError
  return { message: message === '' ? name : message, stack, diff }
}
