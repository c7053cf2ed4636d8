import { relative } from 'node:path'

import type { SuiteError, TestAttempt, TestError } from '@caseward/reporter-core'

import type { TestCase, TestModule, TestSuite, VitestError } from './vitest-objects.ts'

/** How many errors are told of one that has a cause, which may have one itself. */
const CAUSES = 5

/**
 * What came of a test, attempt by attempt. Vitest tells of a test once, when it has ended: how often it was tried, and
 * all errors in their order, but neither which error belongs to which attempt nor how long each took.
 */
export function toAttempts(test: TestCase, cwd: string): TestAttempt[] {
  const { state = 'pending', errors = [], note } = test.result() ?? {}
  const { duration, retryCount = 0, repeatCount = 0 } = test.diagnostic() ?? {}
  const identity = getTestIdentity(test, cwd)
  if (state === 'skipped') {
    return [
      { ...identity, status: 'not_tested', comment: note ?? (test.options.mode === 'todo' ? 'To do' : undefined) },
    ]
  }
  if (state === 'pending') return [{ ...identity, status: 'retest', comment: 'It was interrupted.' }]
  const allErrors = errors.flatMap((error) => withCauses(error))
  const status = state
  // Repeated, it must pass every time, and one that is to fail is tried again because it does: no pass makes up for these.
  if (repeatCount > 0 || test.options.fails === true) {
    const remark = repeatCount > 0 ? `It ran ${repeatCount + 1} times.` : undefined
    return [
      { ...identity, status, durationMs: duration, errors: status === 'passed' ? [] : allErrors, comment: remark },
    ]
  }
  const failed = status === 'passed' ? retryCount : retryCount + 1
  const share = Math.max(1, Math.floor(errors.length / failed))
  const attempts: TestAttempt[] = Array.from({ length: failed }, (_, index) => {
    const end = index === failed - 1 ? errors.length : (index + 1) * share
    return { ...identity, status: 'failed', errors: errors.slice(index * share, end).flatMap(withCauses) }
  })
  if (status === 'passed') attempts.push({ ...identity, status })
  return attempts.map((attempt, index) =>
    index === attempts.length - 1 ? { ...attempt, durationMs: duration } : attempt,
  )
}

/** A test that a hook before it kept from running. */
export const toBlockedAttempt = (errors: readonly VitestError[], test: TestCase, cwd: string): TestAttempt => ({
  ...getTestIdentity(test, cwd),
  status: 'blocked',
  errors: errors.flatMap(withCauses),
})

/** An error that belongs to no test: of a file that does not load, of a hook after the tests, or from nowhere. */
export function toSuiteError(error: VitestError, block: TestSuite | TestModule | null, cwd: string): SuiteError {
  const [errors = { message: 'Something failed.' }] = withCauses(error)
  return { location: getErrorLocation(error, block, cwd), ...errors }
}

/** The name of a test as Vitest's own filter reads it. */
export const getFilterName = (test: TestCase): string => getTitlePath(test).join(' ')

/** The file of a test or block. */
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

/** From `task.meta.test_case_id` and annotations of that type. */
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

/** An error and what caused it. What was thrown may be anything. */
function withCauses(error: unknown): TestError[] {
  const chain: TestError[] = []
  for (let next: unknown = error; next !== undefined && next !== null && chain.length < CAUSES; next = getCause(next)) {
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

const toRelativePath = (file: string, cwd: string): string => relative(cwd, file).replaceAll('\\', '/')
