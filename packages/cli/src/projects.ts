import { listProjects, type ProjectListItem } from '@caseward/client/endpoints'
import { describeProjectMismatch, isProjectId, matchProjects } from '@caseward/ci-run/match-projects'

import { CommandError } from './command-error.ts'
import { type Connection, expectSuccess } from './connect.ts'
import { findSetting, type Setting } from './settings.ts'
import { toTerminalText } from './text.ts'

/** Reads all projects that the token has access to. */
export async function readProjects(connection: Connection): Promise<ProjectListItem[]> {
  const projects: ProjectListItem[] = []
  for (let page = 1; ; page += 1) {
    const reply = await connection.client.call(listProjects, { query: { per_page: 100, page } })
    const { data, meta } = expectSuccess(reply, connection, {}).data
    projects.push(...data)
    if (isLastPage(page, data, meta)) return projects
  }
}

/** Whether no further page of 100 follows. A response without a total has no other pages. */
export const isLastPage = (page: number, data: readonly unknown[], { total }: { readonly total: number }): boolean =>
  data.length === 0 || !Number.isInteger(total) || page * 100 >= total

/** Returns the project that the options or the environment name; null when neither does. */
export const findProjectSetting = (option: string | undefined, env: NodeJS.ProcessEnv): Setting | null =>
  findSetting({ name: '--project', value: option }, 'SERVICE_PROJECT_ID', env)

/**
 * Finds the project by its id or prefix. Without a setting it is the only project that the token has access to, as is
 * the case for every CI token.
 */
export async function resolveProject(connection: Connection, setting: Setting | null): Promise<{ id: string }> {
  if (setting !== null && isProjectId(setting.value)) return { id: setting.value }
  const projects = await readProjects(connection)
  const matches = setting === null ? projects : matchProjects(projects, setting.value)
  const [project] = matches
  if (project !== undefined && matches.length === 1) return project
  throw createProjectError(setting, matches, projects)
}

function createProjectError(
  setting: Setting | null,
  matches: readonly ProjectListItem[],
  projects: readonly ProjectListItem[],
): CommandError {
  const code = 'settings'
  if (projects.length === 0) return new CommandError(['The token has access to no project.'], { code })
  const items = (matches.length > 0 ? matches : projects).map(
    ({ id, prefix, name }) => `${id}  ${prefix}  ${toTerminalText(name)}`,
  )
  const line =
    setting === null
      ? 'The token has access to several projects. Set --project <id> or SERVICE_PROJECT_ID to one of:'
      : `${toTerminalText(describeProjectMismatch(setting.value, matches))} Set ${setting.from} to the id of one of:`
  return new CommandError([line], { code, items })
}
