import {
  DATA_SET,
  type DataCase,
  type DataRun,
  findPerson,
  FOLDER_TREE,
  listResults,
  listUntested,
} from './data-set.ts'
import {
  type FakeAnswer,
  type FakeLists,
  type FakeRequest,
  type FakeTool,
  json,
  PAGE_SIZE,
  startFakeTool,
} from './fake-tool.ts'

export const QTEST_TOKEN = 'qtest-token-38ad'

const STATUSES = {
  passed: 'Passed',
  failed: 'Failed',
  blocked: 'Blocked',
  known_issue: 'Known issue',
  in_review: 'In review',
} as const
const PRIORITIES = ['Urgent', 'High', 'Medium', 'Low'] as const
const toTestRunId = (run: number, testCase: number) => run * 1000 + testCase

interface Module {
  readonly id: number
  readonly name: string
  readonly order: number
  readonly parent_id: number | null
  readonly children: readonly Module[]
}

const listModules = (parent: number | null): Module[] =>
  FOLDER_TREE.filter((folder) => folder.parent === parent).map(({ id, name }) => ({
    id,
    name,
    order: id,
    parent_id: parent,
    children: listModules(id),
  }))

const toCase = (testCase: DataCase) => ({
  id: testCase.id,
  pid: `TC-${testCase.id}`,
  name: testCase.title,
  order: testCase.id,
  parent_id: testCase.folder,
  description: testCase.reference === '' ? '' : `<p>${testCase.reference}</p>`,
  precondition: testCase.precondition,
  creator_id: testCase.createdBy,
  created_date: testCase.createdAt.toISOString(),
  properties: [
    { field_id: 1, field_name: 'Priority', field_value: '721', field_value_name: PRIORITIES[testCase.priority - 1] },
    { field_id: 2, field_value: testCase.severity === 'Major' ? '5' : '6' },
  ],
  // The first test cases stand for the shared steps.
  test_steps: testCase.steps.map(({ action, data, expected, shared }, index) => ({
    id: testCase.id * 100 + index,
    description: `${action} ${data}`.trim(),
    expected,
    order: index + 1,
    called_test_case_id: shared,
  })),
})

/** Runs are cycles, each with a test run for each of its test cases. */
const listTestRuns = () =>
  DATA_SET.runs.flatMap((run) =>
    [...new Set([...listResults(run.id).map(({ testCase }) => testCase), ...listUntested(run)])].map((testCase) => ({
      id: toTestRunId(run.id, testCase),
      pid: `TR-${toTestRunId(run.id, testCase)}`,
      name: '',
      parent_id: run.id,
      parent_type: 'test-cycle',
      created: run.createdAt.toISOString(),
      test_case: { id: testCase },
    })),
  )

const toCycle = ({ id, name }: DataRun) => ({ id, name, description: '', test_cycles: [], test_suites: [] })

const listLogs = (testRun: number) =>
  listResults(Math.floor(testRun / 1000))
    .filter(({ testCase }) => testCase === testRun % 1000)
    .map((result) => ({
      id: result.id,
      status: { id: 1, name: STATUSES[result.status] },
      note: result.comment === '' ? null : result.comment,
      exe_start_date: new Date(result.at.getTime() - result.elapsedSeconds * 1000).toISOString(),
      exe_end_date: result.at.toISOString(),
      user_id: result.person,
      defects: result.defects.map((pid) => ({ id: 1, pid })),
    }))

/** Files are at test cases, and at the newest log of a test run. */
const listFiles = (type: string) =>
  DATA_SET.files
    .filter(({ run }) => (run === null) === (type === 'test-cases'))
    .map(({ id, name, run, testCase }) => ({
      id,
      name,
      artifact_id: run === null ? testCase : listLogs(toTestRunId(run, testCase)).at(-1)?.id,
    }))

/** qTest: `GET /api/v3/…`, Bearer. */
export const startFakeQtest = (): Promise<FakeTool> =>
  startFakeTool((request, lists) =>
    request.headers.authorization === `Bearer ${QTEST_TOKEN}`
      ? answer(request, lists)
      : json({ message: 'Unauthorized' }, 401),
  )

function answer({ path, query }: FakeRequest, lists: FakeLists): FakeAnswer {
  const [, file] = /\/api\/v3\/projects\/3\/test-(?:cases|logs)\/\d+\/attachments\/(\d+)$/.exec(path) ?? []
  if (file !== undefined)
    return { type: 'application/octet-stream', body: DATA_SET.files[Number(file) - 1]?.bytes ?? '' }
  const number = Number(query.get('page') ?? 1)
  const slice = (items: readonly object[]) =>
    (number - 1) * PAGE_SIZE >= items.length
      ? []
      : lists.slice<object>(items, (number - 1) * PAGE_SIZE, PAGE_SIZE, { id: 999_999, name: 'Inserted' })
  const page = (items: readonly object[]) =>
    json({ page: number, page_size: PAGE_SIZE, total: lists.count(path, items.length), items: slice(items) })
  const [, testRun] = /^\/api\/v3\/projects\/3\/test-runs\/(\d+)\/test-logs$/.exec(path) ?? []
  if (testRun !== undefined) return page(listLogs(Number(testRun)))
  const [, user] = /^\/api\/v3\/users\/(\d+)$/.exec(path) ?? []
  if (user !== undefined) {
    const { id, name, email } = findPerson(Number(user))
    return json({ id, username: email, email, first_name: name.split(' ')[0], last_name: name.split(' ')[1] })
  }
  const isRoot = query.get('parentType') === 'root'
  switch (path) {
    case '/api/v3/projects/3/settings/test-cases/fields':
      return json([
        { id: 1, label: 'Priority', allowed_values: [] },
        {
          id: 2,
          label: 'Severity',
          allowed_values: [
            { value: 5, label: 'Major' },
            { value: 6, label: 'Minor' },
          ],
        },
      ])
    case '/api/v3/projects/3/modules':
      return json(listModules(null))
    case '/api/v3/projects/3/test-cases':
      // A bare list, that ends with an empty page.
      return json(slice(DATA_SET.cases.map(toCase)))
    case '/api/v3/projects/3/releases':
      return json(DATA_SET.milestones.map(({ id, name, dueAt }) => ({ id, name, end_date: dueAt.toISOString() })))
    case '/api/v3/projects/3/test-cycles':
      return json(isRoot ? DATA_SET.runs.map(toCycle) : [])
    case '/api/v3/projects/3/test-suites':
      return json([])
    case '/api/v3/projects/3/test-runs':
      return page(listTestRuns())
    case '/api/v3/projects/3/attachments':
      return page(listFiles(query.get('type') ?? ''))
    default:
      return json({ message: 'Not found' }, 404)
  }
}
