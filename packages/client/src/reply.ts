import type { Endpoint, FileEndpoint } from './endpoint.ts'
import type { Problem } from './endpoints.generated.ts'
import type { Unreachable } from './failure.ts'

/** The request succeeded. `status` narrows `data` if the endpoint has several success statuses, such as 200 and 207. */
export interface Success<Status extends number = number, Data = unknown> {
  readonly kind: 'success'
  readonly status: Status
  readonly data: Data
  readonly headers: Headers
}

/** The server returned an error as RFC 9457 problem details. `problem.code` is a stable error code. */
export interface ProblemReply {
  readonly kind: 'problem'
  readonly status: number
  readonly problem: Problem
  readonly headers: Headers
}

/**
 * There was a response, but not one of this endpoint.
 *
 * - `redirect`: a redirect to `location`. The API never redirects, and following one would turn a POST into a GET.
 * - `not-json`: typically the HTML page of a proxy
 * - `unexpected-shape`: JSON of another service, or of an incompatible server version
 * - `too-large`: more than 64 MB, several times the largest response of the API
 * - `truncated`: the connection was lost within the body; the request may have been processed
 */
export interface Unreadable {
  readonly kind: 'unreadable'
  readonly reason: 'redirect' | 'not-json' | 'unexpected-shape' | 'too-large' | 'truncated'
  /** The HTTP status; 0 for redirects in browsers, which hide it. */
  readonly status: number
  /** The first 500 characters of the body. */
  readonly excerpt: string
  /** The `Location` header of a redirect. */
  readonly location: string | null
  readonly headers: Headers
}

export type AnyReply = Success | ProblemReply | Unreadable | Unreachable

type Successes<E extends Endpoint> = NonNullable<E['types']>['success']

/** The result of a call: a success of the endpoint, or one of the failures. Network failures are not thrown. */
export type Reply<E extends Endpoint> =
  | { [S in keyof Successes<E> & number]: Success<S, Successes<E>[S]> }[keyof Successes<E> & number]
  | ProblemReply
  | Unreadable
  | Unreachable

/** The result of a download: the response with the body still to be read, 304 without one, or one of the failures. */
export type FileReply =
  | { readonly kind: 'success'; readonly status: number; readonly response: Response; readonly headers: Headers }
  | ProblemReply
  | Unreadable
  | Unreachable

const EXCERPT_LENGTH = 500
const MAX_BYTES = 64 * 1024 * 1024

/** Reads a response, and checks that it is one of the endpoint. */
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
    const { start, isComplete } = await readText(response, MAX_BYTES)
    text = start
    if (!isComplete) return unreadable('too-large')
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

/** Returns the response of a download, or what it is instead. */
export async function readFileReply(
  { operationId, method, url }: FileEndpoint,
  response: Response,
): Promise<FileReply> {
  const { status, headers } = response
  if (response.ok || status === 304) return { kind: 'success', status, response, headers }
  const reply = await readReply({ operationId, method, url, success: {} }, response)
  if (reply.kind === 'success') throw new Error('An error is no success')
  return reply
}

/** Reads the text of a body, or only its start if it exceeds the limit. */
async function readText(response: Response, maxBytes: number): Promise<{ start: string; isComplete: boolean }> {
  const reader = response.body?.getReader()
  if (reader === undefined) return { start: '', isComplete: true }
  const decoder = new TextDecoder()
  let start = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { start: start + decoder.decode(), isComplete: true }
    bytes += value.byteLength
    start += decoder.decode(value, { stream: true })
    if (bytes <= maxBytes) continue
    // Closes the connection; there is nothing to wait for.
    reader.cancel().catch(() => {})
    return { start, isComplete: false }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The required fields of a problem. */
export const problemFields: readonly (keyof Problem)[] = ['type', 'title', 'status', 'detail', 'code']

function isProblem(value: unknown): value is Problem {
  return hasShape(value, problemFields)
}

/**
 * Whether a value is an object with every required field, or null for an empty body. Nothing else is checked, so that the
 * client also works with newer servers, which have more fields and statuses.
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
