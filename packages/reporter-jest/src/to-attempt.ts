import { relative } from 'node:path'

import type { SuiteError, TestAttempt, TestError } from '@caseward/reporter-core'

import type { JestError, JestTestFile, JestTestResult } from './jest-results.ts'

/** Where a test stands. */
export interface TestLocation {
  readonly file: JestTestFile
  readonly cwd: string
  /** Which of the tests of this file with the same titles it is: the rows of a table may have equal ones. */
  readonly occurrence: number
}

/** What came of one attempt at a test. */
export function toAttempt(result: JestTestResult, { file, cwd, occurrence }: TestLocation): TestAttempt {
  const titlePath = getTitlePath(result)
  const path = toRelativePath(file, cwd)
  const { duration, failureMessages } = result
  return {
    testId: JSON.stringify([file.context?.config?.id ?? '', path, ...titlePath, occurrence]),
    titlePath,
    file: path,
    variant: getVariant(file),
    status: toResultStatus(result),
    durationMs: typeof duration === 'number' ? duration : undefined,
    errors: toStrings(failureMessages).map(readError),
    comment: result.status === 'todo' ? 'To do' : undefined,
  }
}

/** The attempts that a result tells of, the last one included: those before it only where Jest was told to log them. */
export function toAttempts(result: JestTestResult, location: TestLocation): TestAttempt[] {
  const last = toAttempt(result, location)
  const earlier = toStrings(result.retryReasons).map((reason) => ({
    ...last,
    status: 'failed' as const,
    durationMs: undefined,
    errors: [readError(reason)],
  }))
  return [...earlier, last]
}

export function getTitlePath({ ancestorTitles, title }: JestTestResult): string[] {
  return [...toStrings(ancestorTitles), title ?? ''].map(String)
}

/** Jest itself says `failed` of tests that a hook kept from running, and `passed` of those that failed as expected. */
function toResultStatus({ status }: JestTestResult): TestAttempt['status'] {
  return status === 'passed' || status === 'failed' ? status : 'not_tested'
}

/** What went wrong outside of every test. */
export function toSuiteError(where: string, { message, stack }: JestError): SuiteError {
  const text = typeof message === 'string' ? message : ''
  const whole = typeof stack === 'string' ? stack : ''
  // Of what is thrown outside of tests Jest tells all in the stack, and no message.
  return text === '' ? { location: where, ...readError(whole) } : { location: where, message: text, stack: whole }
}

/** Takes message and stack apart, which Jest tells as one text. */
function readError(text: string): TestError {
  const frames = text.search(/\n\s+at /)
  const message = frames === -1 ? text : text.slice(0, frames)
  const stack = text.split('\n').filter((line) => !isFrameOfJest(line))
  return { message: message.replace(/^Error: (?=\S)/, '').trim() || 'The test failed.', stack: stack.join('\n') }
}

/** Frames that Jest leaves out, too, when it prints an error: its own and those of Node. */
const isFrameOfJest = (line: string): boolean =>
  /^\s+at .*(?:[\\/]node_modules[\\/](?:@jest[\\/]|jest-|expect[\\/])|\bnode:internal\b|\bnew Promise \(<anonymous>)/.test(
    line,
  )

/** The file relative to the working directory, with forward slashes. */
export const toRelativePath = ({ path }: JestTestFile, cwd: string): string => relative(cwd, path).replaceAll('\\', '/')

/** The name of the project that it belongs to, if it was given one. */
function getVariant({ context }: JestTestFile): string | undefined {
  const name = context?.config?.displayName
  return typeof name === 'string' ? name : name?.name
}

const toStrings = (texts: readonly string[] | null | undefined): readonly string[] =>
  Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : []
