import { expectObjects, getText, isObject, type Page } from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { isSince, listShown, type Tool, type ToolOptions } from './tool.ts'

const PAGE_SIZE = 250
const API = '/index.php?/api/v2/'
/** `![](index.php?/attachments/get/12)` */
const PICTURE = /index\.php\?\/attachments\/get\/([\w-]+)/g

const toAuthorization = (user: string, key: string) => Buffer.from(`${user}:${key}`).toString('base64')

/** TestRail: `index.php?/api/v2/`, https://support.testrail.com/hc/en-us/articles/7077083596436-Introduction-to-the-TestRail-API */
export const testrail: Tool = {
  system: 'testrail',
  title: 'TestRail',
  defaultUrl: null,
  urlExample: 'https://example.testrail.io',
  projectExample: '3',
  secrets: [{ variable: 'TESTRAIL_API_KEY', question: 'API key of TestRail:' }],
  rights:
    'Use an API key (My Settings, API Keys) of a user with access to the project, and turn on the API in Site Settings.',
  userHelp: 'email address of the user of TestRail whose key it is',
  hasSuites: true,
  hasFiles: true,
  getBaseUrl: (url) => url.replace(/\/index\.php.*$/, ''),
  getHeaders: ({ user = '' }, { TESTRAIL_API_KEY: key = '' }) => ({
    authorization: `Basic ${toAuthorization(user, key)}`,
  }),
  listHidden: ({ user = '' }, { TESTRAIL_API_KEY: key = '' }) => [toAuthorization(user, key)],
  fetch: fetchTestrail,
}

/** TestRail refuses requests without a content type. */
const toRequest = (call: string) => ({ path: `${API}${call}`, contentType: 'application/json' })

/** Reads a page. Servers before 6.7 answer with the bare list, in one page of all. */
async function readPage({ http }: FetchSession, call: string, listName: string, next: string | null): Promise<Page> {
  const path = next ?? `${call}&limit=${PAGE_SIZE}&offset=0`
  const answer = await http.json(toRequest(path))
  if (!isObject(answer)) return { items: expectObjects(answer, 'TestRail', call), next: null }
  const items = expectObjects(answer[listName], 'TestRail', call)
  const following = isObject(answer['_links']) ? getText(answer['_links'], 'next') : ''
  const nextPath = following.replace(/^.*\/api\/v2\//, '')
  return { items, next: nextPath === '' || items.length === 0 || nextPath === next ? null : nextPath }
}

/** Lists that have no pages. */
async function readBareList({ http }: FetchSession, call: string, listName: string): Promise<Page> {
  const answer = await http.json(toRequest(call))
  const list = isObject(answer) && listName in answer ? answer[listName] : answer
  return { items: expectObjects(list, 'TestRail', call), next: null }
}

async function readObject({ http }: FetchSession, call: string): Promise<Page> {
  return { items: expectObjects([await http.json(toRequest(call))], 'TestRail', call), next: null }
}

async function fetchTestrail(session: FetchSession, options: ToolOptions): Promise<void> {
  const { project, suite, attachments } = options
  await session.readList('project', '', () => readObject(session, `get_project/${project}`))
  await session.readList('suites', '', () =>
    suite === undefined
      ? readBareList(session, `get_suites/${project}`, 'suites')
      : readObject(session, `get_suite/${suite}`),
  )
  for (const [name, call] of [
    ['case_fields', 'get_case_fields'],
    ['case_types', 'get_case_types'],
    ['priorities', 'get_priorities'],
    ['templates', `get_templates/${project}`],
    ['statuses', 'get_statuses'],
    ['users', `get_users/${project}`],
  ] as const) {
    await session.readOptionalList(name, '', () => readBareList(session, call, name))
  }
  const suites: string[] = []
  for await (const each of session.all('suites')) suites.push(getText(each, 'id'))
  await session.readEach(suites, async (id) => {
    const list = `${project}&suite_id=${id}`
    await session.readList('sections', id, (next) => readPage(session, `get_sections/${list}`, 'sections', next))
    await session.readList('cases', id, (next) => readPage(session, `get_cases/${list}`, 'cases', next))
  })
  await session.readOptionalList('shared_steps', '', (next) =>
    readPage(session, `get_shared_steps/${project}`, 'shared_steps', next),
  )
  await session.readList('milestones', '', (next) => readPage(session, `get_milestones/${project}`, 'milestones', next))
  await fetchRuns(session, options)
  if (attachments !== 'none') await session.readFiles(listFiles(session, options))
}

/** Runs of plans are in the plans only. */
async function fetchRuns(session: FetchSession, options: ToolOptions): Promise<void> {
  const { project } = options
  await session.readList('plans', '', (next) => readPage(session, `get_plans/${project}`, 'plans', next))
  await session.readList('runs', '', (next) => readPage(session, `get_runs/${project}`, 'runs', next))
  const plans: string[] = []
  for await (const plan of session.all('plans')) {
    // A plan gets runs until it is completed.
    if (isSince(getText(plan, 'completed_on'), options)) plans.push(getText(plan, 'id'))
  }
  await session.readEach(plans, (id) => session.readList('plan', id, () => readObject(session, `get_plan/${id}`)))
  const runs = new Map<string, number | null>()
  for await (const run of listRuns(session, options)) runs.set(getText(run, 'id'), countTests(run))
  await session.readEach(runs.keys(), async (id) => {
    await session.readList('tests', id, (next) => readPage(session, `get_tests/${id}`, 'tests', next), {
      expected: runs.get(id) ?? null,
    })
    await session.readList('results', id, (next) => readPage(session, `get_results_for_run/${id}`, 'results', next))
  })
}

/** A run says how many tests of each status it has. */
function countTests(run: Readonly<Record<string, unknown>>): number | null {
  const counts = Object.entries(run).filter(([name, value]) => name.endsWith('_count') && typeof value === 'number')
  return counts.length === 0 ? null : counts.reduce((sum, [, count]) => sum + Number(count), 0)
}

/** The runs to import: those of the suite, and not older than asked for. */
async function* listRuns(session: FetchSession, options: ToolOptions) {
  const isWanted = (run: unknown) =>
    isSince(getText(run, 'created_on'), options) &&
    (options.suite === undefined || getText(run, 'suite_id') === options.suite)
  for await (const run of session.all('runs')) if (isWanted(run)) yield run
  for await (const { entries } of session.all('plan')) {
    for (const entry of Array.isArray(entries) ? entries.filter(isObject) : []) {
      const { runs } = entry
      for (const run of Array.isArray(runs) ? runs.filter(isObject) : []) if (isWanted(run)) yield run
    }
  }
}

async function* listFiles(session: FetchSession, options: ToolOptions): AsyncGenerator<ToolFile> {
  const toFile = (file: unknown, place: Pick<ToolFile, 'kind' | 'key'>): ToolFile => {
    const id = getText(file, 'id') || getText(file, 'cassandra_file_id')
    const name = getText(file, 'filename') || getText(file, 'name') || `attachment-${id}`
    return { ...place, id, name, url: `${API}get_attachment/${id}` }
  }
  const cases: string[] = []
  for await (const testCase of session.all('cases')) cases.push(getText(testCase, 'id'))
  await session.readEach(cases, async (id) => {
    const call = `get_attachments_for_case/${id}`
    await session.readOptionalList('case_files', id, (next) => readPage(session, call, 'attachments', next))
  })
  for (const id of cases) {
    for await (const file of session.log.items('case_files', id)) yield toFile(file, { kind: 'case', key: `C${id}` })
  }
  for await (const testCase of session.all('cases')) {
    const key = getText(testCase, 'id')
    const listed = await session.listIds('case_files', key)
    for (const file of listShown(testCase, `C${key}`, PICTURE, (id) => `${API}get_attachment/${id}`)) {
      if (!listed.includes(file.id)) yield file
    }
  }
  if (options.attachments !== 'all') return
  const runs: string[] = []
  for await (const run of listRuns(session, options)) runs.push(getText(run, 'id'))
  await session.readEach(runs, async (id) => {
    const call = `get_attachments_for_run/${id}`
    await session.readOptionalList('run_files', id, (next) => readPage(session, call, 'attachments', next))
  })
  for (const id of runs) {
    for await (const file of session.log.items('run_files', id)) {
      const testCase = getText(file, 'case_id')
      yield toFile(
        file,
        testCase === '' ? { kind: 'run', key: `R${id}` } : { kind: 'result', key: `R${id} C${testCase}` },
      )
    }
  }
}
