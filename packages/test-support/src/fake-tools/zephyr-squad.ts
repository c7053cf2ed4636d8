import { createHash, createHmac } from 'node:crypto'

import {
  DATA_SET,
  type DataCase,
  type DataResult,
  type DataRun,
  findPerson,
  listNewestResults,
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

export const SQUAD_USER = 'me@example.com'
export const SQUAD_KEYS = { jira: 'jira-token-51c2', access: 'squad-access-7d0e', secret: 'squad-secret-c94b' }

const ACCOUNT = '712020:me'
const PROJECT_ID = '10003'
const API = '/connect'
const PRIORITIES = ['Highest', 'High', 'Medium', 'Low'] as const
const STATUSES = {
  passed: [1, 'PASS'],
  failed: [2, 'FAIL'],
  blocked: [4, 'BLOCKED'],
  known_issue: [5, 'KNOWN ISSUE'],
  in_review: [6, 'IN REVIEW'],
} as const

const toIssueId = (id: number) => String(20_000 + id)
const toKey = (id: number) => `SHOP-${id}`
/** The runs of a plan are of a version; those of the first plan are in a folder of their cycle. */
const getVersion = ({ plan }: DataRun) => (plan === null ? '-1' : String(plan))
const isInFolder = ({ plan }: DataRun) => plan === 1

const toIssue = (testCase: DataCase, baseUrl: string) => ({
  id: toIssueId(testCase.id),
  key: toKey(testCase.id),
  fields: {
    summary: testCase.title,
    description:
      testCase.precondition === ''
        ? null
        : { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: testCase.precondition }] }] },
    priority: { name: PRIORITIES[testCase.priority - 1] },
    labels: testCase.tags,
    status: { name: 'To Do' },
    components: [],
    fixVersions: [],
    issuelinks: testCase.reference === '' ? [] : [{ id: '1', outwardIssue: { key: testCase.reference } }],
    assignee: null,
    creator: { displayName: findPerson(testCase.createdBy).name, emailAddress: findPerson(testCase.createdBy).email },
    created: testCase.createdAt.toISOString(),
    updated: testCase.createdAt.toISOString(),
    attachment: DATA_SET.files
      .filter((file) => file.run === null && file.testCase === testCase.id)
      .map(({ id, name }) => ({
        id: String(id),
        filename: name,
        content: `${baseUrl}/rest/api/3/attachment/content/${id}`,
      })),
  },
})

/** The last step comes first, as nothing says that it does not. */
const listSteps = ({ id, steps }: DataCase) =>
  steps
    .map(({ action, data, expected, shared }, index) => ({
      id: `${id}-${index + 1}`,
      orderId: index + 1,
      step: shared === null ? action : `Shared ${shared}`,
      data,
      result: expected,
    }))
    .toReversed()

const toCycle = (run: DataRun) => ({
  id: `cycle-${run.id}`,
  name: run.name,
  versionId: getVersion(run),
  environment: run.configuration,
  build: '',
  description: '',
  startDate: run.createdAt.getTime(),
  endDate: null,
})

const listExecutions = (run: DataRun) => [
  ...listNewestResults(run.id).map((result: DataResult) => ({
    execution: {
      id: `execution-${result.id}`,
      issueId: toIssueId(result.testCase),
      status: { id: STATUSES[result.status][0], name: STATUSES[result.status][1] },
      comment: result.comment,
      executedOn: result.at.getTime(),
      executedByAccountId: `712020:${result.person}`,
      defects: result.defects.map((key) => ({ key })),
    },
    issueKey: toKey(result.testCase),
  })),
  ...listUntested(run).map((testCase) => ({
    execution: {
      id: `execution-${run.id}-${testCase}`,
      issueId: toIssueId(testCase),
      status: { id: -1, name: 'UNEXECUTED' },
      defects: [],
    },
    issueKey: toKey(testCase),
  })),
]

/** Jira Cloud with Zephyr Squad: the first with Basic, the second with a signature for each request. */
export async function startFakeZephyrSquad(): Promise<FakeTool> {
  const basic = `Basic ${Buffer.from(`${SQUAD_USER}:${SQUAD_KEYS.jira}`).toString('base64')}`
  const tool: FakeTool = await startFakeTool((request, lists) => {
    const isSquad = request.path.startsWith(`${API}/`)
    if (isSquad ? !isSigned(request) : request.headers.authorization !== basic)
      return json({ errorMessages: ['Client must be authenticated to access this resource.'] }, 401)
    return isSquad ? answerSquad(request, lists) : answerJira(request, lists, tool.url)
  })
  return tool
}

/** The signature is for this path and query, and no other. */
function isSigned({ url, headers }: FakeRequest): boolean {
  const [path = '', query = ''] = url.slice(API.length).split('?')
  const [head = '', claims = '', signature] = (headers.authorization ?? '').replace(/^JWT /, '').split('.')
  const expected = createHmac('sha256', SQUAD_KEYS.secret).update(`${head}.${claims}`).digest('base64url')
  if (signature !== expected || headers['zapiaccesskey'] !== SQUAD_KEYS.access) return false
  const { qsh, sub, iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, string>
  const sorted = query.split('&').toSorted().join('&')
  const hash = createHash('sha256').update(`GET&${path}&${sorted}`).digest('hex')
  return qsh === hash && sub === ACCOUNT && iss === SQUAD_KEYS.access
}

function answerJira({ path, body }: FakeRequest, lists: FakeLists, baseUrl: string): FakeAnswer {
  const [, file] = /^\/rest\/api\/3\/attachment\/content\/(\d+)$/.exec(path) ?? []
  const content = DATA_SET.files.find(({ id }) => id === Number(file))
  if (content !== undefined) return { type: 'text/plain', body: content.bytes }
  switch (path) {
    case '/rest/api/3/myself':
      return json({ accountId: ACCOUNT, displayName: 'Me' })
    case '/rest/api/3/project/SHOP':
      return json({ id: PROJECT_ID, key: 'SHOP', name: DATA_SET.project.name })
    case '/rest/api/3/project/SHOP/versions':
      return json(DATA_SET.plans.map(({ id, name }) => ({ id: String(id), name })))
    case '/rest/api/3/search/jql': {
      const { nextPageToken = '0', maxResults } = JSON.parse(body) as { nextPageToken?: string; maxResults: number }
      const [start, limit] = [Number(nextPageToken), Math.min(PAGE_SIZE, maxResults)]
      const issues = DATA_SET.cases.map((testCase) => toIssue(testCase, baseUrl))
      const isLast = start + limit >= issues.length
      return json({
        issues: lists.slice<object>(issues, start, limit, { id: '99999', key: 'SHOP-99999', fields: {} }),
        isLast,
        ...(isLast ? {} : { nextPageToken: String(start + limit) }),
      })
    }
    default:
      return json({ errorMessages: ['Not found'] }, 404)
  }
}

function answerSquad({ path, query }: FakeRequest, lists: FakeLists): FakeAnswer {
  const call = path.slice(`${API}/public/rest/api/`.length)
  if (query.get('projectId') !== PROJECT_ID) return json({ error: 'projectId is missing' }, 400)
  const testCase = DATA_SET.cases.find(({ id }) => call === `2.0/teststep/${toIssueId(id)}`)
  if (testCase !== undefined) return json(listSteps(testCase))
  if (call === '1.0/cycles/search') {
    const cycles = DATA_SET.runs.filter((run) => getVersion(run) === query.get('versionId')).map(toCycle)
    return json([{ id: '-1', name: 'Ad hoc', versionId: query.get('versionId') }, ...cycles])
  }
  if (call === '1.0/folders') {
    const run = DATA_SET.runs.find(({ id }) => `cycle-${id}` === query.get('cycleId'))
    return json(run !== undefined && isInFolder(run) ? [{ id: `folder-${run.id}`, name: 'Folder' }] : [])
  }
  const [, kind, id] = /^2\.0\/executions\/search\/(cycle|folder)\/(?:\w+)?-(\d+)$/.exec(call) ?? []
  if (kind === undefined) return json({ error: 'Not found' }, 404)
  const run = DATA_SET.runs.find((each) => each.id === Number(id) && getVersion(each) === query.get('versionId'))
  const isHere = run !== undefined && isInFolder(run) === (kind === 'folder') && !call.endsWith('/-1')
  const executions = isHere ? listExecutions(run) : []
  const offset = Number(query.get('offset') ?? 0)
  return json({
    totalCount: lists.count(path, executions.length),
    currentOffset: offset,
    searchObjectList: lists.slice<object>(executions, offset, Math.min(PAGE_SIZE, Number(query.get('size'))), {
      execution: { id: 'execution-inserted', status: {} },
    }),
  })
}
