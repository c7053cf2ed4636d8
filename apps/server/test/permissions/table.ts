import { type CallerName, COLUMNS, INSTANCE_COLUMNS } from './columns.ts'
import type { Scenario } from './scenario.ts'

/*
 * The permission tables say what each endpoint returns to each kind of caller. They are written by hand from the
 * contract, not from the code that they test.
 *
 * A row has two lines: the endpoint with the function that prepares its request, and a cell for each column.
 * `everyone 200` stands for the same cell in all columns.
 *
 *   none         no token and no session
 *   bad-token    three callers: an unknown token, a revoked and an expired token of an admin
 *   read-only    an admin's personal token with read access
 *   viewer       a personal token with write access, of a viewer of the project
 *   member       the same, of a member
 *   admin        the same, of an admin
 *   outsider     two callers: the same, of an admin of another project; the same, of an instance administrator
 *   ci-read      a CI token of the project with read access
 *   ci-write     a CI token of the project with write access
 *   ci-other     a CI token with write access, of another project
 *   session      a member's session, in a request from a page of the service
 *   cross-site   the same session, in a request from a page of another site
 *
 * The tables of endpoints for instance administrators (`instanceTable`) have other columns:
 *
 *   user            personal tokens of users with any role, and a session, none of an instance administrator
 *   ci              CI tokens
 *   instance-read   an instance administrator's personal token with read access
 *   instance-admin  two callers: an instance administrator's personal token with write access, and session
 *   cross-site      that session, in a request from a page of another site
 *
 * A cell is a status, or the reason of a 403 as in `REASONS` below. Every success changes data, except that of GET.
 * `demo` is what only those are told who may create one: that they have a demo.
 * `=` marks a success that changes nothing, `+` a GET that changes data: `200=`, `303+`. HEAD is tested as GET, unless there is no GET.
 *
 * To add an endpoint, copy a row of a similar one into the file of its noun and write the cells that the contract's
 * permission requires. An endpoint without a row fails `permissions.test.ts`. To run one row:
 * npx vitest run apps/server/test/permissions -t 'GET /v1/projects/:projectId/runs'
 */
const REASONS: Record<string, string> = {
  'ci-only': 'ci_token_required',
  instance: 'instance_admin_required',
  'not-yours': 'not_yours',
  outsider: 'not_a_member',
  origin: 'foreign_origin',
  personal: 'personal_token_required',
  role: 'role_required',
  'no-session': 'session_required',
  'read-only': 'read_only_token',
}

/** The `code` of the API's problems with a status that has only one reason here. */
const CODES: Record<number, string> = { 401: 'unauthenticated', 404: 'not_found', 410: 'setup_done' }

/** The content of a request, without its route and its caller. */
export interface RequestContent {
  /** Values of the path's parameters; `:projectId` is always the caller's project. */
  ids?: Record<string, string>
  body?: unknown
  /** The fields of a form on a page of the service. */
  form?: Record<string, string>
  headers?: Record<string, string>
  query?: string
  cookie?: string
}

/** Prepares a valid request about something that exists, so that only the caller decides about the response. */
export type Prepare = (scenario: Scenario) => RequestContent | Promise<RequestContent>

/** An expected response. */
export interface Cell {
  status: number
  code: string | null
  changesData: boolean
}

export interface Row {
  /** The route and the name of the function that prepares the request; some routes have several rows. */
  title: string
  method: string
  path: string
  cells: { caller: CallerName; cell: Cell }[]
  prepare: Prepare
}

type Columns = Readonly<Record<string, readonly CallerName[]>>
type ParseTable = (template: TemplateStringsArray, ...values: (Prepare | string)[]) => Row[]

/** Parses a table. Functions in the template prepare the request of their row; strings are inserted as they are. */
export const table: ParseTable = createParser(COLUMNS)

/** The same, for the endpoints of instance administrators. */
export const instanceTable: ParseTable = createParser(INSTANCE_COLUMNS)

function createParser(columns: Columns): ParseTable {
  return ({ raw }, ...values) => {
    const text = raw.reduce((before, part, index) => before + toText(values[index - 1], index - 1) + part)
    const [head = '', ...lines] = text.trim().split(/\n\s*/)
    const header = Object.keys(columns).join(' ')
    if (head.split(/\s+/).join(' ') !== header) throw new Error(`The columns of this table must be: ${header}`)
    return Array.from({ length: lines.length / 2 }, (_, index) =>
      parseRow(lines[2 * index] ?? '', lines[2 * index + 1] ?? '', values, Object.values(columns)),
    )
  }
}

/** Marks a function by its index, for `parseRow`. */
const toText = (value: Prepare | string | undefined, index: number): string =>
  typeof value === 'string' ? value : String(index)

/** Of the rows without a function. */
export const prepareNothing: Prepare = () => ({})

function parseRow(
  route: string,
  cellLine: string,
  values: readonly (Prepare | string)[],
  columns: readonly (readonly CallerName[])[],
): Row {
  const [method = '', path = '', index] = route.split(/\s+/)
  const prepare = index === undefined ? prepareNothing : values[Number(index)]
  if (typeof prepare !== 'function') throw new Error(`${route}: not a function that prepares the request`)
  const title = prepare === prepareNothing ? `${method} ${path}` : `${method} ${path} (${prepare.name})`
  const words = cellLine.split(/\s+/)
  const isForEveryone = words.length === 2 && words[0] === 'everyone'
  if (!isForEveryone && words.length !== columns.length)
    throw new Error(`${title}: ${words.length} cells instead of ${columns.length}`)
  const cells = columns.flatMap((callers, column) => {
    const cell = parseCell(words[isForEveryone ? 1 : column] ?? '', method, path)
    return callers.map((caller) => ({ caller, cell }))
  })
  return { title, method, path, cells, prepare }
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

function parseCell(word: string, method: string, path: string): Cell {
  if (word === 'demo') return { status: 409, code: 'demo_exists', changesData: false }
  const reason = REASONS[word]
  if (reason !== undefined) return { status: 403, code: reason, changesData: false }
  const [, digits, mark = ''] = /^(\d{3})([+=]?)$/.exec(word) ?? []
  if (digits === undefined) throw new Error(`${method} ${path}: ${word} is neither a status nor a reason`)
  const status = Number(digits)
  if (status < 400) return { status, code: null, changesData: isReading(method) ? mark === '+' : mark !== '=' }
  if (!path.startsWith('/v1')) return { status, code: null, changesData: false }
  const code = CODES[status]
  if (code === undefined) throw new Error(`${method} ${path}: write the reason in place of ${word}`)
  return { status, code, changesData: false }
}
