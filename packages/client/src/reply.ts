import type { Endpoint } from './endpoint.ts'
import type { Problem } from './endpoints.generated.ts'
import type { Unreachable } from './failure.ts'

/** The server did it. `status` narrows `data` where an endpoint has several successes (200, 207). */
export interface Success<Status extends number = number, Data = unknown> {
  readonly kind: 'success'
  readonly status: Status
  readonly data: Data
  readonly headers: Headers
}

/** The server refused, and says why: RFC 9457 problem details. `problem.code` is stable, to be switched on. */
export interface ProblemReply {
  readonly kind: 'problem'
  readonly status: number
  readonly problem: Problem
  readonly headers: Headers
}

/**
 * Something answered, but not as Caseward does.
 *
 * - `redirect`: it points elsewhere (`location`). The API never redirects, and following it would turn a POST into a GET.
 * - `not-json`: typically a proxy's HTML page
 * - `unexpected-shape`: JSON, but not the endpoint's: another service, or a server of another version
 * - `too-large`: it does not end after 64 MB, which is several times the largest answer that there is
 * - `truncated`: the connection broke inside the body; with a change, it may have been made
 */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: 'redirect' | 'not-json' | 'unexpected-shape' | 'too-large' | 'truncated'
  /** The HTTP status; 0 where a browser hides it (redirects). */
  readonly status: number
  /** The beginning of the body, up to 500 characters. */
  readonly excerpt: string
  /** Where a redirect points, as sent. */
  readonly location: string | null
  readonly headers: Headers
}

export type AnyReply = Success | ProblemReply | Unreadable | Unreachable

type Successes<E extends Endpoint> = NonNullable<E['types']>['success']

/** Everything that calling this endpoint can end in; nothing else is thrown for what happens on the network. */
export type Reply<E extends Endpoint> =
  | { [S in keyof Successes<E> & number]: Success<S, Successes<E>[S]> }[keyof Successes<E> & number]
  | ProblemReply
  | Unreadable
  | Unreachable

const EXCERPT_LENGTH = 500
const MAX_BYTES = 64 * 1024 * 1024

/** Reads a response to its end, if it has one, and says which kind of reply it is. A body that breaks off is `truncated`. */
export async function readReply(endpoint: Endpoint, response: Response): Promise<Success | ProblemReply | Unreadable> {
  const { status, headers } = response
  let text = ''
  const unreadable = (reason: Unreadable['reason']): Unreadable => ({
    kind: 'unreadable',
    reason,
    status,
    excerpt: text.slice(0, EXCERPT_LENGTH),
    location: headers.get('location'),
    headers,
  })

  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    return unreadable('redirect')
  }
  try {
    const { start, isWhole } = await readText(response, MAX_BYTES)
    text = start
    if (!isWhole) return unreadable('too-large')
  } catch {
    return unreadable('truncated')
  }

  const body = text === '' ? null : parseJson(text)
  if (body === undefined) return unreadable('not-json')
  if (status >= 400) {
    if (body === null) return unreadable('not-json')
    return isProblem(body) ? { kind: 'problem', status, problem: body, headers } : unreadable('unexpected-shape')
  }
  const shape = endpoint.success[status]
  if (shape === undefined || !hasShape(body, shape)) return unreadable('unexpected-shape')
  return { kind: 'success', status, data: body, headers }
}

/** The text of a body, or the start of one that is longer than that. */
async function readText(response: Response, maxBytes: number): Promise<{ start: string; isWhole: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { start: '', isWhole: true }
  const decoder = new TextDecoder()
  let start = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { start: start + decoder.decode(), isWhole: true }
    bytes += value.byteLength
    start += decoder.decode(value, { stream: true })
    if (bytes <= maxBytes) continue
    // Nobody waits for that: the connection closes.
    reader.cancel().catch(() => {})
    return { start, isWhole: false }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The fields that every problem has. */
export const problemFields: readonly (keyof Problem)[] = ['type', 'title', 'status', 'detail', 'code']

function isProblem(value: unknown): value is Problem {
  return hasShape(value, problemFields)
}

/**
 * Whether a value can be what the endpoint answers: nothing, or an object with every required field, in which objects
 * and lists of them are such. Not more is asked, so that an older client goes on working with a server that knows new
 * fields and new words.
 */
function hasShape(value: unknown, shape: readonly string[] | null): boolean {
  if (shape === null) return value === null
  if (!isObject(value)) return false
  return shape.every((field) => {
    const part = value[field.replace(/\W+$/, '')]
    if (field.endsWith('{}')) return isObject(part)
    if (field.endsWith('[]')) return Array.isArray(part) && part.every(isObject)
    return part !== undefined
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
