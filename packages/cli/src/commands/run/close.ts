import { updateRun } from '@caseward/client/endpoints'

import { expectSuccess } from '../../connect.ts'
import type { Context, Result } from '../../context.ts'
import { openRun, type RunOptions } from './show.ts'
import { plain } from '../../terminal.ts'

export async function closeRun(id: string | undefined, options: RunOptions, context: Context): Promise<Result> {
  const { session, run: setting } = await openRun(id, options, context)
  const reply = await session.client.call(updateRun, {
    params: { run_id: setting.value },
    body: { status: 'completed' },
  })
  const run = expectSuccess(reply, session, { run: setting }).data.data
  const url = `${session.connection.url.value}/runs/${run.id}`
  context.terminal.print([`Completed “${plain(run.name)}”, with a pass rate of ${run.pass_rate} %: ${url}`])
  return { exitCode: 0, document: { run, url } }
}
