import type { Endpoint, EventStreamEndpoint, FileEndpoint } from './endpoint.ts'
import { toUnreachable } from './failure.ts'
import { type AnyReply, type FileReply, readFileReply, readReply, type Reply } from './reply.ts'
import {
  type AnyInput,
  buildAuthorization,
  buildBody,
  buildPath,
  type FileInput,
  type Input,
  mergeHeaders,
  parseBaseUrl,
} from './request.ts'
import { createKey, IDEMPOTENCY_KEY } from './idempotency-key.ts'
import { canRetry, defaultPolicy, isIdempotent, getRetryDelayMs, type RetryPolicy } from './retry.ts'

export type { Endpoint, EndpointTypes, EventStreamEndpoint, FileEndpoint } from './endpoint.ts'
export type { Problem } from './endpoints.generated.ts'
export type { Unreachable } from './failure.ts'
export type { ProxyFailure } from './proxy-error.ts'
export type { FileReply, ProblemReply, Reply, Success, Unreadable } from './reply.ts'
export type { FileInput, Input, RawBody } from './request.ts'
export type { RetryPolicy } from './retry.ts'

/** An announced retry, for progress output. */
export interface Retry {
  /** The number of the attempt that failed, from 1. */
  readonly attempt: number
  /** The maximum number of attempts. */
  readonly attempts: number
  readonly delayMs: number
  /** The reply to the failed attempt. */
  readonly reply: Exclude<AnyReply, { kind: 'success' }>
}

export interface ClientOptions {
  /** The address of the server, such as `https://caseward.example.com`; `''` in a page that the server itself serves. */
  readonly url: string
  /** A personal token or a CI token. Leave it out in a browser, where the session cookie is used instead. */
  readonly token?: string | undefined
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** A replacement for fetch, such as that of `@caseward/client/proxy`, which uses the proxy of `HTTPS_PROXY`. */
  readonly fetch?: typeof globalThis.fetch
  /** By default, up to four retries, the first one after half a second; `{ limit: 0 }` for none. */
  readonly retries?: Partial<RetryPolicy>
  /** The timeout of one attempt in milliseconds; by default 120,000, enough for 10 MB over a slow connection. */
  readonly timeoutMs?: number
  /** Called before each retry. */
  readonly onRetry?: (retry: Retry) => void
}

export interface Client {
  /**
   * Calls an endpoint of `@caseward/client/endpoints`, and retries if that is safe and may succeed.
   * @returns the reply; see {@link Reply}. Network failures are replies, not exceptions.
   * @throws {TypeError} when a path parameter is empty, `.` or `..`
   * @throws the reason of the signal when it is aborted
   */
  call<const E extends Endpoint>(
    endpoint: E,
    ...input: object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]
  ): Promise<Reply<E>>
  /**
   * Returns the URL of an event stream, for `EventSource`.
   * @throws {TypeError} when a path parameter is empty, `.` or `..`
   */
  getUrl<const E extends EventStreamEndpoint>(
    endpoint: E,
    input: { readonly params: NonNullable<E['streamTypes']>['params'] },
  ): string
  /**
   * Requests the content of a file. It is not retried, and `timeoutMs` is the time until the response begins: the body of
   * a success is still to be read.
   * @throws {TypeError} when a path parameter is empty, `.` or `..`
   * @throws the reason of the signal when it is aborted
   */
  download<const E extends FileEndpoint>(endpoint: E, input: FileInput<E>): Promise<FileReply>
}

/**
 * Creates a client for a server and a token. Nothing is sent yet.
 * @throws {TypeError} when `url` is not an http or https URL, or `token` contains invalid characters
 * @example
 * const client = createClient({ url: 'https://caseward.example.com', token })
 * const reply = await client.call(getProject, { params: { project_id } })
 * if (reply.kind === 'success') console.log(reply.data.data.name)
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = parseBaseUrl(options.url)
  const accept = { accept: 'application/json, application/problem+json' }
  const authorization = buildAuthorization(options.token)
  const policy = { ...defaultPolicy, ...options.retries }
  const { fetch: send = globalThis.fetch, timeoutMs = 120_000, onRetry } = options

  async function attempt(endpoint: Endpoint, url: string, init: RequestInit, signal?: AbortSignal): Promise<AnyReply> {
    const timeout = startTimeout(timeoutMs, signal)
    try {
      const reply = await readReply(endpoint, await send(url, { ...init, signal: timeout.signal }))
      const isTruncated = reply.kind === 'unreadable' && reply.reason === 'truncated'
      if (isTruncated) signal?.throwIfAborted()
      return isTruncated && timeout.hasTimedOut() ? toUnreachable(timeout.signal.reason, true, url) : reply
    } catch (error) {
      signal?.throwIfAborted()
      return toUnreachable(error, timeout.hasTimedOut(), url)
    } finally {
      timeout.stop()
    }
  }

  async function call(endpoint: Endpoint, input: AnyInput = {}): Promise<AnyReply> {
    const url = baseUrl + buildPath(endpoint, input)
    const { headers, ...body } = buildBody(input)
    const needsKey = policy.limit > 0 && endpoint.acceptsKey === true && !isIdempotent(endpoint, input.body)
    const key = needsKey ? { [IDEMPOTENCY_KEY]: createKey() } : {}
    const init = {
      method: endpoint.method,
      headers: mergeHeaders(accept, headers, authorization, key, options.headers, input.headers),
      // Following a redirect would turn a POST into a GET.
      redirect: 'manual',
      ...body,
    } as const
    const request = { body: input.body, hasKey: endpoint.acceptsKey === true && init.headers.has(IDEMPOTENCY_KEY) }
    for (let attempts = 1; ; attempts += 1) {
      const reply = await attempt(endpoint, url, init, input.signal)
      if (reply.kind === 'success' || attempts > policy.limit || !canRetry(endpoint, reply, request)) return reply
      const delayMs = getRetryDelayMs(reply, attempts, policy)
      if (delayMs === null) return reply
      onRetry?.({ attempt: attempts, attempts: policy.limit + 1, delayMs, reply })
      await sleep(delayMs, input.signal)
    }
  }

  async function download(endpoint: FileEndpoint, input: AnyInput): Promise<FileReply> {
    const url = baseUrl + buildPath(endpoint, input)
    const headers = mergeHeaders({ accept: '*/*' }, authorization, options.headers, input.headers)
    const timeout = startTimeout(timeoutMs, input.signal)
    try {
      const response = await send(url, { method: endpoint.method, headers, redirect: 'manual', signal: timeout.signal })
      return await readFileReply(endpoint, response)
    } catch (error) {
      input.signal?.throwIfAborted()
      return toUnreachable(error, timeout.hasTimedOut(), url)
    } finally {
      timeout.stop()
    }
  }

  // `call` has the types of the endpoint because readReply has checked the response against it.
  return { call, download, getUrl: (endpoint, input) => baseUrl + buildPath(endpoint, input) }
}

/** Aborts an attempt after `timeoutMs` or with the caller's signal. Node.js 18 does not have AbortSignal.any. */
function startTimeout(timeoutMs: number, signal: AbortSignal | undefined) {
  const controller = new AbortController()
  let hasTimedOut = false
  const timer = setTimeout(() => {
    hasTimedOut = true
    controller.abort(new DOMException(`No response within ${timeoutMs} ms`, 'TimeoutError'))
  }, timeoutMs)
  const onAbort = () => controller.abort(signal?.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    hasTimedOut: () => hasTimedOut,
    stop: () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}
