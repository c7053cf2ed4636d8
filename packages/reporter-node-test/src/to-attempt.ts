import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'

import type { SuiteError, TestAttempt, TestError } from '@caseward/reporter-core'

import type { TestData, TestFailure } from './node-test-events.ts'

/** A test's place, which its event does not tell: it has to be gathered from those before it. */
export interface TestLocation {
  readonly titlePath: readonly string[]
  /** Which of the tests of this file and title path it is: those of a loop may have equal titles. */
  readonly occurrence: number
  readonly cwd: string
}

/** What came of one test. */
export function toAttempt(passed: boolean, data: TestData, { titlePath, occurrence, cwd }: TestLocation): TestAttempt {
  const file = getTestFile(data, cwd)
  const error = data.details?.error
  const isSkippedOrTodo = isSet(data.skip) || isSet(data.todo)
  const remark = [data.skip, data.todo].find((reason) => typeof reason === 'string' && reason !== '')
  return {
    testId: JSON.stringify([file ?? '', ...titlePath, occurrence]),
    titlePath,
    file,
    tags: Array.isArray(data.tags) ? data.tags : undefined,
    // A test to do may fail, and Node calls the suite green all the same.
    status: isSkippedOrTodo ? 'not_tested' : passed ? 'passed' : 'failed',
    durationMs: data.details?.duration_ms,
    errors: passed || error === undefined ? undefined : [toTestError(error)],
    comment: typeof remark === 'string' ? remark : isSet(data.todo) ? 'To do' : undefined,
  }
}

/** The error of a test, a hook or a file: what was thrown, under Node's own words where they say more. */
export function toTestError(failure: TestFailure): TestError {
  const { message, cause } = failure
  const thrown = formatThrown(cause) ?? formatThrown(message) ?? 'The test failed.'
  // "failed running beforeEach hook" is what tells an error of a hook from one of the test.
  const isHookFailure = failure.failureType === 'hookFailed' && typeof message === 'string' && message !== thrown
  const stack = isObject(cause) && typeof cause['stack'] === 'string' ? cause['stack'] : undefined
  return { message: isHookFailure ? `${message}: ${thrown}` : thrown, stack }
}

/**
 * A file that did not load, or did not end well, although no test of it failed.
 * @param output what it said outside of tests: Node itself tells only how it ended
 */
export function toFileError(data: TestData, cwd: string, output: string): SuiteError {
  const { exitCode, signal } = data.details?.error ?? {}
  const where = getTestFile(data, cwd) ?? data.name ?? 'a test file'
  if (typeof exitCode !== 'number' && typeof signal !== 'string')
    return { location: where, ...toTestError(data.details?.error ?? {}) }
  const how = typeof signal === 'string' ? `was ended by ${signal}` : `ended with exit code ${String(exitCode)}`
  const thrown = /^\w*Error\b.*/m.exec(output)?.[0]
  return { location: where, message: thrown ?? `The file ${how}.`, stack: output.trim() === '' ? undefined : output }
}

/**
 * Whether this is what Node says of a whole file, and not of a test in it: of one that has no tests, did not load,
 * or ended badly. It bears the file's path as its name.
 */
export function isFile(data: TestData, cwd: string): boolean {
  const { name, nesting = 0, file } = data
  if (nesting !== 0 || name === undefined) return false
  if (data.details?.error?.exitCode !== undefined) return true
  return file === undefined
    ? isAbsolute(name) && /\.[cm]?[jt]sx?$/.test(name)
    : toRelativePath(name, cwd) === toRelativePath(file, cwd)
}

/** The file relative to the working directory, with forward slashes. */
export function getTestFile(data: TestData, cwd: string): string | undefined {
  const file = data.file ?? (isFile(data, cwd) ? data.name : undefined)
  return file === undefined ? undefined : relative(cwd, toRelativePath(file, cwd)).replaceAll('\\', '/')
}

const toRelativePath = (file: string, cwd: string) =>
  resolve(cwd, file.startsWith('file:') ? fileURLToPath(file) : file)

const isSet = (directive: unknown) => directive !== undefined && directive !== false

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function formatThrown(thrown: unknown): string | undefined {
  if (thrown === undefined || thrown === null || thrown === '') return undefined
  if (isObject(thrown) && typeof thrown['message'] === 'string') return thrown['message']
  return typeof thrown === 'string' ? thrown : inspect(thrown)
}
