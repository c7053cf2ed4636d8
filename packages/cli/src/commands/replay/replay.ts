import type { Command } from 'commander'

import type { Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { replay, type ReplayOptions } from './replay-spool.ts'

const help = `
Reporters write results to .caseward/spool before they send them, and remove them when the server has answered. What an
outage or a kill has left there is sent by the next suite, or by this command: each suite once, the oldest first, with
the time at which it finished, so that nothing newer is undone.

What the server has refused for good lies in .caseward/spool/refused; --refused tries that, too.

Environment:
  SERVICE_URL      address of the Caseward server; what was meant for another one stays
  SERVICE_TOKEN    CI token with write access
  SERVICE_RUN_ID   run for suites that did not know theirs; or SERVICE_PROJECT_ID and SERVICE_RUN_KEY

Exit codes:
  0  everything was sent, or there was nothing
  2  some suites were sent, some could not be
  1  none could be sent

Examples:
  caseward replay
  caseward replay --refused --json
`

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .description('Send the results that reporters have kept in .caseward/spool.')
      .option('--run <id>', 'run for suites that did not know theirs (else SERVICE_RUN_ID)')
      .option('--refused', 'also try what the server has refused before'),
  )
    .addHelpText('after', help)
    .action((options: ReplayOptions) => context.setResult(replay(options, context)))
}
