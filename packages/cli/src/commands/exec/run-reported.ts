import type { Context } from '../../context.ts'
import { createRedactor } from './redact-secrets.ts'
import { createFailureReporter, type StoredFailure } from './report-failure.ts'
import { runChild } from './run-child.ts'
import { type ExecOptions, toChildEnvironment } from './settings.ts'

/** How a command ended, and what became of its failure. */
interface ReportedCommand {
  /** As shells count: 128 and its number for a signal, 127 for an unknown command. */
  readonly exitCode: number
  readonly failure: StoredFailure
}

/** Runs a command, and stores its failure with the run unless it was reported. */
export async function runReported(
  command: readonly string[],
  options: ExecOptions,
  context: Context,
): Promise<ReportedCommand> {
  const { runtime, json } = context
  const cwd = runtime.cwd()
  const env = await toChildEnvironment(options, runtime)
  const redact = createRedactor(env)
  const reporter = createFailureReporter(redact(command.join(' ')), options, withEnvironment(context, env))
  await reporter.start()
  const { exitCode, description, stderr } = await runChild(command, { env, cwd, json }, runtime)
  if (exitCode === 0) return { exitCode, failure: { run_id: null, error_stored: false } }
  return { exitCode, failure: await reporter.reportFailure(description, stderr.getLines(20, redact)) }
}

/** The settings of the command are those that its command gets. */
export const withEnvironment = (context: Context, env: NodeJS.ProcessEnv): Context => {
  const { stdin, stdout, stderr, cwd } = context.runtime
  return { ...context, runtime: { stdin, stdout, stderr, cwd, env } }
}
