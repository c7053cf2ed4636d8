import { createQuarantines } from '@caseward/client/endpoints'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { toCommandError } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions, collectValues, parseTime } from '../../options.ts'
import { environmentHelp } from '../cases/help.ts'
import { findTest } from '../tests/find-test.ts'
import { feature, formatQuarantine, openProject, projectOption, type QuarantineOptions } from './quarantines.ts'

const help = `
Failures of the test do not block for a while; it runs and is reported as before. You are the owner, and get an email before
the end. The test is an id, or the suite and the name as caseward tests list prints them.
${environmentHelp}
  SERVICE_TOKEN        a personal token (cwp_…) with write access; CI tokens cannot quarantine tests

Exit codes:
  0  the test is quarantined
  1  nothing was changed

Examples:
  caseward quarantine add "src/cart.spec.ts › Cart > adds up" --reason "Race in the cart, SHOP-41"
  caseward quarantine add 019aa5b9-0b1c-7d2e-8f3a-4b5c6d7e8f90 --reason SHOP-41 --until 2026-12-05 --branch main
`

interface AddOptions extends QuarantineOptions {
  readonly reason?: string
  readonly until?: string
  readonly branch?: readonly string[]
  readonly link?: string
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .argument('<test>', 'test id, or suite and name')
      .option(...projectOption)
      .option('--reason <text>', 'why its failures must not block for now; required')
      .option('--until <time>', 'when it ends, up to 30 days from now (default: in 14 days)', parseTime)
      .option('--branch <pattern>', 'branch in which it holds, such as release/*; can be repeated', collectValues)
      .option('--link <url>', 'address of an issue or pull request'),
  )
    .addHelpText('after', help)
    .action((test: string, options: AddOptions) => context.setResult(add(test, options, context)))
}

async function add(text: string, options: AddOptions, context: Context): Promise<CommandResult> {
  const { reason, until, branch: branches, link } = options
  if (reason === undefined) throw new CommandError(['Say why, with --reason <text>.'], { code: 'usage' })
  const project = await openProject(options, context, 'personal')
  const { connection, projectId } = project
  const { id } = await findTest(text, project, connection)
  const reply = await connection.client.call(createQuarantines, {
    params: { project_id: projectId },
    body: {
      test_id: id,
      reason,
      ...(until === undefined ? {} : { expires_at: until }),
      ...(branches === undefined ? {} : { branches: [...branches] }),
      ...(link === undefined ? {} : { link }),
    },
  })
  if (reply.kind !== 'success') {
    const fieldLabels = { '/reason': '--reason', '/expires_at': '--until', '/link': '--link', '/branches': '--branch' }
    throw toCommandError(reply, connection.settings, { feature, fieldLabels })
  }
  const quarantines = reply.data.data
  context.terminal.print(quarantines.map((quarantine) => `Quarantined: ${formatQuarantine(quarantine)}`))
  return { exitCode: 0, document: { quarantines } }
}
