import { toTerminalText } from '../../../text.ts'
import { expectObjects, getText, isObject, type Page, type ToolObject } from './answers.ts'
import type { FetchSession } from './fetch-session.ts'
import { formatRpcBatch, formatRpcCall, readRpcAnswer } from './json-rpc.ts'
import { forEachConcurrently, toGroups } from './limiter.ts'
import { RefusedError } from './tool-http.ts'

export const KIWI_PATH = '/json-rpc/'
export const KIWI_TITLE = 'Kiwi TCMS'
export const KIWI_RIGHTS =
  'Use the password of a user with the permissions to view test plans, cases, runs, executions, tags, links, comments and attachments.'
/** How many ids a page spans. Pages are no part of the API, but conditions on ids are. */
const FIRST_SPAN = 500
/** Beyond that many ids without an object, the rest is read at once. */
const LONGEST_SPAN = 8000
const CALLS_PER_REQUEST = 50

/** What calls methods of Kiwi TCMS. */
export interface Caller {
  call(method: string, parameter: unknown): Promise<unknown>
  /** Calls a method with each of several ids. Throws what a call was refused with when its result is asked for. */
  callEach(method: string, ids: readonly string[]): Promise<(id: string) => Promise<unknown>>
}

/** Creates what calls methods. Errors come with the status 200. */
export function createCaller({ http }: FetchSession): Caller {
  let hasBatches = true
  const send = (body: string) => http.json({ path: KIWI_PATH, method: 'POST', contentType: 'application/json', body })
  const readResult = (answer: unknown, method: string) => {
    const read = readRpcAnswer(answer, KIWI_TITLE, method)
    if ('result' in read) return unescapeTexts(read.result)
    const said = http.redact(toTerminalText(read.message))
    const isForbidden = /authentication|permission/i.test(said)
    throw new RefusedError([`${KIWI_TITLE} refused ${method} (${said}).`, KIWI_RIGHTS], isForbidden ? 403 : 400, said)
  }
  const call: Caller['call'] = async (method, parameter) =>
    readResult(await send(formatRpcCall(method, [parameter])), method)
  return {
    call,
    async callEach(method, ids) {
      const answer = hasBatches && ids.length > 1 ? await send(formatRpcBatch(method, ids.map(Number))) : null
      // Older servers know no batches, and refuse the whole.
      if (answer !== null) hasBatches = Array.isArray(answer)
      if (!Array.isArray(answer)) return (id) => call(method, Number(id))
      const answers = new Map(answer.filter(isObject).map((each) => [getText(each, 'id'), each]))
      // oxlint-disable-next-line require-await -- a refusal is a rejection
      return async (id) => readResult(answers.get(String(ids.indexOf(id))), method)
    },
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

/** Kiwi TCMS escapes all texts, as if they were part of a web page. */
function unescapeTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')
  if (Array.isArray(value)) return value.map(unescapeTexts)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, unescapeTexts(each)]))
}

type Query = Readonly<Record<string, unknown>>

/** A list that has one page. */
interface Whole extends Page {
  readonly items: readonly ToolObject[]
}

/** Reads what a query finds, at once. */
export async function readAll(caller: Caller, method: string, query: unknown): Promise<Whole> {
  return { items: expectObjects(await caller.call(method, query), KIWI_TITLE, method), next: null }
}

/** Reads the objects of a span of ids; the cursor is the last id before it, and how many it spans. */
export async function readSpan(caller: Caller, method: string, query: Query, next: string | null): Promise<Page> {
  const [after = 0, span = FIRST_SPAN] = (next ?? '').split(' ').filter(Boolean).map(Number)
  const isRest = span > LONGEST_SPAN
  const condition = { ...query, pk__gt: after, ...(!isRest && { pk__lte: after + span }) }
  const { items } = await readAll(caller, method, condition)
  // Ids that other projects have are gaps here.
  const nextSpan = items.length === 0 ? span * 2 : FIRST_SPAN
  return { items, next: isRest ? null : `${after + span} ${nextSpan}` }
}

/** Lists of names have a row for each use, all with the id of the name. */
export async function readUses(caller: Caller, method: string, query: Query, field: string): Promise<Page> {
  const { items } = await readAll(caller, method, query)
  const uses = items
    .map((item) => ({ id: getText(item, 'id'), name: getText(item, 'name'), case: getText(item, field) }))
    .filter((use) => use.case !== '')
  return { items: uses.map((use) => ({ ...use, id: `${use.id} ${use.case}` })), next: null }
}

/** Reads a list for each of several objects, many with a request. The first alone shows whether the others are refused, too. */
export async function readEachOf(
  session: FetchSession,
  caller: Caller,
  name: string,
  { ids, method }: { ids: readonly string[]; method: string },
): Promise<void> {
  const [first, ...others] = ids
  const read = (id: string, getResult: (id: string) => Promise<unknown>) =>
    session.readOptionalList(name, id, async () => ({
      items: expectObjects(await getResult(id), KIWI_TITLE, method),
      next: null,
    }))
  if (first === undefined || !(await read(first, (id) => caller.call(method, Number(id))))) return
  await forEachConcurrently(toGroups(others, CALLS_PER_REQUEST), async (group) => {
    const wanted: string[] = []
    for (const id of group) if ((await session.log.findNext(name, id)) !== null) wanted.push(id)
    const getResult = await caller.callEach(method, wanted)
    for (const id of wanted) await read(id, getResult)
  })
}
