import { isAbsolute } from 'node:path'
import { inspect } from 'node:util'

import {
  createTestId,
  type SuiteError,
  type TestAttempt,
  type TestError,
  toRelativePath,
} from '@caseward/reporter-core'

import type { TestData, TestFailure } from './framework-types.ts'

export interface TestLocation {
  readonly titlePath: readonly string[]
  /** Index among the tests of the file with the same titles, such as tests created in a loop. */
  readonly occurrence: number
  readonly cwd: string
}

export function toAttempt(passed: boolean, data: TestData, { titlePath, occurrence, cwd }: TestLocation): TestAttempt {
  const file = getTestFile(data, cwd)
  const error = data.details?.error
  const isSkippedOrTodo = isSet(data.skip) || isSet(data.todo)
  const reason = [data.skip, data.todo].find((value) => typeof value === 'string' && value !== '')
  return {
    testId: createTestId({ titlePath, file, occurrence }),
    titlePath,
    file,
    tags: Array.isArray(data.tags) ? data.tags : undefined,
    // A todo test may fail without failing the suite.
    status: isSkippedOrTodo ? 'skipped' : passed ? 'passed' : 'failed',
    durationMs: data.details?.duration_ms,
    errors: passed || error === undefined ? undefined : [toTestError(error)],
    comment: typeof reason === 'string' ? reason : isSet(data.todo) ? 'To do' : undefined,
  }
}

/** Converts the error of a test, hook or file to the thrown error. Node's message is added for a hook. */
export function toTestError(failure: TestFailure): TestError {
  const { message, cause } = failure
  const thrown = formatThrown(cause) ?? formatThrown(message) ?? 'The test failed.'
  // Such as "failed running beforeEach hook".
  const isHookFailure = failure.failureType === 'hookFailed' && typeof message === 'string' && message !== thrown
  const stack = isObject(cause) && typeof cause['stack'] === 'string' ? cause['stack'] : undefined
  return { message: isHookFailure ? `${message}: ${thrown}` : thrown, stack }
}

/**
 * Converts the failure of a file that did not load or exited with an error.
 * @param output output of the file outside of tests, which often contains the error
 */
export function toFileError(data: TestData, cwd: string, output: string): SuiteError {
  const { exitCode, signal } = data.details?.error ?? {}
  const location = getTestFile(data, cwd) ?? data.name ?? 'a test file'
  if (typeof exitCode !== 'number' && typeof signal !== 'string')
    return { location, ...toTestError(data.details?.error ?? {}) }
  const exit = typeof signal === 'string' ? `was terminated by ${signal}` : `exited with code ${String(exitCode)}`
  const thrown = /^\w*Error\b.*/m.exec(output)?.[0]
  return { location, message: thrown ?? `The file ${exit}.`, stack: output.trim() === '' ? undefined : output }
}

/**
 * Returns whether an event is about a file, whose name is its path: without tests, not loaded, or exited with an error.
 */
export function isFile(data: TestData, cwd: string): boolean {
  const { name, nesting = 0, file } = data
  if (nesting !== 0 || name === undefined) return false
  if (data.details?.error?.exitCode !== undefined) return true
  return file === undefined
    ? isAbsolute(name) && /\.[cm]?[jt]sx?$/.test(name)
    : toRelativePath(name, cwd) === toRelativePath(file, cwd)
}

/** Returns the path relative to the working directory, with forward slashes. */
export function getTestFile(data: TestData, cwd: string): string | undefined {
  const file = data.file ?? (isFile(data, cwd) ? data.name : undefined)
  return file === undefined ? undefined : toRelativePath(file, cwd)
}

const isSet = (directive: unknown) => directive !== undefined && directive !== false

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function formatThrown(thrown: unknown): string | undefined {
  if (thrown === undefined || thrown === null || thrown === '') return undefined
  if (isObject(thrown) && typeof thrown['message'] === 'string') return thrown['message']
  return typeof thrown === 'string' ? thrown : inspect(thrown)
}
