import {
  DATA_SET,
  type DataCase,
  type DataResult,
  type DataRun,
  findFiles,
  findPerson,
  FOLDER_TREE,
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

export const AZURE_TOKEN = 'azure-token-e29b'

const OUTCOMES = {
  passed: 'Passed',
  failed: 'Failed',
  blocked: 'Blocked',
  known_issue: 'KnownIssue',
  in_review: 'InReview',
} as const
/** Shared steps have ids beside those of test cases. */
const toSharedId = (id: number) => 5000 + id
const SUITES = FOLDER_TREE.map((folder) => ({ ...folder, plan: getPlan(folder.id) }))

/** Each suite of the data set is a plan. */
function getPlan(folder: number): number {
  const parent = FOLDER_TREE.find(({ id }) => id === folder)?.parent ?? null
  return parent === null ? folder - 100 : getPlan(parent)
}

const toIdentity = (id: number) => ({ displayName: findPerson(id).name, uniqueName: findPerson(id).email })
const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const toString = (html: string) => `<parameterizedString isformatted="true">${escapeXml(html)}</parameterizedString>`
const toStep = ({ action, expected }: { action: string; expected: string }, index: number) =>
  `<step id="${index + 2}" type="ValidateStep">${toString(`<P>${action}</P>`)}${toString(`<P>${expected}</P>`)}<description/></step>`

/** Steps that follow shared ones are within them. */
function toSteps(steps: DataCase['steps']): string {
  const shared = steps[0]?.shared ?? null
  const own = steps
    .filter((step) => step.shared === null)
    .map(toStep)
    .join('')
  const inner = shared === null ? own : `<compref id="9" ref="${toSharedId(shared)}">${own}</compref>`
  return `<steps id="0" last="${steps.length}">${inner}</steps>`
}

const toCase = (testCase: DataCase, baseUrl: string) => ({
  id: testCase.id,
  fields: {
    'System.WorkItemType': 'Test Case',
    'System.Title': testCase.title,
    'System.State': 'Design',
    'System.AreaPath': 'SHOP',
    'System.Tags': testCase.tags.join('; '),
    'System.Description': testCase.precondition === '' ? '' : `<div>${testCase.precondition}</div>`,
    'System.CreatedBy': toIdentity(testCase.createdBy),
    'System.CreatedDate': testCase.createdAt.toISOString(),
    'Microsoft.VSTS.Common.Priority': testCase.priority,
    'Microsoft.VSTS.TCM.Steps': toSteps(testCase.steps),
    'Custom.Severity': testCase.severity,
  },
  relations: findFiles(null, testCase.id).map((file) => ({
    rel: 'AttachedFile',
    url: `${baseUrl}/_apis/wit/attachments/${file.id}`,
    attributes: { name: file.name, resourceSize: file.bytes.length },
  })),
})

const toShared = ({ id, title, steps }: (typeof DATA_SET.sharedSteps)[number]) => ({
  id: toSharedId(id),
  fields: {
    'System.WorkItemType': 'Shared Steps',
    'System.Title': title,
    'Microsoft.VSTS.TCM.Steps': `<steps id="0">${steps.map(toStep).join('')}</steps>`,
  },
})

const toRun = (run: DataRun) => ({
  id: run.id,
  name: run.name,
  state: 'Completed',
  isAutomated: false,
  plan: { id: String(run.plan ?? 1) },
  startedDate: run.createdAt.toISOString(),
  completedDate: null,
  owner: toIdentity(1),
  totalTests: run.cases.length,
})

const toConfiguration = ({ configuration }: DataRun) =>
  configuration === '' ? null : { id: configuration === 'Chrome' ? '1' : '2', name: configuration }

const toResult = (run: DataRun) => (result: DataResult) => ({
  id: 100_000 + result.id,
  testCase: { id: String(result.testCase), name: '' },
  outcome: OUTCOMES[result.status],
  state: 'Completed',
  comment: result.comment === '' ? null : result.comment,
  durationInMs: result.elapsedSeconds * 1000,
  completedDate: result.at.toISOString(),
  runBy: toIdentity(result.person),
  configuration: toConfiguration(run),
  associatedBugs: result.defects.map((id) => ({ id })),
})

const listRunResults = (run: DataRun) => [
  ...listNewestResults(run.id).map(toResult(run)),
  ...listUntested(run).map((testCase) => ({
    id: 200_000 + testCase,
    testCase: { id: String(testCase) },
    outcome: 'None',
    configuration: toConfiguration(run),
  })),
]

/** Azure DevOps: `/SHOP/_apis/…`, Basic. Pages go on by a header, or by their number of objects. */
export async function startFakeAzure(): Promise<FakeTool> {
  const tool: FakeTool = await startFakeTool((request, lists) =>
    request.headers.authorization === `Basic ${Buffer.from(`:${AZURE_TOKEN}`).toString('base64')}`
      ? answer(request, lists, tool.url)
      : { status: 203, type: 'text/html', body: '<!DOCTYPE html><html>Sign in</html>' },
  )
  return tool
}

function answer({ path, query, body }: FakeRequest, lists: FakeLists, baseUrl: string): FakeAnswer {
  if (query.get('api-version') !== '7.1') return json({ message: 'The api-version is missing.' }, 400)
  const inserted = { id: 999_999, name: 'Inserted' }
  const byToken = (items: readonly object[]): FakeAnswer => {
    const start = Number(query.get('continuationToken') ?? 0)
    const value = lists.slice<object>(items, start, PAGE_SIZE, inserted)
    const isLast = start + PAGE_SIZE >= items.length
    return {
      ...json({ count: value.length, value }),
      headers: isLast ? {} : { 'x-ms-continuationtoken': String(start + PAGE_SIZE) },
    }
  }
  const bySkip = (items: readonly object[]): FakeAnswer => {
    const start = Number(query.get('$skip') ?? 0)
    const value =
      start >= items.length
        ? []
        : lists.slice<object>(items, start, Math.min(PAGE_SIZE, Number(query.get('$top') ?? 1)), inserted)
    return json({ count: value.length, value })
  }
  const [, file] = /\/_apis\/(?:wit\/attachments|test\/Runs\/\d+\/Results\/\d+\/attachments)\/(\d+)$/.exec(path) ?? []
  if (file !== undefined)
    return { type: 'application/octet-stream', body: DATA_SET.files[Number(file) - 1]?.bytes ?? '' }
  const [, plan, suite] = /^\/SHOP\/_apis\/testplan\/Plans\/(\d+)\/[Ss]uites(?:\/(\d+)\/TestCase)?$/.exec(path) ?? []
  if (suite !== undefined) {
    const cases = DATA_SET.cases.filter(({ folder }) => folder === Number(suite))
    return byToken(cases.map(({ id, title }, order) => ({ workItem: { id, name: title }, order })))
  }
  if (plan !== undefined) {
    const own = SUITES.filter((each) => each.plan === Number(plan))
    return byToken(
      own.map(({ id, parent, name }) => ({ id, name, parentSuite: parent === null ? null : { id: parent } })),
    )
  }
  const [, runId, resultId] = /^\/SHOP\/_apis\/test\/Runs\/(\d+)\/[rR]esults(?:\/(\d+)\/attachments)?$/.exec(path) ?? []
  const run = DATA_SET.runs.find(({ id }) => id === Number(runId))
  if (resultId !== undefined) {
    const result = DATA_SET.results.find(({ id }) => id === Number(resultId) - 100_000)
    const files = result === undefined ? [] : findFiles(result.run, result.testCase)
    return byToken(files.map(({ id, name, bytes }) => ({ id, fileName: name, size: bytes.length })))
  }
  if (run !== undefined) return bySkip(listRunResults(run))
  switch (path) {
    case '/_apis/projects/SHOP':
      return json({ id: 'guid', name: 'SHOP' })
    case '/SHOP/_apis/testplan/plans':
      return byToken(DATA_SET.suites.map(({ id, name }) => ({ id, name, rootSuite: { id: 100 + id } })))
    case '/SHOP/_apis/wit/wiql': {
      const [, after] = /\[System\.Id\] > (\d+)/.exec(body) ?? []
      const workItems = DATA_SET.cases.filter(({ id }) => id > Number(after)).slice(0, PAGE_SIZE)
      return json({ workItems: workItems.map(({ id }) => ({ id, url: '' })) })
    }
    case '/_apis/wit/workitemsbatch': {
      const { ids } = JSON.parse(body) as { ids: readonly number[] }
      const known = new Map<number, object>([
        ...DATA_SET.cases.map((testCase) => [testCase.id, toCase(testCase, baseUrl)] as const),
        ...DATA_SET.sharedSteps.map((shared) => [toSharedId(shared.id), toShared(shared)] as const),
      ])
      return json({ value: ids.map((id) => known.get(id) ?? null) })
    }
    case '/SHOP/_apis/test/runs':
      return bySkip(DATA_SET.runs.map(toRun))
    default:
      return json({ message: 'Not found' }, 404)
  }
}
