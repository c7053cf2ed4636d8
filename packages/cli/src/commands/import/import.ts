import type { Command } from 'commander'

import { connect } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { environmentHelp } from '../run/run-options.ts'
import { defineFinishing } from './finish-import.ts'
import { absentOption, importPlanned, type PlanOptions, readMap } from './import-file.ts'
import { defineTools } from './tools/import-tool.ts'
import type { ImportTarget } from './wait-for-import.ts'

const help = `
Reads the export of another tool: TestRail (XML, CSV), Qase, Zephyr, Xray and TestLink among others, sheets (CSV, XLSX), Gherkin
and Markdown. It also reads the bundles and CSV files that Caseward itself exports. The format is recognized by the content. The
server plans first, and nothing is stored: the plan says what would be created, and by name what would get lost. The same file again
changes nothing; of a changed one, only its changes are stored, and what was edited in Caseward stays. The commands below read a
tool by its API instead of a file, with runs and attached files: caseward import testrail --help.

--map is a JSON file with what is not as suggested:
  { "priorities": [{ "from": "Showstopper", "to": "critical" }], "fields": [{ "name": "Browser", "to": "details" }],
    "id_pattern": "https://tracker.example/browse/{id}" }
${environmentHelp}
  SERVICE_TOKEN        a personal token (cwp_…) with write access; that of an admin creates custom fields

Exit codes:
  0  the plan was made (--dry-run), or everything was imported
  2  it was imported, and what was counted afterwards differs
  1  nothing was imported

Examples:
  caseward import testrail.xml --dry-run
  caseward import testrail.xml --project WEB --source "Web shop" --yes
  caseward import qase.csv --map choices.json
  caseward import report 019aa5d1-2b3c-7d4e-8f50-6b7c8d9e0f10 --output report.csv
  caseward import conflicts 019aa5d1-2b3c-7d4e-8f50-6b7c8d9e0f10 --use source
  caseward import undo 019aa5d1-2b3c-7d4e-8f50-6b7c8d9e0f10
`

interface ImportOptions extends ConnectionOptions, PlanOptions {
  readonly project?: string
  readonly timeZone?: string
}

export function define(command: Command, context: Context): void {
  // What `import` and the commands below both have, such as --project, belongs to where it stands.
  command.enablePositionalOptions()
  defineFinishing(command, context)
  defineTools(command, context)
  addConnectionOptions(
    command
      .argument('<file>', 'export of another tool')
      .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .option('--source <name>', 'name of the project of the other tool (default: the name of the tool)')
      .option('--map <path>', 'JSON file with what priorities, types and fields become')
      .option('--restore-deleted', 'create again what was deleted in Caseward')
      .addOption(absentOption())
      .option('--time-zone <name>', 'zone of times that do not tell theirs, such as Europe/Berlin (default: UTC)')
      .option('--dry-run', 'show the plan without storing anything')
      .option('--yes', 'apply the plan without asking'),
  )
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) => context.setResult(importFile(file, options, context)))
}

async function importFile(file: string, options: ImportOptions, context: Context): Promise<CommandResult> {
  const { runtime } = context
  const settings = await readMap(options, context, options.timeZone)
  const server = await readServerSettings(options, runtime, { tokenKind: 'personal' })
  const connection = connect(server, options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const { id: projectId } = await resolveProject(connection, setting)
  const target: ImportTarget = { connection, projectId, subject: { project: setting ?? undefined }, context }
  return await importPlanned(file, settings, options, target)
}
