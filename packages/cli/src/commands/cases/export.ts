import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { pluralize } from '@caseward/ci-run/wording'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { getErrorMessage, toTerminalText } from '../../text.ts'
import { noCustomColumns } from '@caseward/case-files/custom-columns'
import { readCustomColumns } from './custom-columns.ts'
import { columnsHelp, environmentHelp } from './help.ts'
import { readOwnerNames } from './owner-resolver.ts'
import { readFolderTree, readTestCases } from './read-test-cases.ts'
import { formatTestCases } from '@caseward/case-files/test-case-rows'

const help = `${columnsHelp}
The file is UTF-8. Importing it into an empty project and exporting again gives the same file, except for the ids.
${environmentHelp}
  SERVICE_TOKEN        a personal token or a CI token

Exit codes:
  0  all test cases were exported
  1  the export failed

Examples:
  caseward cases export > cases.csv
  caseward cases export --project WEB --output cases.csv --bom
`

interface ExportOptions extends ConnectionOptions {
  readonly project?: string
  readonly output?: string
  readonly bom?: boolean
  readonly keys?: boolean
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .option('--output <file>', 'file to write (default: standard output)')
      .option('--keys', 'write the keys of the columns below the headings')
      .option('--bom', 'start the file with a byte order mark, for Excel'),
  )
    .addHelpText('after', help)
    .action((options: ExportOptions) => context.setResult(exportTestCases(options, context)))
}

async function exportTestCases(options: ExportOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal, json } = context
  const connection = connect(await readServerSettings(options, runtime), options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const { id } = await resolveProject(connection, setting)
  const { getPath } = await readFolderTree(id, setting, connection)
  const testCases = await readTestCases(id, setting, connection)

  if (options.output === undefined && json) {
    const documents = testCases.map(({ folder_id: folderId, ...rest }) => ({ ...rest, folder: getPath(folderId) }))
    return { exitCode: 0, document: { exported: testCases.length, test_cases: documents } }
  }
  const owners = new Set(testCases.flatMap(({ owner_id: owner }) => owner ?? []))
  const names = await readOwnerNames(id, owners, connection, { project: setting ?? undefined })
  const getOwner = (userId: string) => names?.get(userId) ?? userId
  if (names === null)
    terminal.warn(['Owners are written as user ids: a CI token cannot read the members of a project.'])
  const hasFields = testCases.some(({ fields }) => fields !== undefined)
  const custom = hasFields
    ? await readCustomColumns(id, connection, { project: setting ?? undefined })
    : noCustomColumns
  const table = formatTestCases(testCases, { getPath, getOwner }, custom, { hasKeys: options.keys === true })
  const csv = (options.bom === true ? '\uFEFF' : '') + table
  if (options.output === undefined) terminal.write(csv)
  else await writeOutput(resolve(runtime.cwd(), options.output), csv, options.output)
  const destination = options.output === undefined ? '' : ` to ${toTerminalText(options.output)}`
  if (!json) terminal.warn([`Exported ${pluralize(testCases.length, 'test case')}${destination}.`])
  return { exitCode: 0, document: { exported: testCases.length, output: options.output ?? null } }
}

async function writeOutput(path: string, csv: string, name: string): Promise<void> {
  try {
    await writeFile(path, csv)
  } catch (error) {
    throw new CommandError([`${toTerminalText(name)} cannot be written: ${getErrorMessage(error)}`], {
      code: 'output',
    })
  }
}
