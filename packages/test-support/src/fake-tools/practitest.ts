import {
  DATA_SET,
  type DataCase,
  type DataResult,
  type DataRun,
  findFiles,
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

export const PRACTITEST_TOKEN = 'practitest-token-a90e'

const STATUSES = {
  passed: 'PASSED',
  failed: 'FAILED',
  blocked: 'BLOCKED',
  known_issue: 'KNOWN ISSUE',
  in_review: 'IN REVIEW',
} as const
/** People see other ids than those that objects refer to. */
const toTestId = (id: number) => 70_000 + id
const toInstanceId = (run: number, testCase: number) => run * 1000 + testCase
const toObject = (type: string, id: number, attributes: object) => ({ id: String(id), type, attributes })
const toClock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 19)

const toTest = (testCase: DataCase) =>
  toObject('tests', toTestId(testCase.id), {
    'display-id': testCase.id,
    name: testCase.title,
    description: null,
    preconditions: testCase.precondition,
    status: 'Ready',
    priority: ['1-highest', '2-high', '3-medium', '4-low'][testCase.priority - 1],
    'author-id': testCase.createdBy,
    'duration-estimate': toClock(testCase.estimateSeconds),
    'test-type': 'ScriptedTest',
    'custom-fields': { '---f-8282': testCase.severity },
    'folder-id': null,
    tags: testCase.tags,
    'created-at': testCase.createdAt.toISOString(),
  })

/** The first tests stand for the shared steps. */
const listSteps = () =>
  DATA_SET.cases.flatMap((testCase) =>
    testCase.steps.map(({ action, data, expected, shared }, index) =>
      toObject('steps', testCase.id * 100 + index, {
        kind: shared === null ? 'ManualStep' : 'CallToTest',
        'test-id': toTestId(testCase.id),
        'test-to-call-id': shared === null ? null : toTestId(shared),
        name: action,
        description: data,
        'expected-results': expected,
        position: index + 1,
      }),
    ),
  )

const toSet = (run: DataRun) =>
  toObject('sets', run.id, {
    'display-id': run.id,
    name: run.name,
    description: null,
    'milestone-id': run.milestone,
    version: run.configuration === '' ? null : run.configuration,
    'last-run': null,
    'created-at': run.createdAt.toISOString(),
  })

const toRun = (result: DataResult) =>
  toObject('runs', result.id, {
    status: STATUSES[result.status],
    'tester-id': result.person,
    'instance-id': toInstanceId(result.run, result.testCase),
    'test-id': toTestId(result.testCase),
    'custom-fields': {},
    'automated-execution-output': result.comment === '' ? null : result.comment,
    'run-duration': toClock(result.elapsedSeconds),
    'created-at': result.at.toISOString(),
  })

/** PractiTest: `GET /api/v2/…`, a header of its own; files are at another host. */
export async function startFakePractitest(): Promise<FakeTool> {
  const tool: FakeTool = await startFakeTool((request, lists) => {
    const [, stored] = /^\/stored\/(\d+)$/.exec(request.path) ?? []
    if (stored !== undefined) {
      const isAnonymous =
        request.headers['pttoken'] === undefined && request.headers.host?.startsWith('localhost:') === true
      return isAnonymous
        ? { type: 'text/plain', body: DATA_SET.files[Number(stored) - 1]?.bytes ?? '' }
        : json({ errors: [{ title: 'The secret was sent to another host' }] }, 400)
    }
    if (request.headers['pttoken'] !== PRACTITEST_TOKEN) return json({ errors: [{ title: 'Unauthorized' }] }, 401)
    const [, file] = /^\/api\/v2\/projects\/3\/attachments\/(\d+)$/.exec(request.path) ?? []
    if (file === undefined) return answer(request, lists, tool.url)
    return {
      status: 302,
      body: '',
      headers: { location: `${tool.url.replace('127.0.0.1', 'localhost')}/stored/${file}` },
    }
  })
  return tool
}

function answer({ path, query }: FakeRequest, lists: FakeLists, baseUrl: string): FakeAnswer {
  const page = (items: readonly object[]): FakeAnswer => {
    const number = Number(query.get('page[number]') ?? 1)
    const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE))
    return json({
      data: lists.slice<object>(
        items,
        (number - 1) * PAGE_SIZE,
        PAGE_SIZE,
        toObject('others', 999_999, { name: 'Inserted' }),
      ),
      // The token is in the addresses of other pages.
      links: { next: `${baseUrl}${path}?api_token=${PRACTITEST_TOKEN}` },
      meta: {
        'current-page': number,
        'next-page': number < pages ? number + 1 : null,
        'total-pages': pages,
        'total-count': lists.count(path, items.length),
      },
    })
  }
  const run = DATA_SET.runs.find(({ id }) => id === Number(query.get('set-ids')))
  switch (path) {
    case '/api/v2/users.json':
      return page(DATA_SET.people.map(({ id, name, email }) => toObject('users', id, { 'display-name': name, email })))
    case '/api/v2/projects/3/custom_fields.json':
      return page([toObject('custom-fields', 8282, { name: 'Severity' })])
    case '/api/v2/projects/3/tests.json':
      return page(DATA_SET.cases.map(toTest))
    case '/api/v2/projects/3/steps.json':
      return page(listSteps())
    case '/api/v2/projects/3/milestones.json':
      return page(
        DATA_SET.milestones.map(({ id, name, dueAt }) =>
          toObject('milestones', id, { name, 'end-date': dueAt.toISOString() }),
        ),
      )
    case '/api/v2/projects/3/sets.json':
      return page(DATA_SET.runs.map(toSet))
    case '/api/v2/projects/3/instances.json': {
      const tested = run === undefined ? [] : run.cases.filter((testCase) => !listUntested(run).includes(testCase))
      const cases = run === undefined ? [] : [...tested, ...listUntested(run)]
      return page(cases.map((id) => toObject('instances', toInstanceId(run?.id ?? 0, id), { 'test-id': toTestId(id) })))
    }
    case '/api/v2/projects/3/runs.json':
      return page(listResults(run?.id ?? 0).map(toRun))
    case '/api/v2/projects/3/attachments.json': {
      const id = Number(query.get('entity-id'))
      const result = query.get('entity') === 'run' ? DATA_SET.results.find((each) => each.id === id) : undefined
      // The newest result of a test has the files.
      const isNewest =
        result !== undefined &&
        !listResults(result.run).some((each) => each.testCase === result.testCase && each.id > id)
      const files =
        result === undefined ? findFiles(null, id - 70_000) : isNewest ? findFiles(result.run, result.testCase) : []
      return page(files.map((file) => toObject('attachments', file.id, { name: file.name, size: file.bytes.length })))
    }
    default:
      return json({ errors: [{ title: 'Not found' }] }, 404)
  }
}
