import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createReporter, type FinishResult, type ReporterOptions, type TestAttempt } from '@caseward/reporter-core'
import { onTestFinished } from 'vitest'

/** A suite as any framework would report it, in a working directory that may have a past. */
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
  /** What people were told. */
  lines: string[]
}

/** A working directory that is gone after the test. */
export async function workingDirectory(): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'caseward-suite-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  return cwd
}

/** An attempt at the test of a case: passed, if nothing else is said. */
export const attemptAt = (id: string, fields: Partial<TestAttempt> = {}): TestAttempt => ({
  testId: id,
  titlePath: ['Shop', `${id} works`],
  status: 'passed',
  ...fields,
})

export async function report({ cwd, env, options, attempts = [], broken = [], interrupted }: Suite): Promise<Reported> {
  const lines: string[] = []
  const around = { env, cwd: cwd ?? (await workingDirectory()), print: (line: string) => void lines.push(line) }
  const reporter = createReporter('test', options, {}, around)
  for (const [index, attempt] of attempts.entries()) reporter.recordAttempt(attemptAt(`test ${index}`, attempt))
  for (const where of broken) reporter.recordSuiteError({ location: where, message: 'SyntaxError: it does not load' })
  return { ...(await reporter.finish({ interrupted })), lines }
}
