import { addQuery, expectObjects, getNumber, getText, isObject, type Page, toBearer } from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { isSince, type Tool, type ToolOptions } from './tool.ts'

const PAGE_SIZE = 100
const TITLE = 'qTest'

/** qTest Manager: `/api/v3/`, https://documentation.tricentis.com/qtest/od/en/content/apis/overview/qtest_api_specification.htm */
export const qtest: Tool = {
  system: 'qtest',
  title: TITLE,
  defaultUrl: null,
  urlExample: 'https://example.qtestnet.com',
  projectExample: '4566',
  secrets: [{ variable: 'QTEST_TOKEN', question: 'API token of qTest:' }],
  rights:
    'Use an API token (Resources, API & SDK) of a user who may view test cases and test executions of the project.',
  hasFiles: true,
  getBaseUrl: (url) => url.replace(/\/api\/v3$/, ''),
  getHeaders: (_, { QTEST_TOKEN: token = '' }) => toBearer(token),
  fetch: fetchQtest,
}

/** Lists that have no pages. */
async function readBareList({ http }: FetchSession, path: string): Promise<Page> {
  const answer = await http.json(`/api/v3/${path}`)
  return {
    items: expectObjects(isObject(answer) && 'items' in answer ? answer['items'] : answer, TITLE, path),
    next: null,
  }
}

/**
 * Reads a page; the cursor is its number, and the id before it. Some lists are bare, and end with an empty page, or with the same again.
 */
async function readPage({ http }: FetchSession, path: string, next: string | null): Promise<Page> {
  const [number = '1', before = ''] = (next ?? '1').split(' ')
  const query = `page=${number}&size=${PAGE_SIZE}&pageSize=${PAGE_SIZE}`
  const answer = await http.json(`/api/v3/${addQuery(path, query)}`)
  const items = expectObjects(isObject(answer) ? answer['items'] : answer, TITLE, path)
  const last = getText(items.at(-1), 'id')
  const total = getNumber(answer, 'total')
  const size = getNumber(answer, 'page_size') ?? PAGE_SIZE
  const isLast = last === '' || last === before || (total !== null && Number(number) * size >= total)
  return { items, next: isLast ? null : `${Number(number) + 1} ${last}`, total }
}

async function fetchQtest(session: FetchSession, options: ToolOptions): Promise<void> {
  const project = `projects/${options.project}`
  const readBare = (name: string, path: string) => session.readList(name, '', () => readBareList(session, path))
  const readPages = (name: string, path: string) => session.readList(name, '', (next) => readPage(session, path, next))
  await session.readOptionalList('fields', '', () => readBareList(session, `${project}/settings/test-cases/fields`))
  await readBare('modules', `${project}/modules?expand=descendants`)
  await readPages('cases', `${project}/test-cases?expandProps=true&expandSteps=true`)
  await readBare('releases', `${project}/releases`)
  await fetchContainers(session, project)
  await readPages('test_runs', `${project}/test-runs?parentId=0&parentType=root&expand=descendants`)
  const runs: string[] = []
  for await (const run of session.all('test_runs')) {
    if (isSince(getText(run, 'created') || getText(run, 'created_date'), options)) runs.push(getText(run, 'id'))
  }
  await session.readEach(runs, (run) =>
    session.readList('test_logs', run, (next) => readPage(session, `${project}/test-runs/${run}/test-logs`, next)),
  )
  await fetchUsers(session)
  if (options.attachments !== 'none') await session.readFiles(listFiles(session, project, options))
}

/** Cycles and suites are at the root, and below releases. */
async function fetchContainers(session: FetchSession, project: string): Promise<void> {
  const parents = ['parentId=0&parentType=root']
  for (const id of await session.listIds('releases')) parents.push(`parentId=${id}&parentType=release`)
  await session.readEach(parents, async (parent) => {
    await session.readList('test_cycles', parent, () =>
      readBareList(session, `${project}/test-cycles?${parent}&expand=descendants`),
    )
    await session.readList('test_suites', parent, () => readBareList(session, `${project}/test-suites?${parent}`))
  })
}

/** Objects have ids of people only. */
async function fetchUsers(session: FetchSession): Promise<void> {
  const ids = new Set<string>()
  for await (const testCase of session.all('cases')) ids.add(getText(testCase, 'creator_id'))
  for await (const log of session.all('test_logs')) ids.add(getText(log, 'user_id'))
  ids.delete('')
  await session.readEachOptional('users', [...ids], async (id) => {
    const path = `users/${id}`
    return { items: expectObjects([await session.http.json(`/api/v3/${path}`)], TITLE, path), next: null }
  })
}

async function* listFiles(
  session: FetchSession,
  project: string,
  { attachments }: ToolOptions,
): AsyncGenerator<ToolFile> {
  const cases = new Map<string, string>()
  for await (const testCase of session.all('cases')) {
    cases.set(getText(testCase, 'id'), getText(testCase, 'pid') || getText(testCase, 'id'))
  }
  const places = new Map<string, Pick<ToolFile, 'kind' | 'key'>>()
  for (const [id, key] of cases) places.set(`test-cases ${id}`, { kind: 'case', key })
  if (attachments === 'all') {
    for await (const run of session.all('test_runs')) {
      const container = `${getText(run, 'parent_type') || 'root'}-${getText(run, 'parent_id')}`
      const id = getText(run['test_case'], 'id') || getText(run, 'testCaseId') || getText(run, 'test_case_id')
      for (const log of await session.listIds('test_logs', getText(run, 'id'))) {
        places.set(`test-logs ${log}`, { kind: 'result', key: `${container} ${cases.get(id) ?? id}` })
      }
    }
  }
  for (const type of attachments === 'all' ? ['test-cases', 'test-logs'] : ['test-cases']) {
    await session.readOptionalList('files_of', type, (next) =>
      readPage(session, `${project}/attachments?type=${type}`, next),
    )
    for await (const file of session.log.items('files_of', type)) {
      const [id, at] = [getText(file, 'id'), getText(file, 'artifact_id')]
      const place = places.get(`${type} ${at}`)
      // Files of older test runs than asked for are in the list, too.
      if (place === undefined) continue
      const name = getText(file, 'name') || `attachment-${id}`
      yield { ...place, id, name, url: `/api/v3/${project}/${type}/${at}/attachments/${id}` }
    }
  }
}
