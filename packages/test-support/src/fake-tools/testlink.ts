import { DATA_SET, type DataCase, type DataResult, listResults } from './data-set.ts'
import { type FakeAnswer, type FakeTool, startFakeTool } from './fake-tool.ts'

export const TESTLINK_KEY = 'testlink-dev-key-2a6b'

const STATUSES = { passed: 'p', failed: 'f', blocked: 'b', known_issue: 'k', in_review: 'x' } as const

type Value = string | null | readonly Value[] | { readonly [name: string]: Value }

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** All values are texts, as PHP has them. */
function format(value: Value): string {
  if (value === null) return '<value><string></string></value>'
  if (typeof value === 'string') return `<value><string>${escapeText(value)}</string></value>`
  if (Array.isArray(value))
    return `<value><array><data>${value.map((item: Value) => format(item)).join('')}</data></array></value>`
  const members = Object.entries(value).map(
    ([name, member]) => `<member><name>${escapeText(name)}</name>${format(member)}</member>`,
  )
  return `<value><struct>${members.join('\n')}</struct></value>`
}

const reply = (value: Value): FakeAnswer => ({
  type: 'text/xml',
  body: `<?xml version="1.0"?>\n<methodResponse><params><param>${format(value)}</param></params></methodResponse>`,
})
const error = (code: string, message: string) => reply([{ code, message }])
const toTime = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ')
const byId = (items: readonly { readonly id: string; readonly [name: string]: Value }[]): Value =>
  Object.fromEntries(items.map((item) => [item.id, item]))

const toCase = (testCase: DataCase, position: number): { readonly [name: string]: Value } => ({
  id: String(1000 + testCase.id),
  name: testCase.title,
  external_id: `SHOP-${testCase.id}`,
  version: '1',
  summary: testCase.reference === '' ? '' : `<p>${testCase.reference}</p>`,
  preconditions: testCase.precondition,
  importance: String(Math.max(1, 4 - testCase.priority)),
  status: '7',
  execution_type: '1',
  estimated_exec_duration: testCase.estimateSeconds === 0 ? '' : '1.50',
  node_order: String(position),
  steps: testCase.steps.map(({ action, data, expected, shared }, index) => ({
    step_number: String(index + 1),
    actions: shared === null ? `<p>${action} ${data}</p>` : `<p>Shared ${shared}</p>`,
    expected_results: `<p>${expected}</p>`,
    execution_type: '1',
  })),
  keywords: Object.fromEntries(testCase.tags.map((keyword, index) => [String(index + 1), { keyword, notes: '' }])),
  author_id: String(testCase.createdBy),
  creation_ts: toTime(testCase.createdAt),
  modification_ts: '',
})

/** Each run is a build of one of two plans. */
const getPlan = (run: number) => (run <= DATA_SET.runs.length / 2 ? 1 : 2)

const toExecution = (result: DataResult): Value => ({
  id: String(result.id),
  build_id: String(result.run),
  tester_id: String(result.person),
  execution_ts: toTime(result.at),
  status: STATUSES[result.status],
  testplan_id: String(getPlan(result.run)),
  platform_id: '0',
  tcversion_number: '1',
  execution_type: '1',
  notes: result.comment,
  execution_duration: String(result.elapsedSeconds / 60),
  bugs: result.defects.map((bug) => ({ bug_id: bug })),
})

const EXECUTIONS = new Map<string, DataResult[]>()
for (const run of DATA_SET.runs) {
  for (const result of listResults(run.id)) {
    const key = `${getPlan(run.id)} ${1000 + result.testCase}`
    EXECUTIONS.set(key, [...(EXECUTIONS.get(key) ?? []), result])
  }
}

/** TestLink: XML-RPC, with errors as 200. */
export const startFakeTestlink = (): Promise<FakeTool> =>
  startFakeTool(({ path, body }) => {
    if (path !== '/lib/api/xmlrpc/v1/xmlrpc.php')
      return { status: 404, type: 'text/html', body: '<html>Not found</html>' }
    const method = /<methodName>tl\.(\w+)</.exec(body)?.[1] ?? ''
    const get = (name: string) =>
      new RegExp(`<name>${name}</name><value><(?:string|int)>([^<]*)<`).exec(body)?.[1] ?? ''
    if (get('devKey') !== TESTLINK_KEY)
      return error('2000', `Can not authenticate client: invalid developer key ${get('devKey')}`)
    return answer(method, get)
  })

function answer(method: string, get: (name: string) => string): FakeAnswer {
  const suite = Number(get('testsuiteid'))
  const toFolder = (folder: (typeof DATA_SET.folders)[number]) => ({
    id: String(folder.id),
    name: folder.name,
    details: '',
    parent_id: String(folder.parent ?? 100 + folder.suite),
    node_order: String(folder.id),
  })
  switch (method) {
    case 'getProjects':
      return reply([
        {
          id: '3',
          name: DATA_SET.project.name,
          prefix: 'SHOP',
          notes: '',
          active: '1',
          tc_counter: String(DATA_SET.cases.length),
        },
      ])
    case 'getFirstLevelTestSuitesForTestProject':
      return reply(
        DATA_SET.suites.map(({ id, name }) => ({ id: String(100 + id), name, parent_id: '3', node_order: String(id) })),
      )
    case 'getTestSuitesForTestSuite': {
      const below = DATA_SET.folders.filter((folder) => (folder.parent ?? 100 + folder.suite) === suite).map(toFolder)
      const [first] = below
      // Nothing is an empty text, and one is no list.
      if (first === undefined) return reply('')
      return below.length === 1 ? reply(first) : reply(byId(below))
    }
    case 'getTestCasesForTestSuite':
      return reply(DATA_SET.cases.filter(({ folder }) => folder === suite).map(toCase))
    case 'getTestCaseAttachments': {
      const id = Number(get('testcaseid')) - 1000
      const files = DATA_SET.files.filter((file) => file.run === null && file.testCase === id)
      return reply(
        byId(
          files.map((file) => ({
            id: String(file.id),
            name: file.name,
            file_type: 'text/plain',
            title: '',
            date_added: '2024-02-01 09:00:00',
            content: file.bytes.toString('base64'),
          })),
        ),
      )
    }
    case 'getTestCaseCustomFieldDesignValue':
      return reply(get('customfieldname') === 'Browser' ? 'Chrome' : '')
    case 'getProjectTestPlans':
      return reply(
        DATA_SET.plans.map(({ id, name }) => ({ id: String(id), name, notes: '', active: '1', is_open: '1' })),
      )
    case 'getBuildsForTestPlan':
      return reply(
        DATA_SET.runs
          .filter((run) => getPlan(run.id) === Number(get('testplanid')))
          .map((run) => ({
            id: String(run.id),
            name: run.name,
            notes: '',
            creation_ts: toTime(run.createdAt),
            is_open: '1',
          })),
      )
    case 'getTestPlanPlatforms':
      return error('3041', 'Test plan has no platforms linked')
    case 'getTestCasesForTestPlan': {
      const [run] = DATA_SET.runs
      const ids = (run?.cases ?? []).map((id) => String(1000 + id))
      return reply(
        Object.fromEntries(ids.map((id) => [id, { 0: { tcase_id: id, exec_status: 'n', platform_name: '' } }])),
      )
    }
    case 'getAllExecutionsResults': {
      const found = EXECUTIONS.get(`${get('testplanid')} ${get('testcaseid')}`) ?? []
      return found.length === 0 ? reply([{ id: '-1' }]) : reply(found.map(toExecution))
    }
    default:
      return error('200', `Unknown method ${method}`)
  }
}
