import { CommandError } from '../../../command-error.ts'
import { toTerminalText } from '../../../text.ts'
import { expectObjects, getNumber, getText, isObject, type Page, toBearer } from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { isSince, type Tool, type ToolOptions } from './tool.ts'
import { RefusedError } from './tool-http.ts'

const MAX_PAGE_SIZE = 100
const MIN_PAGE_SIZE = 5

/** Xray Cloud: GraphQL, https://docs.getxray.app/display/XRAYCLOUD/GraphQL+API */
export const xray: Tool = {
  system: 'xray',
  title: 'Xray',
  defaultUrl: 'https://xray.cloud.getxray.app',
  urlExample: 'https://xray.cloud.getxray.app',
  projectExample: 'BB',
  secrets: [
    { variable: 'XRAY_CLIENT_ID', question: 'Client id of Xray:' },
    { variable: 'XRAY_CLIENT_SECRET', question: 'Client secret of Xray:' },
  ],
  rights: 'Use an API key of Xray Cloud (Global Settings, API Keys) of a user who can browse the project in Jira.',
  hasFiles: true,
  getBaseUrl: (url) => url.replace(/\/api\/v2.*$/, ''),
  async getHeaders(_, { XRAY_CLIENT_ID: id = '', XRAY_CLIENT_SECRET: secret = '' }, login) {
    const token = await login('/api/v2/authenticate', JSON.stringify({ client_id: id, client_secret: secret }))
    if (typeof token === 'string') return toBearer(token)
    // What it answered is not shown: it may contain a secret.
    throw new CommandError(['Xray answered the sign-in with something else than a token.'], { code: 'tool_answer' })
  },
  fetch: fetchXray,
}

const RUN_FIELDS = `id status { name } comment test { issueId jira(fields: ["key"]) } testType { name } executedById
  assigneeId startedOn finishedOn defects evidence { id filename downloadLink }
  steps { id status { name } comment actualResult defects } iterations(limit: 1) { total }`
const TEST_FIELDS = `issueId testType { name kind } folder { path }
  steps { id action data result customFields { id value } attachments { id filename downloadLink } callTestIssueId }
  gherkin unstructured scenarioType preconditions(limit: 100) { total results { issueId definition jira(fields: ["key"]) } }
  jira(fields: ["key", "summary", "priority", "labels", "status", "description", "components", "fixVersions", "assignee", "created"])`
const SET_FIELDS = 'issueId jira(fields: ["key", "summary", "description", "created"])'
const EXECUTION_FIELDS =
  'issueId testEnvironments jira(fields: ["key", "summary", "description", "created", "fixVersions"])'

/** What a query asks for: a list at the top, or one inside of an issue. */
interface Query {
  readonly name: string
  /** Arguments beside the page. */
  readonly argument: string
  /** The list inside of the issue; undefined for the answer itself. */
  readonly inner?: string
  readonly fields: string
}

/** Reads lists page by page, and smaller pages when one would cost too much. */
function createReader({ http }: FetchSession) {
  let pageSize = MAX_PAGE_SIZE
  return async function readPage({ name, argument, inner, fields }: Query, next: string | null): Promise<Page> {
    const start = Number(next ?? 0)
    for (;;) {
      const page = `limit: ${pageSize}, start: ${start}`
      const list = `{ total results { ${fields} } }`
      const query =
        inner === undefined
          ? `query { ${name}(${argument}, ${page}) ${list} }`
          : `query { ${name}(${argument}) { ${inner}(${page}) ${list} } }`
      const request = { path: '/api/v2/graphql', method: 'POST' as const, contentType: 'application/json' }
      const answer = await http.json({ ...request, body: JSON.stringify({ query }) })
      const error = readError(answer)
      if (error !== null) {
        if (isTooMuch(error) && pageSize > MIN_PAGE_SIZE) {
          pageSize = Math.max(MIN_PAGE_SIZE, Math.floor(pageSize / 2))
          continue
        }
        throw new RefusedError(
          [`Xray refused ${name} (${http.redact(toTerminalText(error))}).`, xray.rights],
          400,
          error,
        )
      }
      const data = isObject(answer) && isObject(answer['data']) ? answer['data'][name] : undefined
      const found = inner !== undefined && isObject(data) ? data[inner] : data
      const items = expectObjects(isObject(found) ? found['results'] : found, 'Xray', name)
      const total = getNumber(found, 'total')
      const end = start + items.length
      const isLast = items.length === 0 || (total === null ? items.length < pageSize : end >= total)
      return { items, next: isLast ? null : String(end), total }
    }
  }
}

const isTooMuch = (error: string): boolean => /too many|limit|cost|complex|resolver/i.test(error)

/** Errors come with the status 200. */
function readError(answer: unknown): string | null {
  const errors = isObject(answer) ? answer['errors'] : undefined
  return Array.isArray(errors) && errors.length > 0 ? getText(errors[0], 'message') || 'no reason' : null
}

async function fetchXray(session: FetchSession, options: ToolOptions): Promise<void> {
  const readPage = createReader(session)
  const jql = `jql: ${JSON.stringify(`project = '${options.project}' ORDER BY id`)}`
  const read = (name: string, query: Query, of = '') => session.readList(name, of, (next) => readPage(query, next))
  await read('tests', { name: 'getTests', argument: jql, fields: TEST_FIELDS })
  // Lists inside of others are cut at a hundred: these are read by themselves.
  const tests: string[] = []
  for await (const test of session.all('tests')) {
    const { preconditions } = test
    const results = isObject(preconditions) ? preconditions['results'] : undefined
    const total = isObject(preconditions) ? Number(preconditions['total'] ?? 0) : 0
    if (total > (Array.isArray(results) ? results.length : 0)) tests.push(getText(test, 'issueId'))
  }
  const fields = 'issueId definition jira(fields: ["key"])'
  await session.readEach(tests, (id) =>
    read('preconditions', { name: 'getTest', argument: `issueId: "${id}"`, inner: 'preconditions', fields }, id),
  )
  await read('test_sets', { name: 'getTestSets', argument: jql, fields: SET_FIELDS })
  await read('test_plans', { name: 'getTestPlans', argument: jql, fields: SET_FIELDS })
  for (const [list, single] of [
    ['test_sets', 'getTestSet'],
    ['test_plans', 'getTestPlan'],
  ] as const) {
    const ids: string[] = []
    for await (const item of session.all(list)) ids.push(getText(item, 'issueId'))
    await session.readEach(ids, (id) =>
      read(`tests_of_${list}`, { name: single, argument: `issueId: "${id}"`, inner: 'tests', fields: 'issueId' }, id),
    )
  }
  await read('test_executions', { name: 'getTestExecutions', argument: jql, fields: EXECUTION_FIELDS })
  const executions = new Map<string, string>()
  for await (const execution of session.all('test_executions')) {
    const { jira } = execution
    if (isSince(getText(jira, 'created'), options)) executions.set(getText(execution, 'issueId'), getText(jira, 'key'))
  }
  await session.readEach(executions.keys(), (id) => {
    const query = { name: 'getTestExecution', argument: `issueId: "${id}"`, inner: 'testRuns', fields: RUN_FIELDS }
    return session.readList('test_runs', id, (next) => readPage(query, next))
  })
  if (options.attachments !== 'none') await session.readFiles(listFiles(session, executions, options))
}

async function* listFiles(
  session: FetchSession,
  executions: ReadonlyMap<string, string>,
  { attachments }: ToolOptions,
): AsyncGenerator<ToolFile> {
  for await (const { jira, steps } of session.all('tests')) {
    const place = { kind: 'case', key: getText(jira, 'key') } as const
    for (const step of Array.isArray(steps) ? steps.filter(isObject) : []) yield* toFiles(step['attachments'], place)
  }
  if (attachments !== 'all') return
  for (const [id, execution] of executions) {
    for await (const run of session.log.items('test_runs', id)) {
      if (!isObject(run) || !isObject(run['test'])) continue
      const key = `${execution} ${getText(run['test']['jira'], 'key')}`
      yield* toFiles(run['evidence'], { kind: 'result', key })
    }
  }
}

function* toFiles(files: unknown, place: Pick<ToolFile, 'kind' | 'key'>): Generator<ToolFile> {
  for (const file of Array.isArray(files) ? files : []) {
    const url = getText(file, 'downloadLink')
    const name = getText(file, 'filename') || 'attachment'
    if (url !== '') yield { ...place, id: getText(file, 'id') || url, name, url }
  }
}
