import { addQuery, expectObjects, getText, isObject, type Page, type ToolObject } from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { toGroups } from './limiter.ts'
import { isSince, NAME_FORM, type Tool, type ToolOptions, listShown } from './tool.ts'

const TITLE = 'Azure DevOps'
const VERSION = 'api-version=7.1'
const PAGE_SIZE = 200
/** How many ids one query finds. More than 20,000 is refused. */
const IDS_PER_QUERY = 5000

const toAuthorization = (token: string) => Buffer.from(`:${token}`).toString('base64')

/** Pictures stand in HTML within XML within JSON. */
const PICTURE = /https?:\/\/[^\s"'&<>\\]{1,500}\/_apis\/wit\/attachments\/([0-9a-f-]{36})/gi

/** Azure Test Plans: `_apis/`, https://learn.microsoft.com/en-us/rest/api/azure/devops/testplan/ */
export const azure: Tool = {
  system: 'azure',
  title: TITLE,
  defaultUrl: null,
  urlExample: 'https://dev.azure.com/acme',
  projectExample: '"Web shop"',
  projectForm: NAME_FORM,
  secrets: [{ variable: 'AZURE_DEVOPS_TOKEN', question: 'Personal access token of Azure DevOps:' }],
  rights:
    'Use a personal access token (User settings, Personal access tokens) with the scopes Work Items (read) and Test Management (read), and Basic + Test Plans or Basic access.',
  hasFiles: true,
  getBaseUrl: (url) => url.replace(/\/_apis.*$/, ''),
  getHeaders: (_, { AZURE_DEVOPS_TOKEN: token = '' }) => ({ authorization: `Basic ${toAuthorization(token)}` }),
  listHidden: (_, { AZURE_DEVOPS_TOKEN: token = '' }) => [toAuthorization(token)],
  fetch: fetchAzure,
}

/** Reads a page; the cursor is the token that comes in a header. */
async function readTokenPage({ http }: FetchSession, path: string, next: string | null): Promise<Page> {
  const token = next === null ? '' : `&continuationToken=${encodeURIComponent(next)}`
  const { body, headers } = await http.jsonWithHeaders(`${addQuery(path, VERSION)}${token}`)
  const items = expectObjects(isObject(body) ? body['value'] : body, TITLE, path)
  const following = headers.get('x-ms-continuationtoken') ?? ''
  return { items, next: following === '' || following === next ? null : following }
}

/** Reads a page of a list whose end shows by its length only; the cursor is the number of objects before it. */
async function readSkipPage({ http }: FetchSession, path: string, next: string | null): Promise<Page> {
  const skip = Number(next ?? 0)
  const body = await http.json(addQuery(path, `$top=${PAGE_SIZE}&$skip=${skip}&${VERSION}`))
  const items = expectObjects(isObject(body) ? body['value'] : body, TITLE, path)
  return { items, next: items.length === 0 ? null : String(skip + items.length) }
}

async function fetchAzure(session: FetchSession, options: ToolOptions): Promise<void> {
  const project = `/${encodeURIComponent(options.project)}/_apis`
  await session.readList('project', '', async () => {
    const path = `/_apis/projects/${encodeURIComponent(options.project)}`
    return { items: expectObjects([await session.http.json(addQuery(path, VERSION))], TITLE, path), next: null }
  })
  await fetchPlans(session, project)
  await session.readList('case_ids', '', (next) => readIds(session, project, next))
  const known = new Set([...(await session.listIds('case_ids')), ...(await session.listIds('suite_cases'))])
  await fetchItems(session, 'cases', [...known])
  await fetchItems(session, 'shared_items', await listShared(session))
  await session.readList('runs', '', (next) =>
    readSkipPage(session, `${project}/test/runs?includeRunDetails=true`, next),
  )
  const runs: string[] = []
  for await (const run of session.all('runs')) {
    // Runs of pipelines have no test cases.
    const isOfPipeline = run['isAutomated'] === true && getText(run['plan'], 'id') === ''
    const time = getText(run, 'startedDate') || getText(run, 'createdDate')
    if (!isOfPipeline && isSince(time, options)) runs.push(getText(run, 'id'))
  }
  await session.readEach(runs, (id) => {
    const path = `${project}/test/Runs/${id}/results?detailsToInclude=WorkItems`
    return session.readList('results', id, (next) => readSkipPage(session, path, next))
  })
  if (options.attachments !== 'none') await session.readFiles(listFiles(session, project, options))
}

async function fetchPlans(session: FetchSession, project: string): Promise<void> {
  await session.readList('plans', '', (next) => readTokenPage(session, `${project}/testplan/plans`, next))
  const plans = await session.listIds('plans')
  await session.readEach(plans, (plan) =>
    session.readList('suites', plan, (next) =>
      readTokenPage(session, `${project}/testplan/Plans/${plan}/suites`, next),
    ),
  )
  const suites: string[] = []
  for (const plan of plans) {
    for (const suite of await session.listIds('suites', plan)) suites.push(`${plan} ${suite}`)
  }
  await session.readEach(suites, (of) => {
    const [plan, suite] = of.split(' ')
    const path = `${project}/testplan/Plans/${plan}/Suites/${suite}/TestCase?witFields=System.Id`
    return session.readList('suite_cases', of, async (next) => {
      const page = await readTokenPage(session, path, next)
      const items = page.items.filter(isObject).map(({ workItem, order }) => ({ id: getText(workItem, 'id'), order }))
      return { ...page, items: items.filter(({ id }) => id !== '') }
    })
  })
}

/** Finds all test cases of the project, those in no suite as well; the cursor is the id before it. */
async function readIds({ http }: FetchSession, project: string, next: string | null): Promise<Page> {
  const condition = `[System.TeamProject] = @project AND [System.WorkItemType] IN GROUP 'Microsoft.TestCaseCategory'`
  const query = `SELECT [System.Id] FROM WorkItems WHERE ${condition} AND [System.Id] > ${next ?? 0} ORDER BY [System.Id]`
  const path = addQuery(`${project}/wit/wiql?$top=${IDS_PER_QUERY}`, VERSION)
  const request = { path, method: 'POST' as const, contentType: 'application/json', body: JSON.stringify({ query }) }
  const answer = await http.json(request)
  const items = expectObjects(isObject(answer) ? answer['workItems'] : answer, TITLE, path)
  const last = getText(items.at(-1), 'id')
  return { items: items.map((item) => ({ id: getText(item, 'id') })), next: last === '' ? null : last }
}

/** Reads work items by their ids, 200 at once. Those that were deleted are left out. */
async function fetchItems(session: FetchSession, name: string, ids: readonly string[]): Promise<void> {
  const groups = new Map<string, readonly string[]>(
    toGroups(ids, PAGE_SIZE).map((group) => [`${group[0]}-${group.at(-1)}`, group] as const),
  )
  await session.readEach(groups.keys(), (of) =>
    session.readList(name, of, async () => {
      const body = JSON.stringify({
        ids: (groups.get(of) ?? []).map(Number),
        $expand: 'relations',
        errorPolicy: 'omit',
      })
      const path = addQuery('/_apis/wit/workitemsbatch', VERSION)
      const answer = await session.http.json({ path, method: 'POST', contentType: 'application/json', body })
      const value = isObject(answer) ? answer['value'] : answer
      const items = Array.isArray(value) ? value.filter((item) => item !== null) : value
      return { items: expectObjects(items, TITLE, path), next: null }
    }),
  )
}

/** The work items that test cases take their steps and parameters from. */
async function listShared(session: FetchSession): Promise<string[]> {
  const ids = new Set<string>()
  for await (const { fields } of session.all('cases')) {
    for (const [, id = ''] of getText(fields, 'Microsoft.VSTS.TCM.Steps').matchAll(/<compref\b[^>]*\bref="(\d+)"/g))
      ids.add(id)
    const [, list = ''] =
      /"sharedParameterDataSetIds"\s*:\s*\[([\d,\s]*)\]/.exec(getText(fields, 'Microsoft.VSTS.TCM.LocalDataSource')) ??
      []
    for (const [id] of list.matchAll(/\d+/g)) ids.add(id)
  }
  return [...ids]
}

async function* listFiles(
  session: FetchSession,
  project: string,
  { attachments }: ToolOptions,
): AsyncGenerator<ToolFile> {
  for await (const item of session.all('cases')) {
    const related = [...listRelated(item)]
    yield* related
    for (const file of listShown(item, getText(item, 'id'), PICTURE, (_, address) => addQuery(address, VERSION))) {
      if (!related.some(({ id }) => id === file.id)) yield file
    }
  }
  if (attachments !== 'all') return
  const results = new Map<string, string>()
  for (const run of await session.log.listOf('results')) {
    for await (const result of session.log.items('results', run)) {
      const testCase = isObject(result) ? getText(result['testCase'], 'id') : ''
      const configuration = isObject(result) ? getText(result['configuration'], 'id') : ''
      const key = `${configuration === '' ? run : `${run}-${configuration}`} ${testCase}`
      if (testCase !== '') results.set(`${run} ${getText(result, 'id')}`, key)
    }
  }
  const toPath = (of: string) => `${project}/test/Runs/${of.replace(' ', '/Results/')}/attachments`
  await session.readEachOptional('result_files', [...results.keys()], (of, next) =>
    readTokenPage(session, toPath(of), next),
  )
  for (const [of, key] of results) {
    for await (const file of session.log.items('result_files', of)) {
      const id = getText(file, 'id')
      const name = getText(file, 'fileName') || `attachment-${id}`
      yield { kind: 'result', key, id, name, url: addQuery(`${toPath(of)}/${id}`, VERSION) }
    }
  }
}

function* listRelated(item: ToolObject): Generator<ToolFile> {
  const key = getText(item, 'id')
  const { relations } = item
  for (const relation of Array.isArray(relations) ? relations.filter(isObject) : []) {
    const url = getText(relation, 'url')
    if (relation['rel'] !== 'AttachedFile' || url === '') continue
    const name = getText(relation['attributes'], 'name') || 'attachment'
    yield { kind: 'case', key, id: url.replace(/^.*\//, ''), name, url: addQuery(url, VERSION) }
  }
}
