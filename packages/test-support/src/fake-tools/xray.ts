import { DATA_SET, type DataCase, type DataFile, type DataRun, listNewestResults, listUntested } from './data-set.ts'
import { type FakeAnswer, type FakeTool, json, PAGE_SIZE, startFakeTool } from './fake-tool.ts'

export const XRAY_CLIENT = { id: 'xray-client-id', secret: 'xray-client-secret-93b0' }
const TOKEN = 'xray-session-token-77aa'

const PRIORITIES = ['Highest', 'High', 'Medium', 'Low'] as const
const STATUSES = {
  passed: 'PASSED',
  failed: 'FAILED',
  blocked: 'ABORTED',
  known_issue: 'KNOWN ISSUE',
  in_review: 'IN REVIEW',
} as const

const toIssueId = (id: number) => String(10_000 + id)
/** Issues of one project share their numbers. */
const toKey = (kind: 'test' | 'execution' | 'set' | 'plan', id: number) =>
  `SHOP-${id + { test: 0, execution: 2000, set: 3000, plan: 4000 }[kind]}`

function getFolderPath({ folder, suite }: DataCase): string {
  const own = DATA_SET.folders.find(({ id }) => id === folder)
  const parent = DATA_SET.folders.find(({ id }) => id === own?.parent)
  return ['', `Suite ${suite}`, ...(parent === undefined ? [] : [parent.name]), own?.name ?? ''].join('/')
}

const toFiles = (baseUrl: string, isWanted: (file: DataFile) => boolean) =>
  DATA_SET.files.filter(isWanted).map(({ id, name }) => ({
    id: `file-${id}`,
    filename: name,
    downloadLink: `${baseUrl}/api/v2/attachments/${id}`,
  }))

const toTest = (testCase: DataCase, baseUrl: string) => ({
  issueId: toIssueId(testCase.id),
  testType: { name: 'Manual', kind: 'Steps' },
  folder: { path: getFolderPath(testCase) },
  steps: testCase.steps.map(({ action, data, expected, shared }, index) => ({
    id: `${testCase.id}-${index}`,
    action,
    data,
    result: expected,
    customFields: [],
    attachments: index > 0 ? [] : toFiles(baseUrl, (file) => file.run === null && file.testCase === testCase.id),
    // The first tests stand for the shared steps.
    callTestIssueId: shared === null ? null : toIssueId(shared),
  })),
  gherkin: null,
  unstructured: null,
  scenarioType: null,
  preconditions:
    testCase.precondition === ''
      ? { total: 0, results: [] }
      : { total: 1, results: [{ issueId: toIssueId(5000 + testCase.id), definition: testCase.precondition }] },
  jira: {
    key: toKey('test', testCase.id),
    summary: testCase.title,
    priority: { name: PRIORITIES[testCase.priority - 1] },
    labels: testCase.tags,
    status: { name: 'Open' },
    description:
      testCase.reference === ''
        ? null
        : { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: testCase.reference }] }] },
    created: testCase.createdAt.toISOString(),
  },
})

const toExecution = (run: DataRun) => ({
  issueId: toIssueId(2000 + run.id),
  testEnvironments: run.configuration === '' ? [] : [run.configuration],
  jira: { key: toKey('execution', run.id), summary: run.name, description: null, created: run.createdAt.toISOString() },
})

function listRuns(run: DataRun, baseUrl: string): object[] {
  const toTestOf = (testCase: number) => ({ issueId: toIssueId(testCase), jira: { key: toKey('test', testCase) } })
  return [
    ...listNewestResults(run.id).map((result) => ({
      id: `run-${result.id}`,
      status: { name: STATUSES[result.status] },
      comment: result.comment === '' ? null : result.comment,
      test: toTestOf(result.testCase),
      executedById: `account-${result.person}`,
      startedOn: new Date(result.at.getTime() - result.elapsedSeconds * 1000).toISOString(),
      finishedOn: result.at.toISOString(),
      defects: result.defects,
      evidence: toFiles(baseUrl, (file) => file.run === run.id && file.testCase === result.testCase),
      steps: [],
      iterations: { total: 0 },
    })),
    ...listUntested(run).map((testCase) => ({
      id: `todo-${run.id}-${testCase}`,
      status: { name: 'TO DO' },
      test: toTestOf(testCase),
      defects: [],
      evidence: [],
      steps: [],
    })),
  ]
}

/** Xray Cloud: `POST /api/v2/graphql`. */
export async function startFakeXray(): Promise<FakeTool> {
  const tool: FakeTool = await startFakeTool((request, lists, { maxPage = 100 }): FakeAnswer => {
    if (request.path === '/api/v2/authenticate') {
      const { client_id: id, client_secret: secret } = JSON.parse(request.body) as Record<string, string>
      return id === XRAY_CLIENT.id && secret === XRAY_CLIENT.secret
        ? json(TOKEN)
        : json({ error: `Invalid client credentials ${secret}` }, 401)
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return json({ error: 'Unauthorized' }, 401)
    const [, fileId] = /^\/api\/v2\/attachments\/(\d+)$/.exec(request.path) ?? []
    if (fileId !== undefined) {
      return { type: 'text/plain', body: DATA_SET.files[Number(fileId) - 1]?.bytes ?? '' }
    }
    const { query } = JSON.parse(request.body) as { query: string }
    const [, name = '', parameters = ''] = /^query \{ (\w+)\(([^)]*)\)/.exec(query) ?? []
    const [, limit = '', start = ''] = /limit: (\d+), start: (\d+)/.exec(query) ?? []
    if (Number(limit) > maxPage) return json({ errors: [{ message: 'Too many resolvers are needed' }] })
    const issue = Number(/issueId: "(\d+)"/.exec(parameters)?.[1] ?? 0) - 10_000
    const page = (items: readonly object[]) => {
      const size = Math.min(PAGE_SIZE, Number(limit))
      const results = lists.slice<object>(items, Number(start), size, { issueId: '999999', id: 'inserted' })
      return { total: lists.count(name, items.length), start: Number(start), limit: Number(limit), results }
    }
    return answer(name, issue, page, tool.url)
  })
  return tool
}

function answer(name: string, issue: number, page: (items: readonly object[]) => object, baseUrl: string): FakeAnswer {
  const reply = (value: object) => json({ data: { [name]: value } })
  switch (name) {
    case 'getTests':
      return reply(page(DATA_SET.cases.map((testCase) => toTest(testCase, baseUrl))))
    case 'getTestSets':
      return reply(page([{ issueId: toIssueId(3001), jira: { key: toKey('set', 1), summary: 'Smoke' } }]))
    case 'getTestPlans':
      return reply(
        page(
          DATA_SET.plans.map((plan) => ({
            issueId: toIssueId(4000 + plan.id),
            jira: { key: toKey('plan', plan.id), summary: plan.name },
          })),
        ),
      )
    case 'getTestSet':
    case 'getTestPlan':
      return reply({ tests: page(DATA_SET.cases.slice(0, 120).map(({ id }) => ({ issueId: toIssueId(id) }))) })
    case 'getTestExecutions':
      return reply(page(DATA_SET.runs.map(toExecution)))
    case 'getTestExecution': {
      const run = DATA_SET.runs.find(({ id }) => id === issue - 2000)
      return run === undefined
        ? json({ errors: [{ message: 'not found' }] })
        : reply({ testRuns: page(listRuns(run, baseUrl)) })
    }
    default:
      return json({ errors: [{ message: `Cannot query field "${name}"` }] })
  }
}
