import { type Command, Option } from 'commander'

import type { Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { checkToken, NEEDS, type TokenOptions } from './check.ts'

const help = `
Says whose token it is, which projects it reaches, whether it may write, and, as far as the server tells, when it
expires. Nothing is changed: what it may do is asked with requests that the server can only refuse.

Environment:
  SERVICE_URL      address of the Caseward server
  SERVICE_TOKEN    the token
  SERVICE_RUN_ID   where it is set, also whether results can be uploaded into this run

Exit codes:
  0  the token is taken, and may do what --need asks
  1  it is not, or may not

Examples:
  caseward token check
  caseward token check --need upload
  caseward token check --token-file ~/.caseward-token --json
`

export function define(command: Command, context: Context): void {
  command.description('Look at the token.')
  addConnectionOptions(
    command
      .command('check')
      .summary('say whose token it is, and what it may do')
      .description('Say whose token it is, and what it may do.')
      .option('--project <id>', 'project, by id or prefix, in which it has to work (else SERVICE_PROJECT_ID)')
      .option('--run <id>', 'run into which it has to upload (else SERVICE_RUN_ID)')
      .addOption(new Option('--need <what>', 'what it must be allowed to do').choices(NEEDS).default('read')),
  )
    .addHelpText('after', help)
    .action((options: TokenOptions) => context.setResult(checkToken(options, context)))
}
