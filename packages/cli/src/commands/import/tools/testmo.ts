import {
  addQuery,
  expectObject,
  expectObjects,
  getNumber,
  getText,
  isObject,
  type Page,
  toBearer,
  type ToolObject,
} from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { isSince, type Tool, type ToolOptions } from './tool.ts'

/** One of the sizes that it takes: 15, 25, 50 and 100. */
const PAGE_SIZE = 100
const TITLE = 'Testmo'

/** Testmo: `/api/v1/`, https://docs.testmo.com/api */
export const testmo: Tool = {
  system: 'testmo',
  title: TITLE,
  defaultUrl: null,
  urlExample: 'https://example.testmo.net',
  projectExample: '3',
  secrets: [{ variable: 'TESTMO_API_KEY', question: 'API key of Testmo:' }],
  rights: 'Use an API key (profile picture, My profile, API access) of a user with access to the project.',
  hasFiles: true,
  getBaseUrl: (url) => url.replace(/\/api\/v1$/, ''),
  getHeaders: (_, { TESTMO_API_KEY: key = '' }) => toBearer(key),
  fetch: fetchTestmo,
}

/** What fields refer to: names stand beside a page, not in its objects. */
const REFERENCES = [
  ['status_id', 'statuses'],
  ['config_id', 'configs'],
  ['template_id', 'templates'],
  ['created_by', 'users'],
  ['updated_by', 'users'],
  ['tags', 'tags'],
  ['issues', 'issues'],
] as const

/** Adds the names of what an object refers to: `status_id_name` beside `status_id`. */
function addNames(items: readonly ToolObject[], expands: unknown): readonly ToolObject[] {
  if (!isObject(expands)) return items
  const names = new Map<string, string>()
  for (const [list, objects] of Object.entries(expands)) {
    for (const each of Array.isArray(objects) ? objects : []) {
      names.set(`${list} ${getText(each, 'id')}`, getText(each, 'display_id') || getText(each, 'name'))
    }
  }
  return items.map((item) => {
    const added: Record<string, unknown> = {}
    for (const [field, list] of REFERENCES) {
      const value = item[field]
      const find = (id: unknown) => names.get(`${list} ${String(id)}`)
      const found = Array.isArray(value) ? value.map(find).filter((name) => name !== undefined) : find(value)
      if (found !== undefined) added[`${field}_name`] = found
    }
    return { ...item, ...added }
  })
}

/** Reads a page of a list; the cursor is its number. */
async function readPage({ http }: FetchSession, path: string, next: string | null): Promise<Page> {
  const page = Number(next ?? 1)
  const query = `per_page=${PAGE_SIZE}&page=${page}`
  const answer = expectObject(await http.json(`/api/v1/${addQuery(path, query)}`), TITLE, path)
  const items = expectObjects(answer['result'], TITLE, path)
  const following = Number(getText(answer, 'next_page'))
  return {
    items: addNames(items, answer['expands']),
    next: following > page && items.length > 0 ? String(following) : null,
    total: getNumber(answer, 'total'),
  }
}

async function fetchTestmo(session: FetchSession, options: ToolOptions): Promise<void> {
  const project = `projects/${options.project}`
  const read = (name: string, path: string) => session.readList(name, '', (next) => readPage(session, path, next))
  const readOptional = (name: string, path: string) =>
    session.readOptionalList(name, '', (next) => readPage(session, path, next))
  await session.readList('project', '', async () => {
    const answer = await session.http.json(`/api/v1/${project}`)
    return { items: expectObjects([isObject(answer) ? answer['result'] : answer], TITLE, project), next: null }
  })
  // Only administrators see email addresses.
  if (!(await readOptional('users', 'users'))) await readOptional('project_users', `${project}/users`)
  await readOptional('fields', `${project}/fields`)
  await readOptional('states', `${project}/states`)
  await read('folders', `${project}/folders`)
  await read('cases', `${project}/cases?expands=templates,users,tags`)
  await read('milestones', `${project}/milestones`)
  await read('runs', `${project}/runs?expands=configs,users`)
  const runs: string[] = []
  for await (const run of session.all('runs')) {
    if (isSince(getText(run, 'created_at'), options)) runs.push(getText(run, 'id'))
  }
  await session.readEach(runs, (id) => {
    const path = `runs/${id}/results?expands=statuses,users,issues&get_latest_result=0`
    return session.readList('results', id, (next) => readPage(session, path, next))
  })
  await readOptional('sessions', `${project}/sessions`)
  await readOptional('automation_runs', `${project}/automation/runs`)
  if (options.attachments !== 'none') await session.readFiles(listFiles(session))
}

/** The API has the files of test cases only. */
async function* listFiles(session: FetchSession): AsyncGenerator<ToolFile> {
  const cases = await session.listIds('cases')
  await session.readEachOptional('case_files', cases, (id, next) => readPage(session, `cases/${id}/attachments`, next))
  for (const key of cases) {
    for await (const file of session.log.items('case_files', key)) {
      const path = getText(file, 'path')
      const url = path === '' || path.includes('://') ? path : `/${path.replace(/^\/+/, '')}`
      if (url !== '')
        yield { kind: 'case', key, id: getText(file, 'id'), name: getText(file, 'name') || 'attachment', url }
    }
  }
}
