import { relative } from 'node:path'

import type { SuiteError, TestAttempt, TestError } from '@caseward/reporter-core'

import type { JestError, JestTestFile, JestTestResult } from './jest-results.ts'

/** Where a test stands. */
export interface Place {
  readonly file: JestTestFile
  readonly cwd: string
  /** Which of the tests of this file with the same titles it is: the rows of a table may have equal ones. */
  readonly row: number
}

/** What came of one attempt at a test. */
export function attemptOf(result: JestTestResult, { file, cwd, row }: Place): TestAttempt {
  const titlePath = titlePathOf(result)
  const path = pathOf(file, cwd)
  const { duration, failureMessages } = result
  return {
    testId: JSON.stringify([file.context?.config?.id ?? '', path, ...titlePath, row]),
    titlePath,
    file: path,
    variant: variantOf(file),
    status: statusOf(result),
    durationMs: typeof duration === 'number' ? duration : undefined,
    errors: textsOf(failureMessages).map(readError),
    remark: result.status === 'todo' ? 'To do' : undefined,
  }
}

/** The attempts that a result tells of, the last one included: those before it only where Jest was told to log them. */
export function attemptsOf(result: JestTestResult, place: Place): TestAttempt[] {
  const last = attemptOf(result, place)
  const earlier = textsOf(result.retryReasons).map((reason) => ({
    ...last,
    status: 'failed' as const,
    durationMs: undefined,
    errors: [readError(reason)],
  }))
  return [...earlier, last]
}

export function titlePathOf({ ancestorTitles, title }: JestTestResult): string[] {
  return [...textsOf(ancestorTitles), title ?? ''].map(String)
}

/** Jest itself says `failed` of tests that a hook kept from running, and `passed` of those that failed as expected. */
function statusOf({ status }: JestTestResult): TestAttempt['status'] {
  return status === 'passed' || status === 'failed' ? status : 'not_tested'
}

/** What went wrong outside of every test. */
export function suiteErrorOf(where: string, { message, stack }: JestError): SuiteError {
  const said = typeof message === 'string' ? message : ''
  const whole = typeof stack === 'string' ? stack : ''
  // Of what is thrown outside of tests Jest tells all in the stack, and no message.
  return said === '' ? { where, ...readError(whole) } : { where, message: said, stack: whole }
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
export const pathOf = ({ path }: JestTestFile, cwd: string): string => relative(cwd, path).replaceAll('\\', '/')

/** The name of the project that it belongs to, if it was given one. */
function variantOf({ context }: JestTestFile): string | undefined {
  const name = context?.config?.displayName
  return typeof name === 'string' ? name : name?.name
}

const textsOf = (texts: readonly string[] | null | undefined): readonly string[] =>
  Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : []
