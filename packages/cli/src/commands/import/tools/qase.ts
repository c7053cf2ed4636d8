import { addQuery, createAnswerError, expectObjects, getNumber, getText, isObject, type Page } from './answers.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { isSince, type Tool, type ToolOptions, listShown } from './tool.ts'

const PAGE_SIZE = 100
const TITLE = 'Qase'

/** Qase: `/v1/`, https://developers.qase.io/reference/introduction-to-the-qase-api */
export const qase: Tool = {
  system: 'qase',
  title: TITLE,
  defaultUrl: 'https://api.qase.io',
  urlExample: 'https://api.qase.io',
  projectExample: 'QD',
  secrets: [{ variable: 'QASE_API_TOKEN', question: 'API token of Qase:' }],
  rights: 'Use an API token (Profile, API tokens) of a user who is a member of the project and may read all of it.',
  hasFiles: true,
  getBaseUrl: (url) => url.replace(/\/v1$/, ''),
  getHeaders: (_, { QASE_API_TOKEN: token = '' }) => ({ token }),
  fetch: fetchQase,
}

async function readResult({ http }: FetchSession, path: string): Promise<unknown> {
  const answer = await http.json(`/v1/${path}`)
  if (isObject(answer) && answer['status'] === true && 'result' in answer) return answer['result']
  throw createAnswerError(answer, TITLE, path, 'a result')
}

/** Reads a page of a list; the cursor is the offset. */
async function readPage(session: FetchSession, path: string, next: string | null): Promise<Page> {
  const offset = Number(next ?? 0)
  const result = await readResult(session, addQuery(path, `limit=${PAGE_SIZE}&offset=${offset}`))
  const items = expectObjects(isObject(result) ? result['entities'] : result, TITLE, path)
  const total = getNumber(result, 'filtered') ?? getNumber(result, 'total')
  const end = offset + items.length
  const isLast = items.length === 0 || (total === null ? items.length < PAGE_SIZE : end >= total)
  return { items, next: isLast ? null : String(end), total }
}

async function readObject(session: FetchSession, path: string): Promise<Page> {
  return { items: expectObjects([await readResult(session, path)], TITLE, path), next: null }
}

async function fetchQase(session: FetchSession, options: ToolOptions): Promise<void> {
  const { project, attachments } = options
  const read = (name: string, path: string) => session.readList(name, '', (next) => readPage(session, path, next))
  const readOptional = (name: string, path: string) =>
    session.readOptionalList(name, '', (next) => readPage(session, path, next))
  await session.readList('project', '', () => readObject(session, `project/${project}`))
  await session.readOptionalList('system_fields', '', async () => ({
    items: expectObjects(await readResult(session, 'system_field'), TITLE, 'system_field'),
    next: null,
  }))
  await readOptional('custom_fields', 'custom_field')
  await readOptional('authors', 'author')
  await read('suites', `suite/${project}`)
  await read('shared_steps', `shared_step/${project}`)
  await read('cases', `case/${project}`)
  await read('milestones', `milestone/${project}`)
  await readOptional('plans', `plan/${project}`)
  await readOptional('environments', `environment/${project}`)
  await readOptional('configurations', `configuration/${project}`)
  await read('runs', `run/${project}?include=cases`)
  const runs: string[] = []
  for await (const run of session.all('runs')) {
    if (isSince(getText(run, 'start_time'), options)) runs.push(getText(run, 'id'))
  }
  await session.readEach(runs, (id) =>
    session.readList('results', id, (next) => readPage(session, `result/${project}?run=${id}`, next)),
  )
  if (attachments !== 'none') await session.readFiles(listFiles(session, runs, options))
}

/** `![](https://…/attachment/<hash>/shop.png)` */
const PICTURE = /\]\(https?:\/\/[^\s()"\\]{1,300}\/attachment\/([\w-]+)[^\s()"\\]{0,300}/g

/** Files stand at test cases, their steps, and results, with a public address each. */
async function* listFiles(
  session: FetchSession,
  runs: readonly string[],
  { attachments }: ToolOptions,
): AsyncGenerator<ToolFile> {
  for await (const testCase of session.all('cases')) {
    const key = getText(testCase, 'id')
    const files = [...listFilesOf(testCase, { kind: 'case', key })]
    yield* files
    for (const file of listShown(testCase, key, PICTURE, (_, address) => address.slice(2))) {
      if (!files.some(({ url }) => url === file.url)) yield file
    }
  }
  if (attachments !== 'all') return
  for (const run of runs) {
    for await (const result of session.log.items('results', run)) {
      if (isObject(result)) yield* listFilesOf(result, { kind: 'result', key: `${run} ${getText(result, 'case_id')}` })
    }
  }
}

function* listFilesOf(
  holder: Readonly<Record<string, unknown>>,
  place: Pick<ToolFile, 'kind' | 'key'>,
): Generator<ToolFile> {
  const { attachments, steps } = holder
  for (const file of Array.isArray(attachments) ? attachments : []) {
    const url = getText(file, 'url')
    const name = getText(file, 'filename') || 'attachment'
    if (url !== '') yield { ...place, id: getText(file, 'hash') || `${name} ${url.replace(/[?#].*$/, '')}`, name, url }
  }
  for (const step of Array.isArray(steps) ? steps : []) if (isObject(step)) yield* listFilesOf(step, place)
}
