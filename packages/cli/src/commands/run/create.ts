import { pluralize } from '@caseward/ci-run/wording'
import { createRun as createRunEndpoint, listFolders } from '@caseward/client/endpoints'
import { detectCiBuild } from '@caseward/ci-run/ci-build'
import { isRunOfKey, toCreateRunBody } from '@caseward/ci-run/find-run'
import { readText } from '@caseward/ci-run/environment'
import { readRunFields, readRunMetadata } from '@caseward/ci-run/settings'
import type { Command } from 'commander'

import { CommandError } from '../../command-error.ts'
import { connect, type Connection, expectSuccess } from '../../connect.ts'
import type { CommandResult, Context } from '../../context.ts'
import { createFolderTree } from '@caseward/case-files/folder-tree'
import {
  addBuildOptions,
  addConnectionOptions,
  type BuildOptions,
  collectValues,
  parseList,
  parseMetadata,
  parseRunField,
  parseShardCount,
} from '../../options.ts'
import { formatIgnoredFields } from '../../ignored-fields.ts'
import { findProjectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readServerSettings, type Setting } from '../../settings.ts'
import { toTerminalText } from '../../text.ts'
import { environmentHelp } from './run-options.ts'

const help = `
The run contains the test cases given by --cases, those in --folders (including subfolders), or all test cases of the
project. Only the run id is printed to standard output. In CI, the run also stores the branch, the commit, the address
of the build, and what it is compared with: the base of a pull request, and the suite.

With --key, repeated calls with the same key return the same run, even if they are made at the same time. If the project
is set by --project or SERVICE_PROJECT_ID, the CI build id is the default key: run show, run complete, upload and the
reporters then find this run. To create another run in the same build, use another --key.
${environmentHelp}
  SERVICE_PROJECT_ID   project; not required for CI tokens, which belong to one project
  SERVICE_RUN_NAME     name of the run
  SERVICE_RUN_FIELDS   custom fields of the run, such as build=2.4.0,os=linux
  SERVICE_TARGET, SERVICE_SUITE  as --target and --suite

Exit codes:
  0  the run was created, or the run with this key was found
  1  no run was created

Examples:
  export SERVICE_RUN_ID=$(caseward run create --name "Nightly $(date +%F)")
  caseward run create --cases WEB-1,WEB-2 --metadata branch=main --metadata commit=8a006ed
  caseward run create --folders Checkout "Account/Sign in" --milestone 019aa5b8-4d10-7b2e-9c3d-1a2b3c4d5e6f
`

interface CreateOptions extends ConnectionOptions, BuildOptions {
  readonly name?: string
  readonly project?: string
  readonly milestone?: string
  readonly key?: string
  readonly expectedShards?: number
  readonly metadata?: Readonly<Record<string, string>>
  readonly runField?: Readonly<Record<string, string>>
  readonly cases?: readonly string[]
  readonly folders?: readonly string[]
}

export function define(command: Command, context: Context): void {
  addConnectionOptions(
    addBuildOptions(command)
      .option('--name <name>', 'name of the run (default: SERVICE_RUN_NAME, the CI build, or the time)')
      .option('--project <id>', 'id or prefix of the project (default: SERVICE_PROJECT_ID)')
      .option('--milestone <id>', 'milestone of the run')
      .option('--key <key>', 'run key (default: SERVICE_RUN_KEY, or the CI build id if the project is set)')
      .option('--expected-shards <count>', 'number of shards after which the run is completed', parseShardCount)
      .option('--metadata <key=value>', 'metadata of the run; can be repeated', parseMetadata)
      .option('--run-field <key=value>', 'custom field of the run; can be repeated', parseRunField)
      .option('--cases <ids...>', 'test cases, such as WEB-1,WEB-2', parseList)
      .option('--folders <paths...>', 'folders, by path or id', collectValues),
  )
    .addHelpText('after', help)
    .action((options: CreateOptions) => context.setResult(createRun(options, context)))
}

async function createRun(options: CreateOptions, context: Context): Promise<CommandResult> {
  const { runtime, terminal, json } = context
  if (options.cases !== undefined && options.folders !== undefined) {
    throw new CommandError(['Use either --cases or --folders, not both.'], { code: 'usage' })
  }
  const connection = connect(await readServerSettings(options, runtime), options, context)
  const setting = findProjectSetting(options.project, runtime.env)
  const project = await resolveProject(connection, setting)
  const body = {
    ...buildBody(options, runtime.env, setting !== null),
    milestone_id: options.milestone,
    test_case_ids: options.cases === undefined ? undefined : [...options.cases],
    folder_ids: await findFolderIds(options.folders, project.id, connection, setting),
  }
  const reply = await connection.client.call(createRunEndpoint, { params: { project_id: project.id }, body })
  const subject = { project: setting ?? undefined, fieldLabels: getFieldLabels(options) }
  const { status, data } = expectSuccess(reply, connection, subject)
  const { data: run, ignored_fields: ignored } = data
  const ignoredLines = formatIgnoredFields([ignored])
  if (ignoredLines.length > 0) terminal.warn(ignoredLines)
  const isNew = status === 201
  const url = `${connection.settings.url.value}/runs/${run.id}`
  if (body.run_key !== undefined && !isRunOfKey(run, { key: body.run_key })) {
    terminal.warn([
      'This server version does not support run keys: running the command again creates another run. Update the server.',
    ])
  }
  if (!json) {
    const verb = isNew ? 'Created run' : 'Using existing run'
    terminal.warn([`${verb} “${toTerminalText(run.name)}” with ${pluralize(run.result_count, 'test case')}: ${url}`])
  }
  terminal.print([run.id])
  return {
    exitCode: 0,
    document: { run, created: isNew, url, ...(ignored === undefined ? {} : { ignored_fields: ignored }) },
  }
}

/** Names the options that errors of the server are about. */
function getFieldLabels({ cases = [], folders = [], milestone = '' }: CreateOptions): Readonly<Record<string, string>> {
  const labelItems = (field: string, items: readonly string[]) =>
    items.map((item, index) => [`/${field}/${index}`, item])
  return {
    '/name': '--name',
    '/run_key': '--key',
    '/metadata': '--metadata',
    '/milestone_id': `--milestone (${milestone})`,
    ...Object.fromEntries([...labelItems('test_case_ids', cases), ...labelItems('folder_ids', folders)]),
  }
}

/**
 * Combines the options with what the CI system provides.
 * @param usesBuildKey whether the CI build id is the default run key
 */
function buildBody(
  { name, key, expectedShards, metadata, runField, target, suite }: CreateOptions,
  env: NodeJS.ProcessEnv,
  usesBuildKey: boolean,
) {
  const build = detectCiBuild(env)
  const buildKey = usesBuildKey ? build?.key : undefined
  const runName = readText(name) ?? readText(env['SERVICE_RUN_NAME'])
  const runKey = readText(key) ?? readText(env['SERVICE_RUN_KEY'])
  const { run_key, ...body } = toCreateRunBody({
    key: runKey ?? buildKey ?? '',
    name: runName ?? build?.name ?? runKey ?? `Run of ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    metadata: { ...readRunMetadata({ target, suite }, env), ...metadata },
    ...readRunFields({ runFields: runField }, env),
    expectedShards: expectedShards ?? null,
    // The run is created for all jobs together.
    job: '',
  })
  return { ...body, ...(run_key === '' ? {} : { run_key }) }
}

/** Finds folders by paths such as `Account/Sign in`, or by ids. */
async function findFolderIds(
  paths: readonly string[] | undefined,
  projectId: string,
  connection: Connection,
  project: Setting | null,
): Promise<string[] | undefined> {
  if (paths === undefined) return undefined
  const reply = await connection.client.call(listFolders, { params: { project_id: projectId } })
  const tree = createFolderTree(expectSuccess(reply, connection, { project: project ?? undefined }).data.data)
  const unknown = paths.filter((path) => tree.findId(path) === undefined)
  if (unknown.length > 0) {
    const lines = unknown.map((path) => `The project has no folder “${toTerminalText(path)}”.`)
    throw new CommandError(lines, { code: 'not_found' })
  }
  return paths.flatMap((path) => tree.findId(path) ?? [])
}
