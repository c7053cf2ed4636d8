import type { Endpoint } from './endpoint.ts'

/** A body that is sent as it is, such as a JUnit file: its bytes keep their encoding. */
export interface RawBody {
  /** The media type, such as `application/xml`. */
  readonly contentType: string
  readonly body: string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob
}

/** Optional fields may also be given as undefined, which leaves them out. */
type AllowUndefined<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] }

type Types<E extends Endpoint> = NonNullable<E['types']>

type Params<T> = T extends { params: infer P } ? { readonly params: P } : { readonly params?: never }

type Query<T> = T extends { query: infer Q }
  ? object extends Q
    ? { readonly query?: AllowUndefined<Q> }
    : { readonly query: AllowUndefined<Q> }
  : { readonly query?: never }

type Body<T> = T extends { body: infer B }
  ?
      | { readonly body: AllowUndefined<B>; readonly rawBody?: never }
      | { readonly body?: never; readonly rawBody: RawBody }
  : { readonly body?: never; readonly rawBody?: never }

interface CallOptions {
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ends the call: it rejects with the signal's reason, as fetch does. */
  readonly signal?: AbortSignal
}

/** What a call of this endpoint takes: its params, query and body, and headers and a signal. */
export type Input<E extends Endpoint> = Params<Types<E>> & Query<Types<E>> & Body<Types<E>> & CallOptions

export interface AnyInput extends CallOptions {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly rawBody?: RawBody
}

/**
 * The address that endpoints' paths are put behind: without a slash at the end, and without the `/v1` that people copy
 * along with it. In a page, `''` or a path is taken as of the page's own origin.
 * @throws TypeError when it is no http(s) address
 */
export function baseUrl(url: string): string {
  const base = url.trim().replace(/\/+$/, '').replace(/\/v1$/, '')
  const isPath = base === '' || /^\/[^/]/.test(base)
  if (isPath && 'location' in globalThis) return base
  const parsed = parseUrl(base)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`Not the address of a server: "${url}". It looks like https://caseward.example.com.`)
  }
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '') {
    throw new TypeError('The address of a server has no user name, "?" or "#" in it.')
  }
  return base
}

/**
 * The Authorization header.
 * @throws TypeError when the token cannot stand in a header; the message never holds the token
 */
export function authorization(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  const trimmed = token.trim()
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new TypeError('The token is empty or holds white space or characters that no token has.')
  }
  return { authorization: `Bearer ${trimmed}` }
}

/**
 * The path and query of a call.
 * @throws TypeError when a path parameter is missing, or `.` or `..`, which would lead to another endpoint
 */
export function buildPath(endpoint: Endpoint, input: AnyInput): string {
  const params = fields(input.params)
  const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => {
    const value = text(params.get(name))
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`${endpoint.operationId}: "${value}" cannot be the ${name} in ${endpoint.url}`)
    }
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of fields(input.query)) if (value !== undefined) query.append(name, text(value))
  const search = query.toString()
  return search === '' ? path : `${path}?${search}`
}

/** The body of a call, and its media type, as fetch wants them. */
export function buildBody(input: AnyInput): { headers: Readonly<Record<string, string>>; body?: RawBody['body'] } {
  if (input.rawBody !== undefined) {
    return { headers: { 'content-type': input.rawBody.contentType }, body: input.rawBody.body }
  }
  if (input.body === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input.body) }
}

/** One set of headers; of two with the same name, in whatever case, the later one counts. */
export function mergeHeaders(...sets: (Readonly<Record<string, string>> | undefined)[]): Headers {
  const headers = new Headers()
  for (const set of sets) for (const [name, value] of Object.entries(set ?? {})) headers.set(name, value)
  return headers
}

function parseUrl(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}

function fields(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
