import { pluralize } from '@caseward/ci-run/wording'
import type { Command } from 'commander'

import type { CommandResult, Context } from '../../context.ts'
import { limitLines } from '../../limit-lines.ts'
import { addConnectionOptions } from '../../options.ts'
import { environmentHelp } from '../cases/help.ts'
import { formatQuarantine, openProject, projectOption, type QuarantineOptions, readQuarantines } from './quarantines.ts'

const help = `
Lists the quarantines in effect, the newest first: the id of the test, the end, its name, the owner and the reason. The
first 20 are printed; with --json, all of them.
${environmentHelp}
  SERVICE_TOKEN        CI token, or a personal token

Exit codes:
  0  the quarantines were listed
  1  they could not be read

Examples:
  caseward quarantine list
  caseward quarantine list --all --json | jq -r '.quarantines[].reason'
`

interface ListOptions extends QuarantineOptions {
  readonly all?: boolean
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(command.option(...projectOption).option('--all', 'list also those that have ended'))
    .addHelpText('after', help)
    .action((options: ListOptions) => context.setResult(list(options, context)))
}

async function list(options: ListOptions, context: Context): Promise<CommandResult> {
  const project = await openProject(options, context, 'ci')
  const quarantines = await readQuarantines(project, options.all === true ? {} : { active: true })
  const lines = limitLines(quarantines.map(formatQuarantine), 'use --json for all of them')
  const count = quarantines.length
  context.terminal.print(count === 0 ? ['No quarantines.'] : [`${pluralize(count, 'quarantine')}:`, ...lines])
  return { exitCode: 0, document: { quarantines } }
}
