import type { Scenario } from './scenario.ts'

/*
 * How the tables of this folder are read: a line for each route, a column for each caller, in a cell what that caller is
 * answered. All of it is written by hand from the contract, and nothing taken from the code that it is held against.
 *
 *   none  nobody: no token                        othr  the admin of another project
 *   wrng  a token that was never given out        ci-r  a CI token that reads
 *   rvkd  an admin's token that was revoked       ci-w  a CI token that writes
 *   expd  an admin's token that has expired       ci-o  another project's CI token, that writes
 *   read  an admin's token that only reads        sess  a member's browser, on a page of the service
 *   view  a viewer                                csrf  a member's browser, on a page of another site
 *   memb  a member
 *   admn  an admin
 *
 * A refusal says why in its `code`, by the letter behind the status. What succeeds changes something unless it is a GET;
 * `+` marks a GET that does, `=` a success that finds nothing to change. HEAD is answered as GET.
 */
const CODES: Record<string, string> = {
  '401': 'unauthenticated',
  '403c': 'ci_token_required',
  '403m': 'not_a_member',
  '403o': 'foreign_origin',
  '403p': 'personal_token_required',
  '403r': 'role_required',
  '403t': 'read_only_token',
  '404': 'not_found',
  '410s': 'setup_done',
}

const CALLERS = [
  ...(['none', 'wrng', 'rvkd', 'expd'] as const),
  ...(['read', 'view', 'memb', 'admn', 'othr'] as const),
  ...(['ci-r', 'ci-w', 'ci-o'] as const),
  ...(['sess', 'csrf'] as const),
]
export type CallerName = (typeof CALLERS)[number]

/** What a request is made of, beside its route and its caller. */
export interface Content {
  /** What stands in the path for `:id` and the like; `:pid` is always the project. */
  ids?: Record<string, string>
  body?: unknown
  /** The fields of a form that one of the service's own pages sends. */
  form?: Record<string, string>
  headers?: Record<string, string>
  query?: string
  cookie?: string
}

/** Makes what a request is about. It is valid and there to be had, so that nothing but who calls stands in its way. */
export type Prepare = (scene: Scenario) => Content | Promise<Content>

export interface Cell {
  status: number
  code: string | null
  changes: boolean
}

export interface Row {
  /** The route, and what is sent to it: some routes have several rows. */
  title: string
  method: string
  path: string
  cells: { caller: CallerName; cell: Cell }[]
  prepare: Prepare
}

/** Reads a table. Behind a route stands what prepares a request to it, if anything need be; texts go in as they are. */
export function table({ raw }: TemplateStringsArray, ...values: (Prepare | string)[]): Row[] {
  const text = raw.reduce((before, part, index) => before + inText(values[index - 1], index - 1) + part)
  const [head = '', ...lines] = text.trim().split(/\n\s*/)
  if (head.split(/\s+/).join() !== CALLERS.join()) throw new Error(`The columns are ${CALLERS.join(' ')}`)
  return lines.map((line) => {
    const words = line.split(/\s+/)
    const [method = '', path = '', index] = words.slice(CALLERS.length)
    const cells = CALLERS.map((caller, at) => ({ caller, cell: readCell(words[at] ?? '', method, path) }))
    const prepare = index === undefined ? nothing : values[Number(index)]
    if (typeof prepare !== 'function') throw new Error(`Nothing prepares ${line}`)
    const title = prepare === nothing ? `${method} ${path}` : `${method} ${path}, ${prepare.name}`
    return { title, method, path, cells, prepare }
  })
}

const nothing: Prepare = () => ({})

const inText = (value: Prepare | string | undefined, index: number) =>
  typeof value === 'string' ? value : String(index)

function readCell(word: string, method: string, path: string): Cell {
  const [, digits, mark = ''] = /^(\d{3})([a-z+=]?)$/.exec(word) ?? []
  const status = Number(digits)
  if (status >= 400 && path.startsWith('/v1')) {
    const code = CODES[word]
    if (code === undefined) throw new Error(`${method} ${path}: no code is known for ${word}`)
    return { status, code, changes: false }
  }
  if (Number.isNaN(status) || !['', '+', '='].includes(mark)) throw new Error(`${method} ${path}: ${word} is no cell`)
  return { status, code: null, changes: status < 400 && (method === 'GET' ? mark === '+' : mark !== '=') }
}
