import { updateRun } from '@caseward/client/endpoints'
import type { Command } from 'commander'

import { expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { toTerminalText } from '../../text.ts'
import { addRunOptions, environmentHelp, resolveRun, type RunOptions, targetHelp } from './run-options.ts'

const help = `${targetHelp}
A completed run accepts no results until it is reopened. Completing it again has no effect. The earlier name
of the command, run close, still works.
${environmentHelp}

Exit codes:
  0  the run is completed
  1  the run could not be completed

Examples:
  caseward run complete
  caseward run complete 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01
`

export function define(command: Command, context: Context): void {
  addRunOptions(command)
    .addHelpText('after', help)
    .action((id: string | undefined, options: RunOptions) => context.setResult(completeRun(id, options, context)))
}

async function completeRun(id: string | undefined, options: RunOptions, context: Context): Promise<CommandResult> {
  const { connection, run: setting } = await resolveRun(id, options, context)
  const reply = await connection.client.call(updateRun, {
    params: { run_id: setting.value },
    body: { status: 'completed' },
  })
  const run = expectSuccess(reply, connection, { run: setting }).data.data
  const url = `${connection.settings.url.value}/runs/${run.id}`
  context.terminal.print([`Completed run “${toTerminalText(run.name)}” with a pass rate of ${run.pass_rate}%: ${url}`])
  return { exitCode: 0, document: { run, url } }
}
