import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createReporter, type FinishResult, type ReporterOptions, type TestAttempt } from '@caseward/reporter-core'
import { onTestFinished } from 'vitest'

/** A suite of any framework. A working directory of its own can contain results of earlier suites. */
export interface Suite {
  cwd?: string
  env: Record<string, string>
  options?: ReporterOptions
  attempts?: readonly Partial<TestAttempt>[]
  /** Files that did not load. */
  broken?: readonly string[]
  interrupted?: boolean
}

export interface Reported extends FinishResult {
  /** The printed lines. */
  lines: string[]
}

/** Creates a working directory that is removed after the test. */
export async function createWorkingDirectory(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'caseward-suite-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  return cwd
}

/** Creates a passed attempt at the test of a test case. */
export const attemptAt = (id: string, fields: Partial<TestAttempt> = {}): TestAttempt => ({
  testId: id,
  titlePath: ['Shop', `${id} works`],
  status: 'passed',
  ...fields,
})

export async function report({ cwd, env, options, attempts = [], broken = [], interrupted }: Suite): Promise<Reported> {
  const lines: string[] = []
  const runtime = { env, cwd: cwd ?? (await createWorkingDirectory()), print: (line: string) => void lines.push(line) }
  const reporter = createReporter('test', options, {}, runtime)
  for (const [index, attempt] of attempts.entries()) reporter.recordAttempt(attemptAt(`test ${index}`, attempt))
  for (const location of broken) reporter.recordSuiteError({ location, message: 'SyntaxError: it does not load' })
  return { ...(await reporter.finish({ interrupted })), lines }
}
