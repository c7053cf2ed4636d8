import type { Command } from 'commander'

import { type ExportOptions, exportTestCases } from './export.ts'
import { type ImportOptions, importTestCases } from './import.ts'
import type { Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'

const environment = `
Environment:
  SERVICE_URL          address of the Caseward server
  SERVICE_PROJECT_ID   project; not needed where the token reaches one only`

const columns = `
Columns:
  id, title, folder, priority, type, precondition, steps, expected_result, tags, automation_key

  A folder is a path, such as Checkout/Payment; a / in a name is written \\/. Tags stand between commas; a comma in one
  is written \\, and a backslash \\\\. Steps stand in one cell:

    1. Put a book into the basket
    => The basket shows it
    2. Pay by card,
        the one that is expired (further lines of a text are indented by four spaces)

  A text that a spreadsheet would take for a formula begins with an apostrophe in the file, and without it in Caseward.
`

const exportHelp = `${columns}
The file is UTF-8. What is imported from it into an empty project is exported from there as the same file, but for ids.
${environment}
  SERVICE_TOKEN        a personal token, or a CI token

Exit codes:
  0  all test cases were exported
  1  they were not

Examples:
  caseward cases export > cases.csv
  caseward cases export --project WEB --output cases.csv --bom
`

const importHelp = `${columns}
Each line becomes a new test case, whatever its id; only the title is needed. Missing folders are made. The whole file
is looked at first: when anything is wrong with it, every such line is named, and nothing is created. Then each hundred
lines are created as a whole or not at all.
${environment}
  SERVICE_TOKEN        a personal token (cwp_…) with write access: CI tokens create no test cases

Exit codes:
  0  all test cases were created
  2  the first ones were created, the others not
  1  none were

Examples:
  caseward cases import cases.csv --dry-run
  caseward cases import cases.csv --project WEB --token-file ~/.caseward-token
`

export function define(command: Command, context: Context): void {
  command.description('Import and export test cases as CSV.')
  addConnectionOptions(
    command
      .command('import')
      .summary('create test cases from a CSV file')
      .description('Create test cases from a CSV file.')
      .argument('<file>', 'CSV file, or - for standard input')
      .option('--project <id>', 'id or prefix of the project (else SERVICE_PROJECT_ID)')
      .option('--dry-run', 'look at every line, and create nothing'),
  )
    .addHelpText('after', importHelp)
    .action((file: string, options: ImportOptions) => context.setResult(importTestCases(file, options, context)))
  addConnectionOptions(
    command
      .command('export')
      .summary('write the test cases of a project as CSV')
      .description('Write the test cases of a project as CSV.')
      .option('--project <id>', 'id or prefix of the project (else SERVICE_PROJECT_ID)')
      .option('--output <file>', 'file to write (else standard output)')
      .option('--bom', 'begin with a byte order mark, for Excel'),
  )
    .addHelpText('after', exportHelp)
    .action((options: ExportOptions) => context.setResult(exportTestCases(options, context)))
}
