import { resolve } from 'node:path'

import type { Command } from 'commander'

import { CommandError, toErrorDocument } from '../../command-error.ts'
import { connect } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { describeReadError, getErrorCode, readInput } from '../../read-input.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { pluralize, toTerminalText } from '../../text.ts'
import { createTestCases } from './create-test-cases.ts'
import { columnsHelp, environmentHelp } from './help.ts'
import { throwIfInvalid } from './line-errors.ts'
import { findUsedKeys, parseCases } from './parse-cases.ts'
import { readFolderTree, readTestCases } from './read-test-cases.ts'
import { splitIntoBatches } from './split-into-batches.ts'

const help = `${columnsHelp}
Every line becomes a new test case, whatever its id. Only the title is required. Missing folders are created. The whole
file is checked first: if it contains errors, every line with an error is listed and nothing is created. Then the test
cases are created in batches of 100, each batch completely or not at all.
${environmentHelp}
  SERVICE_TOKEN        a personal token (cwp_…) with write access; CI tokens cannot create test cases

Exit codes:
  0  all test cases were created
  2  the first test cases were created, the others were not
  1  no test cases were created

Examples:
  caseward cases import cases.csv --dry-run
  caseward cases import cases.csv --project WEB --token-file ~/.caseward-token
`

interface ImportOptions extends ConnectionOptions {
  readonly project?: string
  readonly dryRun?: boolean
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .argument('<file>', 'CSV file, or - for standard input')
      .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .option('--dry-run', 'check every line without creating anything'),
  )
    .addHelpText('after', help)
    .action((file: string, options: ImportOptions) => context.setResult(importTestCases(file, options, context)))
}

async function importTestCases(file: string, options: ImportOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal, json } = context
  const { dryRun = false } = options
  const { testCases, ignoredColumns } = parseCases(await readText(file, context))
  const settings = await readServerSettings(options, runtime, { tokenKind: 'personal' })
  const connection = connect(settings, options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const { id: projectId } = await resolveProject(connection, setting)
  const tree = await readFolderTree(projectId, setting, connection)
  if (testCases.some(({ body }) => typeof body.automation_key === 'string')) {
    throwIfInvalid(findUsedKeys(testCases, await readTestCases(projectId, setting, connection)))
  }
  if (ignoredColumns.length > 0) {
    terminal.warn([`Ignored unknown columns: ${ignoredColumns.map(toTerminalText).join(', ')}.`])
  }

  const subject = { project: setting ?? undefined }
  const batches = splitIntoBatches(testCases)
  const { ids, folderCount, failure } = await createTestCases(batches, { projectId, tree, connection, subject, dryRun })
  const count = dryRun ? testCases.length : ids.length
  if (failure === null || count + folderCount > 0) terminal.print([formatCreated(count, folderCount, ids, dryRun)])
  const document = { dry_run: dryRun, created: count, folders_created: folderCount, test_case_ids: ids }
  if (failure === null) return { exitCode: 0, document }
  const exitCode = ids.length > 0 ? 2 : 1
  if (!json) throw new CommandError(failure.lines, { code: failure.code, exitCode })
  return { exitCode, document: { ...document, ...toErrorDocument(failure) } }
}

function formatCreated(count: number, folderCount: number, ids: readonly string[], dryRun: boolean): string {
  const verb = dryRun ? 'Would create' : 'Created'
  const folders = folderCount > 0 ? ` and ${pluralize(folderCount, 'folder')}` : ''
  const range = ids.length === 0 ? '' : `: ${ids[0]}${ids.length > 1 ? ` to ${ids.at(-1)}` : ''}`
  return `${verb} ${pluralize(count, 'test case')}${folders}${range}.`
}

async function readText(file: string, { runtime: { cwd, stdin } }: Context): Promise<string> {
  try {
    const bytes = await readInput(file === '-' ? null : resolve(cwd(), file), stdin)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const reason =
      getErrorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA'
        ? 'the file is not UTF-8: save it as “CSV UTF-8”'
        : describeReadError(error)
    throw new CommandError([`${file === '-' ? 'standard input' : toTerminalText(file)}: ${reason}`], { code: 'input' })
  }
}
