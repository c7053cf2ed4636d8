import { CommandError } from '../../../command-error.ts'
import { toTerminalText } from '../../../text.ts'
import { getText, isObject, type Page } from './answers.ts'
import { chooseProject } from './choose-project.ts'
import type { FetchSession, ToolFile } from './fetch-session.ts'
import { formatRpcCall, readRpcAnswer } from './json-rpc.ts'
import {
  type Caller,
  createCaller,
  KIWI_PATH,
  KIWI_RIGHTS,
  KIWI_TITLE,
  readAll,
  readEachOf,
  readSpan,
  readUses,
} from './kiwi-rpc.ts'
import { toGroups } from './limiter.ts'
import { defineTimeZone, isSince, NAME_FORM, type Tool, type ToolOptions } from './tool.ts'
import { RefusedError } from './tool-http.ts'

/** How many test cases one call asks about. */
const CASES_PER_CALL = 100

/** Kiwi TCMS: JSON-RPC, https://kiwitcms.readthedocs.io/en/latest/api/index.html */
export const kiwi: Tool = {
  system: 'kiwi',
  title: KIWI_TITLE,
  defaultUrl: null,
  urlExample: 'https://kiwi.example.com',
  projectExample: '"Web shop"',
  projectForm: NAME_FORM,
  secrets: [{ variable: 'KIWI_PASSWORD', question: 'Password of Kiwi TCMS:' }],
  rights: KIWI_RIGHTS,
  userHelp: 'user of Kiwi TCMS whose password it is',
  hasFiles: true,
  defineOptions: (command) => defineTimeZone(command, KIWI_TITLE),
  getBaseUrl: (url) => url.replace(/\/(?:json|xml)-rpc\/?$/, ''),
  async getHeaders({ user = '' }, { KIWI_PASSWORD: password = '' }, login) {
    const answer = readRpcAnswer(
      await login(KIWI_PATH, formatRpcCall('Auth.login', [user, password])),
      KIWI_TITLE,
      'Auth.login',
    )
    if ('result' in answer && typeof answer.result === 'string') return { cookie: `sessionid=${answer.result}` }
    const said = 'message' in answer ? toTerminalText(answer.message).replaceAll(password, '…') : 'no session'
    throw new CommandError([`${KIWI_TITLE} does not accept your credentials (${said}).`, KIWI_RIGHTS], {
      code: 'tool_unauthorized',
    })
  },
  fetch: fetchKiwi,
}

async function fetchKiwi(session: FetchSession, options: ToolOptions): Promise<void> {
  const caller = createCaller(session)
  const read = (name: string, of: string, method: string, query: unknown) =>
    session.readList(name, of, () => readAll(caller, method, query))
  await session.readList('project', '', async () => {
    const { items } = await readAll(caller, 'Product.filter', {})
    const fields = ['name', 'id'] as const
    return {
      items: [chooseProject(items, options.project, { title: KIWI_TITLE, noun: 'product', fields })],
      next: null,
    }
  })
  const [project = ''] = await session.listIds('project')
  const product = Number(project)
  await session.readOptionalList('users', '', () => readAll(caller, 'User.filter', {}))
  await read('categories', '', 'Category.filter', { product })
  await session.readList('components', '', () => readUses(caller, 'Component.filter', { product }, 'cases'))
  await read('plans', '', 'TestPlan.filter', { product })
  await session.readEach(await session.listIds('plans'), (plan) =>
    session.readList('plan_cases', plan, () => readPlan(caller, plan)),
  )
  await session.readList('cases', '', (next) =>
    readSpan(caller, 'TestCase.filter', { category__product: product }, next),
  )
  await fetchCaseParts(session, caller)
  await fetchRuns(session, caller, product, options)
  if (options.attachments !== 'none') await session.readFiles(listFiles(session, caller, options))
}

/** Reads the places of test cases in a plan; older servers say only which test cases there are. */
async function readPlan(caller: Caller, plan: string): Promise<Page> {
  const query = { plan: Number(plan) }
  try {
    const places = await caller.call('TestCase.sortkeys', query)
    if (isObject(places)) return { items: Object.entries(places).map(([id, sortkey]) => ({ id, sortkey })), next: null }
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
  }
  const { items } = await readAll(caller, 'TestCase.filter', query)
  return { items: items.map((item, sortkey) => ({ id: getText(item, 'id'), sortkey })), next: null }
}

async function fetchCaseParts(session: FetchSession, caller: Caller): Promise<void> {
  const cases = await session.listIds('cases')
  const groups = new Map<string, readonly number[]>(
    toGroups(cases, CASES_PER_CALL).map((ids) => [`${ids[0]}-${ids.at(-1)}`, ids.map(Number)] as const),
  )
  const query = (group: string) => ({ case__in: groups.get(group) ?? [] })
  await session.readEach(groups.keys(), (group) =>
    session.readList('tags', group, () => readUses(caller, 'Tag.filter', query(group), 'case')),
  )
  await session.readEachOptional('properties', [...groups.keys()], (group) =>
    readAll(caller, 'TestCase.properties', query(group)),
  )
  await readEachOf(session, caller, 'comments', { ids: cases, method: 'TestCase.comments' })
}

async function fetchRuns(session: FetchSession, caller: Caller, product: number, options: ToolOptions): Promise<void> {
  await session.readList('runs', '', (next) => readSpan(caller, 'TestRun.filter', { plan__product: product }, next))
  const runs: string[] = []
  for await (const run of session.all('runs')) {
    const time = getText(run, 'start_date') || getText(run, 'planned_start')
    if (isSince(time, options)) runs.push(getText(run, 'id'))
  }
  await session.readEach(runs, (run) =>
    session.readList('executions', run, () => readAll(caller, 'TestExecution.filter', { run: Number(run) })),
  )
  for (const [name, method] of [
    ['execution_links', 'TestExecution.get_links'],
    ['execution_properties', 'TestExecution.properties'],
  ] as const) {
    await session.readEachOptional(name, runs, (run) => readAll(caller, method, { execution__run: Number(run) }))
  }
  const ids = await session.listIds('executions')
  await readEachOf(session, caller, 'execution_comments', { ids, method: 'TestExecution.get_comments' })
}

async function* listFiles(
  session: FetchSession,
  caller: Caller,
  { attachments }: ToolOptions,
): AsyncGenerator<ToolFile> {
  const readEach = (name: string, ids: readonly string[], method: string) =>
    readEachOf(session, caller, name, { ids, method })
  const listOf = async function* (name: string, id: string, place: Pick<ToolFile, 'kind' | 'key'>) {
    for await (const file of session.log.items(name, id)) {
      const url = getText(file, 'url')
      if (url !== '') yield { ...place, id: getText(file, 'pk') || url, name: getFileName(url), url }
    }
  }
  const cases = await session.listIds('cases')
  await readEach('case_files', cases, 'TestCase.list_attachments')
  for (const key of cases) yield* listOf('case_files', key, { kind: 'case', key })
  if (attachments !== 'all') return
  const runs = await session.log.listOf('executions')
  await readEach('run_files', runs, 'TestRun.list_attachments')
  for (const key of runs) yield* listOf('run_files', key, { kind: 'run', key })
  await readEach('execution_files', await session.listIds('executions'), 'TestExecution.list_attachments')
  for (const run of runs) {
    for await (const execution of session.log.items('executions', run)) {
      const key = `${run} ${getText(execution, 'case')}`
      yield* listOf('execution_files', getText(execution, 'id'), { kind: 'result', key })
    }
  }
}

/** Files have no name beside that in their address. */
function getFileName(url: string): string {
  const name =
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) || 'attachment'
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
