import { createTestId, type TestAttempt, type TestError, toRelativePath } from '@caseward/reporter-core'

import type { MochaError, MochaSuite, MochaTest } from './framework-types.ts'

export interface AttemptResult {
  readonly status: TestAttempt['status']
  readonly error?: TestError | undefined
}

/** @param occurrence index among the tests of the file with the same titles, such as tests created in a loop */
export function toAttempt(
  test: MochaTest,
  { status, error }: AttemptResult,
  occurrence: number,
  cwd: string,
): TestAttempt {
  const titlePath = getTitlePath(test)
  const file = getTestFile(test, cwd)
  return {
    testId: createTestId({ titlePath, file, occurrence }),
    titlePath,
    file,
    status,
    durationMs: test.duration,
    errors: error === undefined ? undefined : [error],
  }
}

export function getTitlePath(test: MochaTest): readonly string[] {
  return test.titlePath?.() ?? [test.title ?? '']
}

/** Returns the path relative to the working directory, with forward slashes. */
export function getTestFile(test: MochaTest, cwd: string): string | undefined {
  let file = test.file
  for (let suite: MochaSuite | undefined = test.parent; !file && suite; suite = suite.parent) file = suite.file
  return file ? toRelativePath(file, cwd) : undefined
}

/** @param diff the diff as Mocha prints it */
export function toTestError(thrown: unknown, diff?: string): TestError {
  if (typeof thrown !== 'object' || thrown === null) return { message: String(thrown) }
  const { message, stack, generatedMessage }: MochaError = thrown
  return {
    message: typeof message === 'string' && message !== '' ? message : 'The test failed.',
    stack: typeof stack === 'string' ? stack : undefined,
    diff: generatedMessage === true ? undefined : diff?.replaceAll(/^ {6}/gm, '').trim(),
  }
}
