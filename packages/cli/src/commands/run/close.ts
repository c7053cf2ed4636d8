import { updateRun } from '@caseward/client/endpoints'

import { expectSuccess } from '../../connect.ts'
import type { Context, CommandResult } from '../../context.ts'
import { resolveRun, type RunOptions } from './show.ts'
import { toTerminalText } from '../../terminal.ts'

export async function closeRun(id: string | undefined, options: RunOptions, context: Context): Promise<CommandResult> {
  const { session, run: setting } = await resolveRun(id, options, context)
  const reply = await session.client.call(updateRun, {
    params: { run_id: setting.value },
    body: { status: 'completed' },
  })
  const run = expectSuccess(reply, session, { run: setting }).data.data
  const url = `${session.connection.url.value}/runs/${run.id}`
  context.terminal.print([`Completed “${toTerminalText(run.name)}”, with a pass rate of ${run.pass_rate} %: ${url}`])
  return { exitCode: 0, document: { run, url } }
}
