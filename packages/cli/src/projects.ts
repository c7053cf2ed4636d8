import { listProjects, type ProjectListItem } from '@caseward/client/endpoints'

import { expectSuccess, type Session } from './connect.ts'
import { CommandError } from './context.ts'
import type { Setting } from './settings.ts'
import { toTerminalText } from './terminal.ts'

/** Looks like an id: what else is given is taken for a prefix. */
const isId = (text: string) => /^[0-9a-f]{8}-/i.test(text)

/** The projects that the token reaches; as many as anybody has. */
export async function readProjects(session: Session): Promise<ProjectListItem[]> {
  const projects: ProjectListItem[] = []
  for (let page = 1; ; page += 1) {
    const reply = await session.client.call(listProjects, { query: { per_page: 100, page } })
    const { data, meta } = expectSuccess(reply, session, {}).data
    projects.push(...data)
    if (isLastPage(page, data, meta)) return projects
  }
}

/** Whether no page of a hundred follows. What gives no total has said all that it has to say. */
export const isLastPage = (page: number, data: readonly unknown[], { total }: { readonly total: number }): boolean =>
  data.length === 0 || !Number.isInteger(total) || page * 100 >= total

/** Which project, from the command line or else from the environment; null when neither says. */
export function projectSetting(given: string | undefined, env: NodeJS.ProcessEnv): Setting | null {
  const value = given ?? env['SERVICE_PROJECT_ID']?.trim()
  if (value === undefined || value === '') return null
  return { value, from: given === undefined ? 'SERVICE_PROJECT_ID' : '--project' }
}

/**
 * The project that is meant: by its id or its prefix; where nobody says, the only one that the token reaches, which is
 * always so for a CI token.
 */
export async function resolveProject(session: Session, setting: Setting | null): Promise<{ id: string }> {
  if (setting !== null && isId(setting.value)) return { id: setting.value }
  const projects = await readProjects(session)
  const found = setting === null ? projects : projects.filter(({ prefix }) => prefix === setting.value.toUpperCase())
  const [project] = found
  if (project !== undefined && found.length === 1) return project
  throw new CommandError(whichProject(setting, found, projects), { code: 'settings' })
}

function whichProject(
  setting: Setting | null,
  found: readonly ProjectListItem[],
  projects: readonly ProjectListItem[],
): string[] {
  if (projects.length === 0) return ['The token reaches no project.']
  const listed = (found.length > 0 ? found : projects)
    .slice(0, 20)
    .map(({ id, prefix, name }) => `${id}  ${prefix}  ${toTerminalText(name)}`)
  const what =
    setting === null
      ? 'The token reaches several projects. Give --project <id>, or set SERVICE_PROJECT_ID, to one of:'
      : `${setting.from} (${toTerminalText(setting.value)}) is ${found.length === 0 ? 'no' : 'more than one'} project that the token reaches. Give the id of one of:`
  return [what, ...listed]
}
