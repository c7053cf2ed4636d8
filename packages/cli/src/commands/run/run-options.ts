import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect, type Connection } from '../../connect.ts'
import type { Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { type ConnectionOptions, readServerSettings, type Setting } from '../../settings.ts'
import { chooseTarget, findRunId } from '../../target.ts'

/** The options of the commands for an existing run. */
export interface RunOptions extends ConnectionOptions {
  readonly project?: string
  readonly runKey?: string
}

export const environmentHelp = `
Environment:
  SERVICE_URL          address of the Caseward server
  SERVICE_TOKEN        CI token with write access, or a personal token`

export const targetHelp = `
Without an id, it is the run in SERVICE_RUN_ID. If that is not set, it is the run with the run key (SERVICE_RUN_KEY, or
the CI build id) in the project SERVICE_PROJECT_ID.
`

/** Adds the argument and options that name an existing run. */
export function addRunOptions(command: Command): Command {
  return addConnectionOptions(
    command
      .argument('[id]', 'id of the run (default: SERVICE_RUN_ID)')
      .option(
        '--project <id>',
        'without an id: id or prefix of the project with the run of this build (default: SERVICE_PROJECT_ID)',
      )
      .option('--run-key <key>', 'without an id: key of the run (default: SERVICE_RUN_KEY, or the CI build id)'),
  )
}

/** Connects to the server, and finds the id of the run. */
export async function resolveRun(
  id: string | undefined,
  options: RunOptions,
  context: Context,
): Promise<{ connection: Connection; run: Setting }> {
  const { runtime } = context
  const target = chooseTarget({ run: id, project: options.project, runKey: options.runKey }, runtime.env)
  const missing = 'missing' in target ? [target.missing.replace('use --run <id>', 'give the id as an argument')] : []
  const settings = await readServerSettings(options, runtime, { otherErrors: missing })
  const connection = connect(settings, options, context)
  if ('missing' in target) throw new CommandError(missing)
  const run = await findRunId(connection, target)
  return { connection, run: id === undefined ? run : { ...run, from: 'the id' } }
}
