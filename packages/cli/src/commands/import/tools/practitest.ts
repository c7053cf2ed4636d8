import { addQuery, expectObject, expectObjects, getNumber, getText, isObject, type Page } from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { isSince, type Tool, type ToolOptions } from './tool.ts'

const PAGE_SIZE = 100
const TITLE = 'PractiTest'

/** PractiTest: `/api/v2/`, https://www.practitest.com/api-v2/ */
export const practitest: Tool = {
  system: 'practitest',
  title: TITLE,
  defaultUrl: 'https://api.practitest.com',
  urlExample: 'https://api.practitest.com',
  projectExample: '4566',
  secrets: [{ variable: 'PRACTITEST_TOKEN', question: 'API token of PractiTest:' }],
  rights:
    'Use a personal API token of a user who may view tests, test sets and runs of the project, or an API token of the account.',
  hasFiles: true,
  getBaseUrl: (url) => url.replace(/\/api\/v2$/, ''),
  getHeaders: (_, { PRACTITEST_TOKEN: token = '' }) => ({ pttoken: token }),
  fetch: fetchPractitest,
}

/** Reads a page; the cursor is its number. What the answer links to contains the token, and is not looked at. */
async function readPage({ http }: FetchSession, path: string, next: string | null): Promise<Page> {
  const page = Number(next ?? 1)
  const query = `page%5Bnumber%5D=${page}&page%5Bsize%5D=${PAGE_SIZE}`
  const answer = expectObject(await http.json(`/api/v2/${addQuery(path, query)}`), TITLE, path)
  const items = expectObjects(answer['data'], TITLE, path)
  const following = Number(getText(answer['meta'], 'next-page'))
  return {
    items,
    next: following > page && items.length > 0 ? String(following) : null,
    total: getNumber(answer['meta'], 'total-count'),
  }
}

async function fetchPractitest(session: FetchSession, options: ToolOptions): Promise<void> {
  const project = `projects/${options.project}`
  const read = (name: string, path: string, of = '') =>
    session.readList(name, of, (next) => readPage(session, path, next))
  const readOptional = (name: string, path: string) =>
    session.readOptionalList(name, '', (next) => readPage(session, path, next))
  await readOptional('users', 'users.json')
  await readOptional('custom_fields', `${project}/custom_fields.json`)
  await read('tests', `${project}/tests.json`)
  await read('steps', `${project}/steps.json`)
  await readOptional('milestones', `${project}/milestones.json`)
  await read('sets', `${project}/sets.json`)
  const sets: string[] = []
  for await (const { id, attributes } of session.all('sets')) {
    const time = getText(attributes, 'last-run') || getText(attributes, 'created-at')
    if (isSince(time, options)) sets.push(String(id))
  }
  await session.readEach(sets, async (set) => {
    await read('instances', `${project}/instances.json?set-ids=${set}`, set)
    await read('runs', `${project}/runs.json?set-ids=${set}`, set)
  })
  if (options.attachments !== 'none') await session.readFiles(listFiles(session, project, options))
}

async function* listFiles(
  session: FetchSession,
  project: string,
  { attachments }: ToolOptions,
): AsyncGenerator<ToolFile> {
  const readEach = (name: string, entity: string, ids: readonly string[]) =>
    session.readEachOptional(name, ids, (id, next) =>
      readPage(session, `${project}/attachments.json?entity=${entity}&entity-id=${id}`, next),
    )
  const listOf = async function* (name: string, of: string, place: Pick<ToolFile, 'kind' | 'key'>) {
    for await (const file of session.log.items(name, of)) {
      const id = getText(file, 'id')
      const shown = isObject(file) ? getText(file['attributes'], 'name') : ''
      yield { ...place, id, name: shown || `attachment-${id}`, url: `/api/v2/${project}/attachments/${id}` }
    }
  }
  // The keys of test cases are the ids that people see.
  const keys = new Map<string, string>()
  for await (const { id, attributes } of session.all('tests')) {
    keys.set(String(id), getText(attributes, 'display-id') || String(id))
  }
  await readEach('test_files', 'test', [...keys.keys()])
  for (const [test, key] of keys) yield* listOf('test_files', test, { kind: 'case', key })
  if (attachments !== 'all') return
  await readEach('run_files', 'run', await session.listIds('runs'))
  for (const set of await session.log.listOf('runs')) {
    for await (const run of session.log.items('runs', set)) {
      const test = isObject(run) ? getText(run['attributes'], 'test-id') : ''
      yield* listOf('run_files', getText(run, 'id'), { kind: 'result', key: `${set} ${keys.get(test) ?? test}` })
    }
  }
}
