import { addQuery, expectObject, expectObjects, getNumber, getText, type Page, toBearer } from './answers.ts'
import type { FetchSession } from './fetch-session.ts'
import { isSince, type Tool, type ToolOptions } from './tool.ts'

const PAGE_SIZE = 100
const TITLE = 'Zephyr Scale'

/** Zephyr Scale Cloud: `/v2/`, https://support.smartbear.com/zephyr-scale-cloud/api-docs/ */
export const zephyrScale: Tool = {
  system: 'zephyr-scale',
  title: TITLE,
  defaultUrl: 'https://api.zephyrscale.smartbear.com',
  urlExample: 'https://api.zephyrscale.smartbear.com',
  projectExample: 'EWB',
  secrets: [{ variable: 'ZEPHYR_SCALE_TOKEN', question: 'API access token of Zephyr Scale:' }],
  rights: 'Use an API access token (profile picture in Jira, Zephyr API keys) of a user who can browse the project.',
  hasFiles: false,
  getBaseUrl: (url) => url.replace(/\/v2$/, ''),
  getHeaders: (_, { ZEPHYR_SCALE_TOKEN: token = '' }) => toBearer(token),
  fetch: fetchZephyrScale,
}

/** Reads a page of a list; the cursor is the place of its first object. */
async function readPage({ http }: FetchSession, path: string, next: string | null): Promise<Page> {
  const start = Number(next ?? 0)
  const query = `maxResults=${PAGE_SIZE}&startAt=${start}`
  const answer = expectObject(await http.json(`/v2/${addQuery(path, query)}`), TITLE, path)
  const items = expectObjects(answer['values'], TITLE, path)
  const isLast = answer['isLast'] !== false || items.length === 0
  const total = getNumber(answer, 'total')
  return { items, next: isLast ? null : String(start + items.length), total }
}

async function fetchZephyrScale(session: FetchSession, options: ToolOptions): Promise<void> {
  const { project } = options
  const read = (name: string, path: string) =>
    session.readList(name, '', (next) => readPage(session, `${path}projectKey=${project}`, next))
  await read('folders', 'folders?folderType=TEST_CASE&')
  await read('priorities', 'priorities?')
  await read('statuses', 'statuses?')
  await read('testcases', 'testcases?')
  const cases: [key: string, hasScript: boolean][] = []
  for await (const testCase of session.all('testcases')) {
    cases.push([getText(testCase, 'key'), getText(testCase['testScript'], 'self').endsWith('/testscript')])
  }
  const scripts = new Map(cases)
  await session.readEach(scripts.keys(), async (key) => {
    const path = `testcases/${encodeURIComponent(key)}`
    if (scripts.get(key) === true) {
      await session.readOptionalList('testscripts', key, async () => {
        const script = await session.http.json(`/v2/${path}/testscript`)
        return { items: expectObjects([script], TITLE, `${path}/testscript`), next: null }
      })
    } else {
      await session.readList('teststeps', key, (next) => readPage(session, `${path}/teststeps`, next))
    }
  })
  await session.readOptionalList('environments', '', (next) =>
    readPage(session, `environments?projectKey=${project}`, next),
  )
  await read('testplans', 'testplans?')
  await read('testcycles', 'testcycles?')
  await session.readList('testexecutions', '', async (next) => {
    const page = await readPage(session, `testexecutions?projectKey=${project}`, next)
    if (options.since === undefined) return page
    return {
      items: page.items.filter((item) => isSince(getText(item, 'actualEndDate'), options)),
      next: page.next,
    }
  })
}
