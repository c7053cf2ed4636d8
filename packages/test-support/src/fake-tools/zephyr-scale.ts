import { DATA_SET, type DataCase, type DataResult, FOLDER_TREE, listUntested } from './data-set.ts'
import {
  type FakeAnswer,
  type FakeLists,
  type FakeRequest,
  type FakeTool,
  json,
  PAGE_SIZE,
  startFakeTool,
} from './fake-tool.ts'

export const ZEPHYR_TOKEN = 'zephyr-token-d4f8'

const PRIORITIES = ['Critical', 'High', 'Normal', 'Low'] as const
const STATUSES = {
  passed: [11, 'Pass'],
  failed: [12, 'Fail'],
  blocked: [13, 'Blocked'],
  known_issue: [14, 'Known issue'],
  in_review: [15, 'In review'],
  untested: [16, 'Not Executed'],
} as const
const BASE = 'https://api.zephyrscale.smartbear.com/v2'

const toKey = (id: number) => `SHOP-T${id}`
const toCycleKey = (id: number) => `SHOP-R${id}`
/** Every hundredth test case is a text. */
const isScript = ({ id }: DataCase) => id % 100 === 1

const toCase = (testCase: DataCase) => ({
  id: testCase.id,
  key: toKey(testCase.id),
  name: testCase.title,
  objective: null,
  precondition: testCase.precondition === '' ? null : testCase.precondition,
  estimatedTime: testCase.estimateSeconds * 1000,
  labels: testCase.tags,
  component: null,
  priority: { id: testCase.priority },
  status: { id: 20 },
  folder: { id: testCase.folder },
  owner: { accountId: `712020:${testCase.createdBy}` },
  testScript: { self: `${BASE}/testcases/${toKey(testCase.id)}/${isScript(testCase) ? 'testscript' : 'teststeps'}` },
  customFields: { Severity: testCase.severity },
  links: {
    issues: [],
    webLinks:
      testCase.reference === ''
        ? []
        : [{ url: `https://tracker.example/${testCase.reference}`, description: testCase.reference }],
  },
  createdOn: testCase.createdAt.toISOString(),
})

const toStep = ({ action, data, expected, shared }: DataCase['steps'][number]) =>
  shared === null
    ? { inline: { description: action, testData: data, expectedResult: expected, customFields: {} }, testCase: null }
    : { inline: null, testCase: { testCaseKey: toKey(shared + 1) } }

const toExecution = (result: DataResult) => ({
  id: result.id,
  key: `SHOP-E${result.id}`,
  testCase: { self: `${BASE}/testcases/${toKey(result.testCase)}/versions/1` },
  testCycle: { id: result.run },
  environment: null,
  testExecutionStatus: { id: STATUSES[result.status][0] },
  actualEndDate: result.at.toISOString(),
  executionTime: result.elapsedSeconds * 1000,
  executedById: `712020:${result.person}`,
  comment: result.comment === '' ? null : result.comment,
  automated: false,
})

const listExecutions = () => [
  ...DATA_SET.results.map(toExecution),
  ...DATA_SET.runs.flatMap((run) =>
    listUntested(run).map((testCase) => ({
      id: 100_000 + run.id * 1000 + testCase,
      testCase: { self: `${BASE}/testcases/${toKey(testCase)}/versions/1` },
      testCycle: { id: run.id },
      testExecutionStatus: { id: STATUSES.untested[0] },
      actualEndDate: null,
      executionTime: null,
    })),
  ),
]

/** Zephyr Scale Cloud: `GET /v2/…`, Bearer. */
export const startFakeZephyrScale = (): Promise<FakeTool> =>
  startFakeTool((request, lists) =>
    request.headers.authorization === `Bearer ${ZEPHYR_TOKEN}`
      ? answer(request, lists)
      : json({ errorCode: 401, message: 'Unauthorized' }, 401),
  )

function answer({ path, query }: FakeRequest, lists: FakeLists): FakeAnswer {
  const page = (items: readonly object[]): FakeAnswer => {
    const startAt = Number(query.get('startAt') ?? 0)
    const maxResults = Math.min(PAGE_SIZE, Number(query.get('maxResults') ?? 10))
    const values = lists.slice<object>(items, startAt, maxResults, { id: 999_999, key: 'SHOP-T999999' })
    const isLast = startAt + maxResults >= items.length
    return json({
      next: isLast ? null : 'next',
      startAt,
      maxResults,
      total: lists.count(path, items.length),
      isLast,
      values,
    })
  }
  const [, key, part] = /^\/v2\/testcases\/SHOP-T(\d+)\/(\w+)$/.exec(path) ?? []
  const testCase = DATA_SET.cases.find(({ id }) => id === Number(key))
  if (testCase !== undefined) {
    if (part === 'teststeps') {
      // Steps have no ids by which they could be recognized.
      const values = testCase.steps.map(toStep)
      return json({ startAt: 0, maxResults: 100, total: values.length, isLast: true, values })
    }
    return isScript(testCase)
      ? json({ id: testCase.id, type: 'plain', text: testCase.steps.map(({ action }) => action).join('<br>') })
      : json({ errorCode: 404, message: 'Not found' }, 404)
  }
  switch (path) {
    case '/v2/folders':
      return page(FOLDER_TREE.map(({ id, parent, name }) => ({ id, parentId: parent, name, index: id })))
    case '/v2/priorities':
      return page(PRIORITIES.map((name, index) => ({ id: index + 1, name, isDefault: false })))
    case '/v2/statuses':
      return page([{ id: 20, name: 'Approved' }, ...Object.values(STATUSES).map(([id, name]) => ({ id, name }))])
    case '/v2/testcases':
      return page(DATA_SET.cases.map(toCase))
    case '/v2/environments':
      return page([])
    case '/v2/testplans':
      return page(DATA_SET.plans.map(({ id, name }) => ({ id, key: `SHOP-P${id}`, name })))
    case '/v2/testcycles':
      return page(
        DATA_SET.runs.map((run) => ({
          id: run.id,
          key: toCycleKey(run.id),
          name: run.name,
          plannedStartDate: run.createdAt.toISOString(),
          plannedEndDate: null,
          description: null,
        })),
      )
    case '/v2/testexecutions':
      return page(listExecutions())
    default:
      return json({ errorCode: 404, message: 'Not found' }, 404)
  }
}
