import {
  createTestId,
  type SuiteError,
  type TestAttempt,
  type TestError,
  toRelativePath,
} from '@caseward/reporter-core'

import type { JestError, JestTestFile, JestTestResult } from './framework-types.ts'

export interface TestLocation {
  readonly file: JestTestFile
  readonly cwd: string
  /** Index among the tests of the file with the same titles, such as rows of a table. */
  readonly occurrence: number
}

export function toAttempt(result: JestTestResult, { file, cwd, occurrence }: TestLocation): TestAttempt {
  const titlePath = getTitlePath(result)
  const path = getTestFile(file, cwd)
  const { duration, failureMessages } = result
  return {
    testId: `${file.context?.config?.id ?? ''} ${createTestId({ titlePath, file: path, occurrence })}`,
    titlePath,
    file: path,
    variant: getVariant(file),
    status: toAttemptStatus(result),
    durationMs: typeof duration === 'number' ? duration : undefined,
    errors: toStrings(failureMessages).map(parseError),
    comment: result.status === 'todo' ? 'To do' : undefined,
  }
}

/** Converts a result to the last attempt, preceded by the attempts whose errors Jest has logged. */
export function toAttempts(result: JestTestResult, location: TestLocation): TestAttempt[] {
  const last = toAttempt(result, location)
  const earlier = toStrings(result.retryReasons).map((reason) => ({
    ...last,
    status: 'failed' as const,
    durationMs: undefined,
    errors: [parseError(reason)],
  }))
  return [...earlier, last]
}

export function getTitlePath({ ancestorTitles, title }: JestTestResult): string[] {
  return [...toStrings(ancestorTitles), title ?? ''].map(String)
}

const SKIPPED = new Set<unknown>(['pending', 'todo', 'skipped', 'disabled', 'focused'])

/**
 * Jest reports tests that a failed hook blocked as `failed`, and tests that failed as expected as `passed`.
 * @throws for a status that this version does not know
 */
function toAttemptStatus({ status }: JestTestResult): TestAttempt['status'] {
  if (status === 'passed' || status === 'failed') return status
  if (SKIPPED.has(status)) return 'skipped'
  throw new Error(`the status “${String(status)}” is unknown`)
}

export function toSuiteError(location: string, { message, stack }: JestError): SuiteError {
  const messageText = typeof message === 'string' ? message : ''
  const stackText = typeof stack === 'string' ? stack : ''
  // For some errors outside of tests, Jest provides only a stack.
  return messageText === ''
    ? { location, ...parseError(stackText) }
    : { location, message: messageText, stack: stackText }
}

/** Parses an error of Jest, which contains message and stack in one text. */
function parseError(text: string): TestError {
  const frames = text.search(/\n\s+at /)
  const message = frames === -1 ? text : text.slice(0, frames)
  const stack = text.split('\n').filter((line) => !isFrameOfJest(line))
  return { message: message.replace(/^Error: (?=\S)/, '').trim() || 'The test failed.', stack: stack.join('\n') }
}

/** Matches the frames of Jest and Node, which Jest does not print either. */
const isFrameOfJest = (line: string): boolean =>
  /^\s+at .*(?:[\\/]node_modules[\\/](?:@jest[\\/]|jest-|expect[\\/])|\bnode:internal\b|\bnew Promise \(<anonymous>)/.test(
    line,
  )

/** Returns the path relative to the working directory, with forward slashes. */
export const getTestFile = ({ path }: JestTestFile, cwd: string): string => toRelativePath(path, cwd)

/** Returns the name of the project, if it has one. */
function getVariant({ context }: JestTestFile): string | undefined {
  const name = context?.config?.displayName
  return typeof name === 'string' ? name : name?.name
}

const toStrings = (texts: readonly string[] | null | undefined): readonly string[] =>
  Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : []
