import type { Command } from 'commander'

import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { createRedactor } from './redact-secrets.ts'
import { runChild } from './run-child.ts'
import { createFailureReporter } from './report-failure.ts'
import { type ExecOptions, toChildEnvironment } from './settings.ts'

const help = `
Runs the command with its own input, output, signals and exit code. If it fails, and neither its reporter nor an upload
has reported a failed test or an error for this CI job, the failure is stored with the run as an error outside of tests,
with the exit code and the last 20 lines of standard error. So no failure is hidden that no reporter can see: a global
setup, a missing module, a runner that was killed.

The values of environment variables whose names contain TOKEN, SECRET, PASSWORD or KEY are removed from what is stored.
The command runs in any case, and its exit code stays the same, also when Caseward cannot be reached.

Run:
  The run is --run or SERVICE_RUN_ID, else that of this CI build in the project of --project or SERVICE_PROJECT_ID. The
  command gets these options as environment variables.

Environment:
  SERVICE_URL, SERVICE_TOKEN, SERVICE_RUN_ID, SERVICE_PROJECT_ID, SERVICE_RUN_KEY, SERVICE_VARIANT

Exit codes:
  that of the command; 128 and the number of the signal that ended it; 127 if it was not found

Examples:
  caseward exec -- npx jest --ci
  caseward exec --variant "windows, node 20" -- npx playwright test
  caseward exec -- mvn --batch-mode verify
`

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .argument('<command...>', 'the command and its arguments, after --')
      .option('--run <id>', 'run of the results (default: SERVICE_RUN_ID)')
      .option(
        '--project <id>',
        'without a run: id or prefix of the project with the run of this build (default: SERVICE_PROJECT_ID)',
      )
      .option('--run-key <key>', 'key shared by all jobs of the build (default: SERVICE_RUN_KEY, or the CI build id)')
      .option('--name <name>', 'name of the run if it is created (default: SERVICE_RUN_NAME)')
      .option(
        '--variant <name>',
        'name that tells executions of the same tests apart, such as "windows, node 18" (default: SERVICE_VARIANT)',
      ),
  )
    .addHelpText('after', help)
    .action((words: string[], options: ExecOptions) => context.setResult(execute(words, options, context)))
}

async function execute(command: readonly string[], options: ExecOptions, context: Context): Promise<CommandResult> {
  const { runtime, json } = context
  const cwd = runtime.cwd()
  const env = await toChildEnvironment(options, runtime)
  const redact = createRedactor(env)
  const reporter = createFailureReporter(redact(command.join(' ')), options, {
    ...context,
    runtime: toRuntime(context, env),
  })
  await reporter.start()
  const { exitCode, description, stderr } = await runChild(command, { env, cwd, json }, runtime)
  const failure = exitCode === 0 ? null : await reporter.reportFailure(description, stderr.getLines(20, redact))
  return { exitCode, document: { exit_code: exitCode, ...(failure ?? { run_id: null, error_stored: false }) } }
}

/** The settings of the command are those that its command gets. */
const toRuntime = ({ runtime }: Context, env: NodeJS.ProcessEnv): Context['runtime'] => ({
  stdin: runtime.stdin,
  stdout: runtime.stdout,
  stderr: runtime.stderr,
  cwd: runtime.cwd,
  env,
})
