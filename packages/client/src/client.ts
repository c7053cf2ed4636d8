import type { Endpoint } from './endpoint.ts'
import { describeFailure } from './failure.ts'
import { readReply, type AnyReply, type Reply } from './reply.ts'
import { authorization, baseUrl, mergeHeaders, buildBody, buildPath, type AnyInput, type Input } from './request.ts'
import { defaultPolicy, canRetry, getRetryDelayMs, type RetryPolicy } from './retry.ts'

export type { Endpoint, EndpointTypes } from './endpoint.ts'
export type { Problem } from './endpoints.generated.ts'
export type { Unreachable } from './failure.ts'
export type { ProblemReply, Reply, Success, Unreadable } from './reply.ts'
export type { Input, RawBody } from './request.ts'
export type { RetryPolicy } from './retry.ts'

/** A pause before another attempt, for whoever shows what is going on. */
export interface Retry {
  /** Which attempt failed, from 1. */
  readonly attempt: number
  /** How many there are in all. */
  readonly attempts: number
  readonly delayMs: number
  /** What it ended in. */
  readonly reply: Exclude<AnyReply, { kind: 'success' }>
}

export interface ClientOptions {
  /** Where the server is, such as `https://caseward.example.com`; `''` in a page that the server itself served. */
  readonly url: string
  /** A personal or a CI token; left out in a browser, where the session's cookie counts. */
  readonly token?: string | undefined
  /** Headers of every call. */
  readonly headers?: Readonly<Record<string, string>>
  /** Another fetch, such as one that goes through a proxy. */
  readonly fetch?: typeof globalThis.fetch
  /** By default up to four more attempts, from half a second apart; `{ limit: 0 }` for none. */
  readonly retries?: Partial<RetryPolicy>
  /** How long one attempt may take, in milliseconds; 120,000 by default: 10 MB on a slow line. */
  readonly timeoutMs?: number
  /** Called before each pause. */
  readonly onRetry?: (retry: Retry) => void
}

export interface Client {
  /**
   * Calls one endpoint of `@caseward/client/endpoints`, trying again where that is safe and may help.
   * @returns what came of it; see {@link Reply}. Network failures are replies, not exceptions.
   * @throws TypeError when a path parameter is empty, `.` or `..`; the signal's reason when that is aborted
   */
  call<const E extends Endpoint>(
    endpoint: E,
    ...input: object extends Input<E> ? [input?: Input<E>] : [input: Input<E>]
  ): Promise<Reply<E>>
}

/**
 * Makes a client for one server and one caller. Nothing is sent yet.
 * @throws TypeError when `url` is no http(s) address or `token` cannot be one
 * @example
 * const client = createClient({ url: 'https://caseward.example.com', token })
 * const reply = await client.call(getProject, { params: { project_id } })
 * if (reply.kind === 'success') console.log(reply.data.data.name)
 */
export function createClient(options: ClientOptions): Client {
  const base = baseUrl(options.url)
  const accept = { accept: 'application/json, application/problem+json' }
  const caller = authorization(options.token)
  const policy = { ...defaultPolicy, ...options.retries }
  const timeoutMs = options.timeoutMs ?? 120_000

  const send = options.fetch ?? globalThis.fetch

  async function attempt(endpoint: Endpoint, url: string, init: RequestInit, outer?: AbortSignal): Promise<AnyReply> {
    const clock = startTimeout(timeoutMs, outer)
    try {
      const reply = await readReply(endpoint, await send(url, { ...init, signal: clock.signal }))
      const wasCut = reply.kind === 'unreadable' && reply.reason === 'truncated'
      if (wasCut) outer?.throwIfAborted()
      return wasCut && clock.hasTimedOut() ? describeFailure(clock.signal.reason, true) : reply
    } catch (error) {
      outer?.throwIfAborted()
      return describeFailure(error, clock.hasTimedOut())
    } finally {
      clock.stop()
    }
  }

  async function call(endpoint: Endpoint, input: AnyInput = {}): Promise<AnyReply> {
    const url = base + buildPath(endpoint, input)
    const { headers, ...body } = buildBody(input)
    const init = {
      method: endpoint.method,
      headers: mergeHeaders(accept, headers, caller, options.headers, input.headers),
      // A followed redirect would turn a POST into a GET.
      redirect: 'manual',
      ...body,
    } as const
    for (let made = 1; ; made += 1) {
      const reply = await attempt(endpoint, url, init, input.signal)
      if (reply.kind === 'success' || made > policy.limit || !canRetry(endpoint, reply, input.body)) return reply
      const delayMs = getRetryDelayMs(reply, made, policy)
      if (delayMs === null) return reply
      options.onRetry?.({ attempt: made, attempts: policy.limit + 1, delayMs, reply })
      await sleep(delayMs, input.signal)
    }
  }

  // Here the endpoint's types are vouched for: readReply looked at the shape, by endpoint and status.
  return { call }
}

/** Ends an attempt after `timeoutMs` or with the caller's signal (AbortSignal.any is missing in Node 18). */
function startTimeout(timeoutMs: number, outer: AbortSignal | undefined) {
  const controller = new AbortController()
  let ranOut = false
  const timer = setTimeout(() => {
    ranOut = true
    controller.abort(new DOMException(`No answer within ${timeoutMs} ms`, 'TimeoutError'))
  }, timeoutMs)
  const onAbort = () => controller.abort(outer?.reason)
  if (outer?.aborted) onAbort()
  outer?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    hasTimedOut: () => ranOut,
    stop: () => {
      clearTimeout(timer)
      outer?.removeEventListener('abort', onAbort)
    },
  }
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    if (signal?.aborted) return reject(signal.reason)
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
