import type { Command } from 'commander'

import type { CommandResult, Context } from '../../context.ts'
import { runReported } from './run-reported.ts'
import { addExecOptions, type ExecOptions } from './settings.ts'

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
  SERVICE_URL, SERVICE_TOKEN, SERVICE_RUN_ID, SERVICE_PROJECT_ID, SERVICE_RUN_KEY, SERVICE_VARIANT,
  SERVICE_TARGET, SERVICE_SUITE, SERVICE_RUN_FIELDS

Exit codes:
  that of the command; 128 and the number of the signal that ended it; 127 if it was not found

Examples:
  caseward exec -- npx jest --ci
  caseward exec --variant "windows, node 20" -- npx playwright test
  caseward exec -- mvn --batch-mode verify
`

export function define(command: Command, context: Context): void {
  addExecOptions(command.argument('<command...>', 'the command and its arguments, after --'))
    .addHelpText('after', help)
    .action((words: string[], options: ExecOptions) => context.setResult(execute(words, options, context)))
}

async function execute(command: readonly string[], options: ExecOptions, context: Context): Promise<CommandResult> {
  const { exitCode, failure } = await runReported(command, options, context)
  return { exitCode, document: { exit_code: exitCode, ...failure } }
}
