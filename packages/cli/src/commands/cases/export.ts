import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'

import { getTestCase, listFolders, listTestCases } from '@caseward/client/endpoints'

import { connect, expectSuccess, type Session } from '../../connect.ts'
import { type Context, CommandError, type CommandResult } from '../../context.ts'
import { isLastPage, projectSetting, resolveProject } from '../../projects.ts'
import { type ConnectionOptions, readConnection, type Setting } from '../../settings.ts'
import { pluralize, toTerminalText } from '../../terminal.ts'
import { createFolderTree } from './folder-paths.ts'
import { formatTestCases, type ListedCase } from './test-case-rows.ts'

export interface ExportOptions extends ConnectionOptions {
  readonly project?: string
  readonly output?: string
  readonly bom?: boolean
}

export async function exportTestCases(options: ExportOptions, context: Context): Promise<CommandResult> {
  const { around, terminal, json } = context
  const session = connect(await readConnection(options, around), options, context)
  const setting = projectSetting(options.project, around.env)
  const { id } = await resolveProject(session, setting)
  const { getPath } = await readTree(id, setting, session)
  const cases = await readTestCases(id, setting, session)

  if (options.output === undefined && json) {
    const described = cases.map(({ folder_id, ...rest }) => ({ ...rest, folder: getPath(folder_id) }))
    return { exitCode: 0, document: { exported: cases.length, test_cases: described } }
  }
  const csv = (options.bom === true ? '\uFEFF' : '') + formatTestCases(cases, getPath)
  if (options.output === undefined) terminal.write(csv)
  else await write(resolve(around.cwd(), options.output), csv, options.output)
  const where = options.output === undefined ? '' : ` into ${toTerminalText(options.output)}`
  if (!json) terminal.warn([`Exported ${pluralize(cases.length, 'test case')}${where}.`])
  return { exitCode: 0, document: { exported: cases.length, output: options.output ?? null } }
}

async function write(path: string, csv: string, given: string): Promise<void> {
  try {
    await writeFile(path, csv)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError([`${toTerminalText(given)} cannot be written: ${why}`], { code: 'output' })
  }
}

/** The project's folders. */
export async function readTree(projectId: string, project: Setting | null, session: Session) {
  const reply = await session.client.call(listFolders, { params: { project_id: projectId } })
  return createFolderTree(expectSuccess(reply, session, { project: project ?? undefined }).data.data)
}

/** All test cases of a project with all their fields, a hundred to a request. */
export async function readTestCases(
  projectId: string,
  project: Setting | null,
  session: Session,
): Promise<ListedCase[]> {
  // By id: a case that is deleted meanwhile moves others from page to page.
  const found = new Map<string, ListedCase>()
  for (let page = 1; ; page += 1) {
    const query = { fields: 'all', per_page: 100, page } as const
    const reply = await session.client.call(listTestCases, { params: { project_id: projectId }, query })
    const { data, meta } = expectSuccess(reply, session, { project: project ?? undefined }).data
    const whole = await Promise.all(data.map(async (one) => await complete(one, projectId, session)))
    for (const one of whole) found.set(one.id, one)
    if (isLastPage(page, data, meta)) return [...found.values()]
  }
}

/** A server of an earlier version does not list tags and keys: there each case is read by itself. */
async function complete(
  one: Omit<ListedCase, 'tags' | 'automation_key'> & Partial<ListedCase>,
  projectId: string,
  session: Session,
): Promise<ListedCase> {
  const { tags, automation_key } = one
  if (tags !== undefined && automation_key !== undefined) return { ...one, tags, automation_key }
  const params = { project_id: projectId, test_case_id: one.id }
  return expectSuccess(await session.client.call(getTestCase, { params }), session, {}).data.data
}
