import { pluralize } from '@caseward/ci-run/wording'
import { createTestCasesForTests, getRun } from '@caseward/client/endpoints'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect, type Connection, expectSuccess, toCommandError } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { splitPath } from '@caseward/case-files/folder-tree'
import { formatRest, MAX_LINES } from '../../limit-lines.ts'
import { addConnectionOptions } from '../../options.ts'
import { type ConnectionOptions, readServerSettings, type Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { createFolderResolver } from '../cases/folder-resolver.ts'
import { readFolderTree } from '../cases/read-test-cases.ts'

const help = `
Creates a test case for each test of the run that matches none: its title is the last part of the name, its folders are
the suite and the other titles, and its automation keys match the test from now on. If the run is in progress, the test
cases and their results are added to it. Running the command again creates nothing new.

Environment:
  SERVICE_URL          address of the Caseward server
  SERVICE_TOKEN        a personal token (cwp_…) with write access. CI tokens cannot use this command: for them, use
                       caseward upload --create-cases

Exit codes:
  0  every test of the run has a test case now
  2  some test cases were created, others were not
  1  no test cases were created

Examples:
  caseward tests create-cases --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01
  caseward tests create-cases --run 019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01 --folder Automated/Web
`

interface CreateCasesOptions extends ConnectionOptions {
  readonly run: string
  readonly folder?: string
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    command
      .requiredOption('--run <id>', 'run with the unmatched tests')
      .option('--folder <path>', 'folder for the test cases and their folders; created if it is missing'),
  )
    .addHelpText('after', help)
    .action((options: CreateCasesOptions) => context.setResult(createCases(options, context)))
}

interface CreatedCases {
  created: number
  linked: number
  remaining: number
  /** The first 100 test cases of each request. */
  test_cases: { id: string; title: string }[]
}

async function createCases(options: CreateCasesOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal } = context
  const settings = await readServerSettings(options, runtime, { tokenKind: 'personal' })
  const connection = connect(settings, options, context)
  const setting = { value: options.run, from: '--run' }
  const reply = await connection.client.call(getRun, { params: { run_id: setting.value } })
  const run = expectSuccess(reply, connection, { run: setting }).data.data
  const projectId = run.project_id
  const body = {
    all_unmatched_of_run: run.id,
    ...(run.status === 'in_progress' ? { run_id: run.id } : {}),
    folder_id: await findFolder(options.folder, projectId, connection),
  }
  const totals: CreatedCases = { created: 0, linked: 0, remaining: 0, test_cases: [] }
  do {
    const { linked } = await createNext(projectId, body, totals, setting, connection)
    // A server that links nothing would be asked forever.
    if (linked === 0) break
  } while (totals.remaining > 0)

  const { created, linked, remaining, test_cases: testCases } = totals
  const listed = testCases.slice(0, MAX_LINES)
  terminal.print([
    created === 0 && linked === 0
      ? 'No test cases were created: every test of the run matches one.'
      : `Created ${pluralize(created, 'test case')} for ${pluralize(linked, 'test')}:`,
    ...listed.map(({ id, title }) => `  ${id} ${toTerminalText(title)}`),
    ...(created > listed.length ? [`  ${formatRest(created - listed.length)}`] : []),
    `${settings.url.value}/runs/${run.id}`,
  ])
  if (remaining > 0) terminal.warn([`${pluralize(remaining, 'test')} still ${remaining === 1 ? 'has' : 'have'} none.`])
  return { exitCode: remaining === 0 ? 0 : linked > 0 ? 2 : 1, document: totals }
}

type Body = NonNullable<NonNullable<typeof createTestCasesForTests.types>['body']>

async function createNext(
  projectId: string,
  body: Body,
  totals: CreatedCases,
  run: Setting,
  { client, settings }: Connection,
): Promise<{ linked: number }> {
  const reply = await client.call(createTestCasesForTests, { params: { project_id: projectId }, body })
  if (reply.kind !== 'success') {
    const error = toCommandError(reply, settings, { run, feature: 'test cases from tests' })
    if (totals.created === 0) throw error
    throw new CommandError([`Created ${pluralize(totals.created, 'test case')}, then failed:`, ...error.lines], {
      code: error.code,
      exitCode: 2,
    })
  }
  const { created, linked, remaining, test_cases: testCases } = reply.data.data
  totals.created += created
  totals.linked += linked
  totals.remaining = remaining
  totals.test_cases.push(...testCases)
  return { linked }
}

/** Finds the folder, or creates what is missing of its path. */
async function findFolder(path: string | undefined, projectId: string, connection: Connection): Promise<string | null> {
  if (path === undefined) return null
  const tree = await readFolderTree(projectId, null, connection)
  const existingId = tree.findId(path)
  if (existingId !== undefined) return existingId
  const folders = createFolderResolver({ projectId, tree, connection, subject: {}, dryRun: false })
  return await folders.getId(splitPath(path))
}
