import { createHash, createHmac } from 'node:crypto'

import { type Command, InvalidArgumentError } from 'commander'

import { expectObject, expectObjects, getNumber, getText, isObject, type Page, type ToolObject } from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import type { ToolRequest } from './tool-http.ts'
import { isSince, type Secrets, type Tool, type ToolOptions } from './tool.ts'

const TITLE = 'Zephyr Squad'
const JIRA = '/rest/api/3'
const JIRA_PAGE_SIZE = 100
const PAGE_SIZE = 50
/** The version of cycles that have none. */
const NO_VERSION = '-1'
const FIELDS =
  'summary,description,priority,labels,status,components,fixVersions,issuelinks,assignee,creator,created,updated,attachment'

const toAuthorization = (user: string, token: string) => Buffer.from(`${user}:${token}`).toString('base64')

/** Zephyr Squad Cloud: test cases are issues of Jira, the rest has an API of its own, https://zephyrsquad.docs.apiary.io/ */
export const zephyrSquad: Tool = {
  system: 'zephyr-squad',
  title: TITLE,
  defaultUrl: null,
  urlExample: 'https://example.atlassian.net',
  projectExample: 'EWB',
  secrets: [
    { variable: 'JIRA_API_TOKEN', question: 'API token of Jira:' },
    { variable: 'ZEPHYR_ACCESS_KEY', question: 'Access key of Zephyr Squad:' },
    { variable: 'ZEPHYR_SECRET_KEY', question: 'Secret key of Zephyr Squad:' },
  ],
  rights:
    'Use an API token of Jira (Account settings, Security) and the keys of Zephyr Squad (Apps, Zephyr Squad, API Keys) of one user who can browse the project.',
  userHelp: 'email address of the user of Jira whose token it is',
  hasFiles: true,
  defineOptions(command: Command) {
    command.option(
      '--api-url <url>',
      'address of the API of Zephyr Squad',
      toAddress,
      'https://prod-api.zephyr4jiracloud.com/connect',
    )
  },
  getBaseUrl: (url) => url.replace(/\/rest\/.*$/, ''),
  getHeaders: ({ user = '' }, { JIRA_API_TOKEN: token = '' }) => ({
    authorization: `Basic ${toAuthorization(user, token)}`,
  }),
  listHidden: ({ user = '' }, { JIRA_API_TOKEN: token = '' }) => [toAuthorization(user, token)],
  fetch: fetchZephyrSquad,
}

function toAddress(text: string): string {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) throw new InvalidArgumentError('It must be an address.')
  return text.replace(/\/+$/, '')
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Creates the requests of a user. Each is signed by itself. */
function createRequests(accountId: string, { apiUrl = '' }: ToolOptions, secrets: Secrets) {
  const { ZEPHYR_ACCESS_KEY: accessKey = '', ZEPHYR_SECRET_KEY: secretKey = '' } = secrets
  return (path: string, parameters: Readonly<Record<string, string>>): ToolRequest => {
    const query = Object.keys(parameters)
      .toSorted()
      .map((name) => `${name}=${encodeURIComponent(parameters[name] ?? '')}`)
      .join('&')
    return {
      path: `${apiUrl}${path}?${query}`,
      sign() {
        const now = Math.floor(Date.now() / 1000)
        const hash = createHash('sha256').update(`GET&${path}&${query}`).digest('hex')
        const claims = { sub: accountId, qsh: hash, iss: accessKey, iat: now, exp: now + 3600 }
        const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`
        const signature = createHmac('sha256', secretKey).update(content).digest('base64url')
        return { authorization: `JWT ${content}.${signature}`, zapiaccesskey: accessKey }
      },
    }
  }
}

async function fetchZephyrSquad(session: FetchSession, options: ToolOptions, secrets: Secrets): Promise<void> {
  const { http } = session
  const accountId = getText(await http.json(`${JIRA}/myself`), 'accountId')
  const request = createRequests(accountId, options, secrets)
  const project = `${JIRA}/project/${encodeURIComponent(options.project)}`
  const projectId = getText(expectObject(await http.json(project), TITLE, project), 'id')
  /** A list without pages, by itself or in an object. */
  const readBare = async (path: string | ToolRequest, where: string, name = ''): Promise<Page> => {
    const answer = await http.json(path)
    return { items: expectObjects(isObject(answer) ? answer[name] : answer, TITLE, where), next: null }
  }
  await session.readList('versions', '', () => readBare(`${project}/versions`, 'versions'))
  await session.readList('issues', '', (next) => readIssues(session, options.project, next))
  await session.readEach(await session.listIds('issues'), (id) => {
    const steps = request(`/public/rest/api/2.0/teststep/${id}`, { projectId })
    return session.readList('teststeps', id, () => readBare(steps, 'teststep', 'testSteps'))
  })
  await session.readEach([NO_VERSION, ...(await session.listIds('versions'))], (versionId) =>
    session.readList('cycles', versionId, () =>
      readBare(request('/public/rest/api/1.0/cycles/search', { projectId, versionId }), 'cycles'),
    ),
  )
  const cycles: [cycleId: string, versionId: string][] = []
  for (const versionId of await session.log.listOf('cycles')) {
    for await (const cycle of session.log.items('cycles', versionId)) {
      if (isSince(getCycleTime(cycle), options)) cycles.push([getText(cycle, 'id'), versionId])
    }
  }
  const byName = new Map(cycles.map((cycle) => [`${cycle[1]} ${cycle[0]}`, cycle]))
  await session.readEach(byName.keys(), async (of) => {
    const [cycleId = '', versionId = ''] = byName.get(of) ?? []
    const place = { projectId, versionId }
    const read = (list: string, path: string, more: object) =>
      session.readList('executions', list, (next) =>
        readExecutions(session, next, (page) => request(path, { ...place, ...more, ...page })),
      )
    await read(of, `/public/rest/api/2.0/executions/search/cycle/${cycleId}`, {})
    const folders = request('/public/rest/api/1.0/folders', { ...place, cycleId })
    await session.readOptionalList('folders', of, () => readBare(folders, 'folders'))
    for (const folder of await session.listIds('folders', of)) {
      await read(`${of} ${folder}`, `/public/rest/api/2.0/executions/search/folder/${folder}`, { cycleId })
    }
  })
  if (options.attachments !== 'none') await session.readFiles(listFiles(session))
}

/** When a cycle began, for `isSince`. Times are milliseconds since 1970. */
function getCycleTime(cycle: unknown): string {
  const time = getText(cycle, 'startDate') || getText(cycle, 'creationDate')
  return /^\d{12,}$/.test(time) ? new Date(Number(time)).toISOString() : time
}

async function readIssues({ http }: FetchSession, project: string, next: string | null): Promise<Page> {
  const path = `${JIRA}/search/jql`
  const body = JSON.stringify({
    jql: `project = "${project}" AND issuetype = Test ORDER BY key`,
    fields: FIELDS.split(','),
    maxResults: JIRA_PAGE_SIZE,
    ...(next === null ? {} : { nextPageToken: next }),
  })
  const answer = await http.json({ path, method: 'POST', body, contentType: 'application/json' })
  const { issues, nextPageToken } = expectObject(answer, TITLE, path)
  const following = typeof nextPageToken === 'string' && nextPageToken !== next ? nextPageToken : null
  return { items: expectObjects(issues, TITLE, path), next: following }
}

/** Reads a page of executions; the cursor is the number of those before it. */
async function readExecutions(
  { http }: FetchSession,
  next: string | null,
  request: (page: { offset: string; size: string }) => ToolRequest,
): Promise<Page> {
  const offset = Number(next ?? 0)
  const answer = expectObject(
    await http.json(request({ offset: String(offset), size: `${PAGE_SIZE}` })),
    TITLE,
    'executions',
  )
  const { searchResult } = answer
  const list: ToolObject = isObject(searchResult) ? searchResult : answer
  const found = expectObjects(list['searchObjectList'], TITLE, 'executions')
  const total = getNumber(list, 'totalCount')
  const end = offset + found.length
  return {
    // The execution is an object in that of its issue.
    items: found.map(({ execution, ...rest }) => ({ ...rest, ...(isObject(execution) ? execution : {}) })),
    next: found.length === 0 || (total !== null && end >= total) ? null : String(end),
    total,
  }
}

async function* listFiles(session: FetchSession): AsyncGenerator<ToolFile> {
  for await (const { key, fields } of session.all('issues')) {
    const files = isObject(fields) ? fields['attachment'] : undefined
    for (const file of Array.isArray(files) ? files.filter(isObject) : []) {
      const [id, name, url] = [getText(file, 'id'), getText(file, 'filename'), getText(file, 'content')]
      if (url !== '') yield { kind: 'case', key: String(key), id, name: name || 'attachment', url }
    }
  }
}
