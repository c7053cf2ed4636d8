import type { Endpoint, FileEndpoint } from './endpoint.ts'

/** A body that is sent unchanged, such as a JUnit file with its own encoding. */
export interface RawBody {
  /** The media type, such as `application/xml`. */
  readonly contentType: string
  readonly body: string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob
}

/** Optional fields can be undefined, which leaves them out. */
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
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Aborts the call, which then rejects with the reason of the signal, as in fetch. */
  readonly signal?: AbortSignal
}

/** The input of a call: params, query and body of the endpoint, headers and a signal. */
export type Input<E extends Endpoint> = Params<Types<E>> & Query<Types<E>> & Body<Types<E>> & CallOptions

/** The input of a download: params, query, headers and a signal. */
export type FileInput<E extends FileEndpoint> = Params<NonNullable<E['fileTypes']>> &
  Query<NonNullable<E['fileTypes']>> &
  CallOptions

export interface AnyInput extends CallOptions {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly rawBody?: RawBody
}

/**
 * Parses the address of the server. Removes a trailing slash and `/v1`, which people copy along. In a browser, `''` and
 * paths are relative to the origin of the page.
 * @throws {TypeError} when it is not an http or https URL
 */
export function parseBaseUrl(url: string): string {
  const base = url.trim().replace(/\/+$/, '').replace(/\/v1$/, '')
  const isPath = base === '' || /^\/[^/]/.test(base)
  if (isPath && 'location' in globalThis) return base
  const parsed = parseUrl(base)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`Invalid server address: "${url}". It must be a URL such as https://caseward.example.com.`)
  }
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '') {
    throw new TypeError('Invalid server address: it must not contain a user name, "?" or "#".')
  }
  return base
}

/**
 * Builds the Authorization header.
 * @throws {TypeError} when the token contains invalid characters; the message does not contain the token
 */
export function buildAuthorization(token: string | undefined): Readonly<Record<string, string>> {
  if (token === undefined) return {}
  const trimmed = token.trim()
  if (!/^[\x21-\x7e]+$/.test(trimmed)) {
    throw new TypeError(
      'Invalid token: it is empty, or contains white space or other characters that tokens do not have.',
    )
  }
  return { authorization: `Bearer ${trimmed}` }
}

/**
 * Builds the path and query of a call.
 * @throws {TypeError} when a path parameter is empty, `.` or `..`, which would call another endpoint
 */
export function buildPath(endpoint: Pick<Endpoint, 'url' | 'operationId'>, input: AnyInput): string {
  const params = toFields(input.params)
  const path = endpoint.url.replace(/:(\w+)/g, (_, name: string) => {
    const value = toText(params.get(name))
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`${endpoint.operationId}: invalid ${name} "${value}" for ${endpoint.url}`)
    }
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const [name, value] of toFields(input.query)) {
    // A list repeats its parameter.
    for (const item of [value].flat()) if (item !== undefined) query.append(name, toText(item))
  }
  const search = query.toString()
  return search === '' ? path : `${path}?${search}`
}

/** Builds the body of a call with its media type. */
export function buildBody(input: AnyInput): { headers: Readonly<Record<string, string>>; body?: RawBody['body'] } {
  if (input.rawBody !== undefined) {
    return { headers: { 'content-type': input.rawBody.contentType }, body: input.rawBody.body }
  }
  if (input.body === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input.body) }
}

/** Merges headers. Later ones replace earlier ones of the same name, case-insensitive. */
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

function toFields(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
