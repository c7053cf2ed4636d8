import {
  DATA_SET,
  type DataCase,
  type DataFile,
  type DataResult,
  type DataRun,
  findFiles,
  findPerson,
  FOLDER_TREE,
  listNewestResults,
  listUntested,
} from './data-set.ts'
import { type FakeAnswer, type FakeTool, json, startFakeTool } from './fake-tool.ts'

export const KIWI_USER = 'ada'
export const KIWI_PASSWORD = 'kiwi-password-71fc'
const SESSION = 'kiwi-session-0b9d'

const STATUSES = {
  passed: 'PASSED',
  failed: 'FAILED',
  blocked: 'BLOCKED',
  known_issue: 'KNOWN_ISSUE',
  in_review: 'IN_REVIEW',
} as const
/** Ids have gaps, so that test cases take several spans. */
const toCaseId = (id: number) => id * 10
const toUsername = (id: number) => findPerson(id).name.split(' ')[0]?.toLowerCase() ?? ''
const toTime = (date: Date) => date.toISOString().slice(0, 19)

/** As Django does for web pages. */
const escapeText = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')

function escapeTexts(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return value.map(escapeTexts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escapeTexts(each)]))
}

function toText({ precondition, steps }: DataCase): string {
  const lines = (texts: readonly string[]) => texts.map((text, index) => `${index + 1}. ${text}`).join('\n')
  return [
    ...(precondition === '' ? [] : ['**Setup**:', precondition]),
    '**Actions**:',
    lines(steps.map(({ action, data, shared }) => (shared === null ? `${action} ${data}`.trim() : `Shared ${shared}`))),
    '**Expected results**:',
    lines(steps.map(({ expected }) => expected || 'As above')),
  ].join('\n\n')
}

const toCase = (testCase: DataCase) => ({
  id: toCaseId(testCase.id),
  summary: testCase.title,
  text: toText(testCase),
  notes: '',
  script: '',
  arguments: '',
  is_automated: false,
  requirement: testCase.reference,
  extra_link: null,
  case_status: 2,
  case_status__name: 'CONFIRMED',
  category: 1,
  category__name: '--default--',
  priority: testCase.priority,
  priority__value: `P${testCase.priority}`,
  author__username: toUsername(testCase.createdBy),
  default_tester__username: null,
  reviewer__username: null,
  create_date: toTime(testCase.createdAt),
  setup_duration: null,
  testing_duration: testCase.estimateSeconds === 0 ? null : testCase.estimateSeconds,
  expected_duration: testCase.estimateSeconds,
})

const toRun = (run: DataRun) => ({
  id: run.id,
  summary: run.name,
  notes: '',
  plan: 1,
  plan__name: 'Plan 1',
  build: 1,
  build__name: 'unspecified',
  build__version__value: `Release ${run.milestone}`,
  manager__username: toUsername(1),
  start_date: toTime(run.createdAt),
  stop_date: null,
  planned_start: null,
})

const toUntestedId = (run: DataRun, testCase: number) => 100_000 + run.id * 1000 + testCase

const toExecution = (result: DataResult) => ({
  id: result.id,
  run: result.run,
  case: toCaseId(result.testCase),
  status__name: STATUSES[result.status],
  tested_by__username: toUsername(result.person),
  start_date: toTime(new Date(result.at.getTime() - result.elapsedSeconds * 1000)),
  stop_date: toTime(result.at),
  actual_duration: result.elapsedSeconds,
})

const listExecutions = (run: DataRun) => [
  ...listNewestResults(run.id).map(toExecution),
  ...listUntested(run).map((testCase) => ({
    id: toUntestedId(run, testCase),
    run: run.id,
    case: toCaseId(testCase),
    status__name: 'IDLE',
    tested_by__username: null,
    start_date: null,
    stop_date: null,
    actual_duration: null,
  })),
]

const toFile = (baseUrl: string) => (file: DataFile) => ({
  pk: file.id,
  url: `${baseUrl}/uploads/attachments/${file.id}/${encodeURIComponent(file.name)}`,
  owner_pk: 1,
  date: '2024-02-01T09:00:00',
})

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

function respond({ id, method, params }: Call, isKnown: boolean, baseUrl: string): object {
  const refuse = (code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } })
  if (method === 'Auth.login') {
    const isUser = params[0] === KIWI_USER && params[1] === KIWI_PASSWORD
    return isUser
      ? { jsonrpc: '2.0', id, result: SESSION }
      : refuse(-32603, 'Internal error: Wrong username or password')
  }
  if (!isKnown) return refuse(-32603, `Authentication failed when calling "${method}"`)
  const result = answer(method, params[0], baseUrl)
  return result === undefined
    ? refuse(-32601, `Method not found: "${method}"`)
    : { jsonrpc: '2.0', id, result: escapeTexts(result) }
}

type Query = Readonly<Record<string, unknown>>

/** Kiwi TCMS: JSON-RPC, with errors as 200 and without pages. */
export async function startFakeKiwi(): Promise<FakeTool> {
  const tool: FakeTool = await startFakeTool(({ path, headers, body }): FakeAnswer => {
    const isKnown = headers.cookie === `sessionid=${SESSION}`
    const [, fileId] = /^\/uploads\/attachments\/(\d+)\//.exec(path) ?? []
    if (fileId !== undefined && isKnown) {
      return { type: 'text/plain', body: DATA_SET.files[Number(fileId) - 1]?.bytes ?? '' }
    }
    if (path !== '/json-rpc/') return { status: 404, type: 'text/html', body: '<html>Not found</html>' }
    const read = JSON.parse(body) as Call | Call[]
    return json(
      Array.isArray(read) ? read.map((call) => respond(call, isKnown, tool.url)) : respond(read, isKnown, tool.url),
    )
  })
  return tool
}

const inSpan = <T extends { readonly id: number }>(items: readonly T[], { pk__gt: after, pk__lte: last }: Query): T[] =>
  items.filter(({ id }) => id > Number(after ?? 0) && id <= Number(last ?? Infinity))

function answer(method: string, parameter: unknown, baseUrl: string): unknown {
  const query = (typeof parameter === 'object' && parameter !== null ? parameter : {}) as Query
  const run = DATA_SET.runs.find(({ id }) => id === Number(query['run'] ?? query['execution__run'] ?? parameter))
  const result = DATA_SET.results.find(({ id }) => id === parameter)
  switch (method) {
    case 'Product.filter':
      return [{ id: 3, name: 'SHOP', description: '' }]
    case 'User.filter':
      return DATA_SET.people.map(({ id, email }) => ({
        id,
        username: toUsername(id),
        first_name: '',
        last_name: '',
        email,
      }))
    case 'Category.filter':
      return [{ id: 1, name: '--default--', product: 3 }]
    case 'Component.filter':
      return DATA_SET.cases
        .filter(({ severity }) => severity === 'Major')
        .map(({ id }) => ({ id: 1, name: 'Checkout', product: 3, cases: toCaseId(id) }))
    case 'TestPlan.filter':
      return FOLDER_TREE.map(({ id, parent, name }) => ({ id, parent, name, text: '', product: 3, is_active: true }))
    case 'TestCase.sortkeys':
      return Object.fromEntries(
        DATA_SET.cases.filter(({ folder }) => folder === query['plan']).map(({ id }) => [toCaseId(id), id * 10]),
      )
    case 'TestCase.filter':
      return inSpan(DATA_SET.cases.map(toCase), query)
    case 'Tag.filter': {
      const wanted = new Set(query['case__in'] as readonly number[])
      return DATA_SET.cases
        .filter(({ id }) => wanted.has(toCaseId(id)))
        .flatMap(({ id, tags }) => tags.map((name) => ({ id: 1, name, case: toCaseId(id), plan: null, run: null })))
    }
    case 'TestCase.properties':
      return []
    case 'TestCase.comments':
      return []
    case 'TestRun.filter':
      return inSpan(DATA_SET.runs.map(toRun), query)
    case 'TestExecution.filter':
      return run === undefined ? [] : listExecutions(run)
    case 'TestExecution.get_links':
      return listNewestResults(run?.id ?? 0).flatMap(({ id, defects }) =>
        defects.map((defect) => ({
          id,
          execution: id,
          name: defect,
          url: `https://tracker.example/${defect}`,
          is_defect: true,
        })),
      )
    case 'TestExecution.properties':
      return run === undefined || run.configuration === ''
        ? []
        : listNewestResults(run.id).map(({ id }) => ({ id, execution: id, name: 'Browser', value: run.configuration }))
    case 'TestExecution.get_comments':
      return result === undefined || result.comment === '' ? [] : [{ id: result.id, comment: result.comment }]
    case 'TestCase.list_attachments':
      return findFiles(null, Number(parameter) / 10).map(toFile(baseUrl))
    case 'TestExecution.list_attachments':
      return result === undefined ? [] : findFiles(result.run, result.testCase).map(toFile(baseUrl))
    case 'TestRun.list_attachments':
      return []
    default:
      return undefined
  }
}
