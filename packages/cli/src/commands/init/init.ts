import { type Command, Option } from 'commander'

import type { Context } from '../../context.ts'
import { init, type InitOptions } from './initialize.ts'
import { frameworks } from './frameworks.ts'
import { addCommonOptions } from '../../options.ts'

const help = `
Finds the test framework in package.json and sets up Caseward's reporter for it. A configuration is written where there
is none; to one that is there nothing is done, but the lines to add are shown, as they are for WebdriverIO, whose
configuration takes more than a reporter, and for the scripts of node --test. .caseward/ goes into .gitignore. Nothing is
installed: the line that does it is shown, and so is what to set in CI.

Exit codes:
  0  it is set up, or was shown
  1  it could not be

Examples:
  caseward init
  caseward init --yes --url https://caseward.example.com
  caseward init --framework playwright --dry-run
`

export function define(command: Command, context: Context): void {
  addCommonOptions(
    command
      .description('Set up a project to report to Caseward.')
      .addOption(
        new Option('--framework <names...>', 'test frameworks (else those of package.json)').choices(
          frameworks.map(({ name }) => name),
        ),
      )
      .option('--url <url>', 'address of the server (else SERVICE_URL)')
      .option('--yes', 'ask nothing, and write')
      .option('--dry-run', 'ask nothing, and write nothing'),
  )
    .addHelpText('after', help)
    .action((options: InitOptions) => context.setResult(init(options, context)))
}
