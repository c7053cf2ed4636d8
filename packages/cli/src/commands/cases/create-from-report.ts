import { readFile } from 'node:fs/promises'

import { pluralize } from '@caseward/ci-run/wording'
import { JUnitError, parseJUnit } from '@caseward/junit'
import { toReportedTests } from '@caseward/junit/to-tests'
import type { ReportedTest } from '@caseward/matching/attempt'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { splitPath } from '@caseward/case-files/folder-tree'
import { addConnectionOptions } from '../../options.ts'
import { findProjectSetting, readProjects, resolveProject } from '../../projects.ts'
import { describeReadError, readInput } from '../../read-input.ts'
import { type ConnectionOptions, readServerSettings } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { findFiles, type FoundFile } from '../upload/find-files.ts'
import { createTestCases } from './create-test-cases.ts'
import { createFolderResolver } from './folder-resolver.ts'
import { environmentHelp } from './help.ts'
import { noOwners } from './owner-resolver.ts'
import { readFolderTree, readTestCases } from './read-test-cases.ts'
import { reportImport } from './report-import.ts'
import { splitIntoBatches } from './split-into-batches.ts'
import { toNewTestCases } from './to-new-test-cases.ts'

const help = `
Reads JUnit XML reports and creates a test case for each test that has none. No results are uploaded. The title of a
test case is the last part of the name, its folders are the suite and the other titles, and its automation keys match the
test in later uploads. Tests that name a test case, or match one by its automation key, are skipped: running the command
again creates nothing new. If a file cannot be read, nothing is created.
${environmentHelp}
  SERVICE_TOKEN        a personal token (cwp_…) with write access; CI tokens cannot create test cases

Exit codes:
  0  every test has a test case now
  2  the first test cases were created, the others were not
  1  nothing was created

Examples:
  caseward cases create-from-report results/*.xml --dry-run
  caseward cases create-from-report target/surefire-reports --folder Automated
`

interface CreateOptions extends ConnectionOptions {
  readonly project?: string
  readonly folder?: string
  readonly dryRun?: boolean
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .argument('<files...>', 'JUnit XML files, directories, patterns, or - for standard input')
      .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .option('--folder <path>', 'folder for the test cases and their folders; created if it is missing')
      .option('--dry-run', 'count the test cases without creating any'),
  )
    .addHelpText('after', help)
    .action((files: string[], options: CreateOptions) => context.setResult(createFromReport(files, options, context)))
}

async function createFromReport(
  args: readonly string[],
  options: CreateOptions,
  context: Context,
): Promise<CommandResult> {
  const { runtime } = context
  const tests = await readReports(args, context)
  const settings = await readServerSettings(options, runtime, { tokenKind: 'personal' })
  const connection = connect(settings, options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const { id: projectId } = await resolveProject(connection, setting)
  const project = (await readProjects(connection)).find(({ id }) => id === projectId)
  if (project === undefined) throw new CommandError(['The token has no access to the project.'], { code: 'not_found' })
  const { newTestCases, matchedCount } = toNewTestCases(tests, {
    prefix: project.prefix,
    testCases: await readTestCases(projectId, setting, connection),
    baseFolder: splitPath(options.folder ?? ''),
  })

  const subject = { project: setting ?? undefined }
  const target = { projectId, connection, subject, dryRun: options.dryRun === true, unit: 'test' as const }
  const folders = createFolderResolver({ ...target, tree: await readFolderTree(projectId, setting, connection) })
  const { ids, failure } = await createTestCases(splitIntoBatches(newTestCases), { folders, owners: noOwners }, target)
  return reportImport(
    {
      dry_run: target.dryRun,
      created: target.dryRun ? newTestCases.length : ids.length,
      updated: 0,
      skipped: matchedCount,
      folders_created: folders.getCreatedCount(),
      test_case_ids: ids,
      updated_test_case_ids: [],
    },
    failure,
    context,
  )
}

/** @throws {CommandError} that lists every file that is missing or broken */
async function readReports(args: readonly string[], { runtime, terminal }: Context): Promise<ReportedTest[]> {
  const { files, unmatched } = await findFiles(args, runtime.cwd())
  const errors = unmatched.map(({ name, reason }) => `${toTerminalText(name)}: ${reason}`)
  const tests: ReportedTest[] = []
  for (const file of files) {
    const report = await readReport(file, runtime)
    if ('tests' in report) tests.push(...report.tests)
    // Other XML in a directory or pattern, such as a coverage report.
    else if (report.isOtherFormat && !file.isNamed)
      terminal.warn([`Skipped ${toTerminalText(file.name)}: no JUnit XML.`])
    else errors.push(`${toTerminalText(file.name)}: ${report.error}`)
  }
  if (errors.length === 0) return tests
  throw new CommandError([`Nothing was created: ${pluralize(errors.length, 'file')} cannot be read.`], {
    code: 'input',
    items: errors,
  })
}

async function readReport(
  { path }: FoundFile,
  { stdin }: Context['runtime'],
): Promise<{ tests: ReportedTest[] } | { error: string; isOtherFormat: boolean }> {
  try {
    const report = await parseJUnit(path === null ? await readInput(null, stdin) : await readFile(path))
    return { tests: await toReportedTests(report, neverYield) }
  } catch (error) {
    if (!(error instanceof JUnitError)) return { error: describeReadError(error), isOtherFormat: false }
    return { error: error.message, isOtherFormat: error.code === 'not_junit' }
  }
}

/** Nothing else waits for the command. */
const neverYield = { shouldYield: () => false, yield: () => Promise.resolve() }
