import { resolve } from 'node:path'

import { decodeText, ENCODINGS, type Encoding } from '@caseward/case-files/decode-text'
import { type Command, Option } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addErrorsFileOption, withErrorsFile, writeErrorsFile } from '../../errors-file.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { describeReadError, readInput } from '../../read-input.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { readCustomColumns } from './custom-columns.ts'
import { createTestCases } from './create-test-cases.ts'
import { findUpdateErrors, splitExisting } from './find-existing.ts'
import { createFolderResolver } from './folder-resolver.ts'
import { columnsHelp, environmentHelp } from './help.ts'
import { throwIfInvalid } from './line-errors.ts'
import { chooseOnConflict, ON_CONFLICT, type OnConflict } from './on-conflict.ts'
import { findOwnerErrors, noOwners, readOwners } from './owner-resolver.ts'
import { parseCases } from './parse-cases.ts'
import { readFolderTree, readTestCases } from './read-test-cases.ts'
import { reportImport } from './report-import.ts'
import { splitIntoBatches } from './split-into-batches.ts'
import { updateTestCases } from './update-test-cases.ts'

const help = `${columnsHelp}
Only the title is required. Rows without any text are ignored. Missing folders are created. A line whose test case exists already, by its id or its
automation key, is skipped or updates this test case, as --on-conflict says; an update changes only the fields whose
columns the file has. Without --on-conflict, the command asks; without a terminal, it fails.

The whole file is checked first: if it contains errors, they are listed and nothing is stored. Then the test cases are
created in batches of 100, each batch completely or not at all.
${environmentHelp}
  SERVICE_TOKEN        a personal token (cwp_…) with write access; CI tokens cannot create test cases

Exit codes:
  0  everything was imported
  2  the first test cases were imported, the others were not
  1  nothing was stored

Examples:
  caseward cases import cases.csv --dry-run
  caseward cases import cases.csv --on-conflict update --errors-file errors.txt
  caseward cases import from-excel.csv --encoding windows-1252
  caseward cases import cases.csv --project WEB --token-file ~/.caseward-token
`

interface ImportOptions extends ConnectionOptions {
  readonly project?: string
  readonly dryRun?: boolean
  readonly encoding?: Encoding
  readonly onConflict?: OnConflict
  readonly errorsFile?: string
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    addErrorsFileOption(
      command
        .argument('<file>', 'CSV file, or - for standard input')
        .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
        .addOption(
          new Option('--on-conflict <action>', 'what to do with test cases that exist already').choices(ON_CONFLICT),
        )
        .addOption(
          new Option('--encoding <name>', 'encoding of a file that is not UTF-8 or UTF-16').choices(
            Object.keys(ENCODINGS),
          ),
        )
        .option('--dry-run', 'check every line without storing anything'),
    ),
  )
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) =>
      context.setResult(withErrorsFile(options.errorsFile, context, () => importTestCases(file, options, context))),
    )
}

async function importTestCases(file: string, options: ImportOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal } = context
  const text = await readText(file, options.encoding, context)
  const parsed = parseCases(text)
  const settings = await readServerSettings(options, runtime, { tokenKind: 'personal' })
  const connection = connect(settings, options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const { id: projectId } = await resolveProject(connection, setting)
  const subject = { project: setting ?? undefined }
  // Unknown columns may be custom fields.
  const custom = parsed.ignoredColumns.length > 0 ? await readCustomColumns(projectId, connection, subject) : null
  const { testCases, columns, ignoredColumns, blankCount } = custom?.fields.length ? parseCases(text, custom) : parsed
  const tree = await readFolderTree(projectId, setting, connection)
  const mayExist = testCases.some(({ id, body }) => id !== '' || typeof body.automation_key === 'string')
  const known = mayExist ? await readTestCases(projectId, setting, connection) : []
  const { newTestCases, existing } = splitExisting(testCases, known)
  const action = await chooseOnConflict(existing, options.onConflict, context)
  const updates = action === 'update' ? existing : []
  const hasOwners = testCases.some(({ body }) => typeof body.owner === 'string')
  const owners = hasOwners ? await readOwners(projectId, connection, subject) : noOwners
  throwIfInvalid([...findUpdateErrors(updates, known), ...findOwnerErrors(testCases, owners)])
  if (ignoredColumns.length > 0) {
    terminal.warn([`Ignored unknown columns: ${ignoredColumns.map(toTerminalText).join(', ')}.`])
  }

  const target = { projectId, connection, subject, dryRun: options.dryRun === true, unit: 'line' as const }
  const folders = createFolderResolver({ ...target, tree })
  const resolvers = { folders, owners }
  const created = await createTestCases(splitIntoBatches(newTestCases), resolvers, target)
  const updated =
    created.failure === null ? await updateTestCases(updates, columns, resolvers, target) : { ids: [], failure: null }
  await writeErrorsFile(options.errorsFile, [], context)
  return reportImport(
    {
      dry_run: target.dryRun,
      created: target.dryRun ? newTestCases.length : created.ids.length,
      updated: updated.ids.length,
      skipped: action === 'skip' ? existing.length : 0,
      blank_rows: blankCount,
      folders_created: folders.getCreatedCount(),
      test_case_ids: created.ids,
      updated_test_case_ids: updated.ids,
    },
    created.failure ?? updated.failure,
    context,
  )
}

async function readText(
  file: string,
  encoding: Encoding | undefined,
  { runtime: { cwd, stdin } }: Context,
): Promise<string> {
  const name = file === '-' ? 'standard input' : toTerminalText(file)
  try {
    const bytes = await readInput(file === '-' ? null : resolve(cwd(), file), stdin)
    const { text, isCertain } = decodeText(bytes, encoding)
    if (isCertain) return text
    throw new CommandError(
      [`${name}: the file is not UTF-8: save it as “CSV UTF-8”, or add --encoding, such as --encoding windows-1252`],
      {
        code: 'input',
      },
    )
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError([`${name}: ${describeReadError(error)}`], { code: 'input' })
  }
}
