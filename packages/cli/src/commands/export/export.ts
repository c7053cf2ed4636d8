import { formatBytes } from '@caseward/matching/format-bytes'
import { exportProject, getProject } from '@caseward/client/endpoints'
import { type Command, Option } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect, expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { environmentHelp } from '../run/run-options.ts'
import { saveDownload } from './save-download.ts'

const ENDINGS = {
  bundle: 'caseward.zip',
  json: 'json',
  csv: 'csv',
  xlsx: 'xlsx',
  'testrail-csv': 'testrail.csv',
  gherkin: 'features.zip',
} as const
type Format = keyof typeof ENDINGS

const PARTS = ['cases', 'runs', 'files'] as const

const help = `
Writes all of a project as it was at one moment. A bundle is complete: fields, folders, test cases with their earlier versions and
comments, runs, results and files. Imported into an empty project, it gives an equal one: caseward import WEB.caseward.zip.

Formats:
  bundle        a ZIP file with records and files (default)
  json          the records as one document
  csv, xlsx     test cases, a row each; with --rows steps, a row for each step
  testrail-csv  test cases as TestRail exports them, which other tools read
  gherkin       a ZIP file with a feature for each folder
${environmentHelp}
  SERVICE_TOKEN        a personal token or a CI token; that of an admin exports email addresses, too

Exit codes:
  0  the file was written
  1  nothing was written

Examples:
  caseward export --project WEB
  caseward export --format csv --output cases.csv
  caseward export --include cases --output cases.caseward.zip
`

interface ExportOptions extends ConnectionOptions {
  readonly project?: string
  readonly format: Format
  readonly include?: readonly (typeof PARTS)[number][]
  readonly rows?: 'cases' | 'steps'
  readonly output?: string
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .addOption(new Option('--format <format>', 'format of the file').choices(Object.keys(ENDINGS)).default('bundle'))
      .addOption(
        new Option(
          '--include <part>',
          'only these parts of a bundle or json, separated by commas: cases, runs, files',
        ).argParser(parseParts),
      )
      .addOption(new Option('--rows <what>', 'what a row of csv and xlsx is').choices(['cases', 'steps']))
      .option('--output <file>', 'file to write (default: the prefix of the project with an ending)'),
  )
    .addHelpText('after', help)
    .action((options: ExportOptions) => context.setResult(exportFile(options, context)))
}

function parseParts(text: string): (typeof PARTS)[number][] {
  return text.split(',').map((word) => {
    const part = PARTS.find((known) => known === word.trim())
    if (part !== undefined) return part
    throw new CommandError([`--include ${toTerminalText(word)} is no part. Use ${PARTS.join(', ')}.`], {
      code: 'usage',
    })
  })
}

async function exportFile(options: ExportOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal, json } = context
  const { format, include, rows } = options
  const connection = connect(await readServerSettings(options, runtime), options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const subject = { project: setting ?? undefined }
  const params = { project_id: (await resolveProject(connection, setting)).id }
  const project = expectSuccess(await connection.client.call(getProject, { params }), connection, subject).data.data
  const output = options.output ?? `${project.prefix}.${ENDINGS[format]}`
  const query = {
    format,
    ...(include === undefined ? {} : { include: [...include] }),
    ...(rows === undefined ? {} : { rows }),
  }
  const reply = await connection.client.download(exportProject, { params, query })
  const byteCount = await saveDownload(reply, output, connection, subject, context)
  if (!json)
    terminal.print([
      `Exported ${toTerminalText(project.name)} to ${toTerminalText(output)} (${formatBytes(byteCount)}).`,
    ])
  return { exitCode: 0, document: { output, format, byte_count: byteCount } }
}
