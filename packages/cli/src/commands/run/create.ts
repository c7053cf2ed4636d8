import { createRun as createRunEndpoint, listFolders } from '@caseward/client/endpoints'
import { detectCiBuild } from '@caseward/reporter-core/ci-build'
import { toCreateRunBody } from '@caseward/reporter-core/find-run'

import { type FolderTree, createFolderTree } from '../cases/folder-paths.ts'
import { connect, expectSuccess, type Session } from '../../connect.ts'
import { type Context, CommandError, type CommandResult } from '../../context.ts'
import { projectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readConnection, type Setting } from '../../settings.ts'
import { pluralize, toTerminalText } from '../../terminal.ts'

export interface CreateRunOptions extends ConnectionOptions {
  readonly name?: string
  readonly project?: string
  readonly milestone?: string
  readonly key?: string
  readonly expectedShards?: number
  readonly metadata?: Readonly<Record<string, string>>
  readonly cases?: readonly string[]
  readonly folders?: readonly string[]
}

export async function createRun(options: CreateRunOptions, context: Context): Promise<CommandResult> {
  const { around, terminal } = context
  if (options.cases !== undefined && options.folders !== undefined) {
    throw new CommandError(['Give --cases or --folders, not both.'], { code: 'usage' })
  }
  const session = connect(await readConnection(options, around), options, context)
  const setting = projectSetting(options.project, around.env)
  const project = await resolveProject(session, setting)
  const body = {
    ...buildBody(options, around.env, setting !== null),
    milestone_id: options.milestone,
    test_case_ids: options.cases === undefined ? undefined : [...options.cases],
    folder_ids:
      options.folders === undefined ? undefined : await folderIds(options.folders, project.id, session, setting),
  }
  const reply = await session.client.call(createRunEndpoint, { params: { project_id: project.id }, body })
  const answer = expectSuccess(reply, session, { project: setting ?? undefined })
  const run = answer.data.data
  const isNew = answer.status === 201
  const url = `${session.connection.url.value}/runs/${run.id}`
  if (body.run_key !== undefined && run.run_key !== body.run_key) {
    terminal.warn(['The server is older than this command and knows no run keys: whoever asks again gets another run.'])
  }
  const what = isNew ? 'Created' : 'Found, by its key,'
  if (!context.json)
    terminal.warn([`${what} “${toTerminalText(run.name)}” over ${pluralize(run.result_count, 'test case')}: ${url}`])
  terminal.print([run.id])
  return { exitCode: 0, document: { run, created: isNew, url } }
}

/**
 * What the command line says, and what the CI system knows.
 * @param isByBuild whether the build names the run, as it does for all that is done in a project that somebody names
 */
function buildBody(
  { name, key, expectedShards, metadata }: CreateRunOptions,
  env: NodeJS.ProcessEnv,
  isByBuild: boolean,
) {
  const build = detectCiBuild(env)
  const buildKey = isByBuild ? build?.key : undefined
  const [named, runKey] = [name ?? env['SERVICE_RUN_NAME'], key ?? env['SERVICE_RUN_KEY']].map((text) => text?.trim())
  const { run_key, ...body } = toCreateRunBody({
    key: runKey || buildKey || '',
    name: named || build?.name || runKey || `Run of ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    metadata: { ...build?.metadata, ...metadata },
    expectedShards: expectedShards ?? null,
  })
  return { ...body, ...(run_key === '' ? {} : { run_key }) }
}

/** Folders may be given as people see them: `Account/Sign in`. */
async function folderIds(given: readonly string[], projectId: string, session: Session, project: Setting | null) {
  const reply = await session.client.call(listFolders, { params: { project_id: projectId } })
  const tree: FolderTree = createFolderTree(expectSuccess(reply, session, { project: project ?? undefined }).data.data)
  const unknown = given.filter((path) => tree.find(path) === undefined)
  if (unknown.length > 0)
    throw new CommandError(
      unknown.map((path) => `The project has no folder “${toTerminalText(path)}”.`),
      { code: 'not_found' },
    )
  return given.flatMap((path) => tree.find(path) ?? [])
}
