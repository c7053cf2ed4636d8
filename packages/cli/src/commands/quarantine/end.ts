import { endQuarantine } from '@caseward/client/endpoints'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { toCommandError } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { toTerminalText } from '../../text.ts'
import { environmentHelp } from '../cases/help.ts'
import { findTest } from '../tests/find-test.ts'
import {
  feature,
  formatQuarantine,
  openProject,
  projectOption,
  type QuarantineOptions,
  readQuarantines,
} from './quarantines.ts'

const help = `
Failures of the test block again. The test is an id, or the suite and the name as caseward tests list prints them.
${environmentHelp}
  SERVICE_TOKEN        a personal token (cwp_…) with write access; CI tokens cannot end quarantines

Exit codes:
  0  the quarantine was ended
  1  nothing was changed; the test was not in quarantine, for example

Examples:
  caseward quarantine end "src/cart.spec.ts › Cart > adds up" --reason "Fixed in SHOP-41"
`

interface EndOptions extends QuarantineOptions {
  readonly reason?: string
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .argument('<test>', 'test id, or suite and name')
      .option(...projectOption)
      .option('--reason <text>', 'why it ends'),
  )
    .addHelpText('after', help)
    .action((test: string, options: EndOptions) => context.setResult(end(test, options, context)))
}

async function end(text: string, options: EndOptions, context: Context): Promise<CommandResult> {
  const project = await openProject(options, context, 'personal')
  const { connection, projectId } = project
  const { id } = await findTest(text, project, connection)
  const [active] = await readQuarantines(project, { active: true, test_id: id })
  if (active === undefined) {
    throw new CommandError([`“${toTerminalText(text)}” is not in quarantine.`], { code: 'not_found' })
  }
  const reply = await connection.client.call(endQuarantine, {
    params: { project_id: projectId, quarantine_id: active.id },
    body: options.reason === undefined ? {} : { end_reason: options.reason },
  })
  if (reply.kind !== 'success') {
    throw toCommandError(reply, connection.settings, { feature, fieldLabels: { '/end_reason': '--reason' } })
  }
  const quarantine = reply.data.data
  context.terminal.print([`Ended: ${formatQuarantine(quarantine)}`])
  return { exitCode: 0, document: { quarantine } }
}
