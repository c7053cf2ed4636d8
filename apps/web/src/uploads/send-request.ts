import type { FailedReply } from '../request-failed.ts'

/** A success, with the body if it is JSON. */
export interface SentReply {
  readonly kind: 'success'
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

export interface FileRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Blob | string
  /** Called with the number of bytes that were sent. */
  readonly onProgress?: (bytes: number) => void
  readonly signal: AbortSignal
}

/** A connection on which nothing moves for so long is given up. */
const STALL_MS = 60_000

/** Sends a request. Not with fetch, which does not tell how much has been sent. An aborted one is unreachable. */
export async function sendRequest(input: FileRequest): Promise<SentReply | FailedReply> {
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  let timer = setTimeout(stop, STALL_MS)
  request.upload.addEventListener('progress', ({ loaded }) => {
    clearTimeout(timer)
    timer = setTimeout(stop, STALL_MS)
    input.onProgress?.(loaded)
  })
  input.signal.addEventListener('abort', stop)
  const ended = new Promise<void>((resolve) => request.addEventListener('loadend', () => resolve()))
  request.open(input.method, input.url)
  request.setRequestHeader('accept', 'application/json, application/problem+json')
  for (const [name, value] of Object.entries(input.headers ?? {})) request.setRequestHeader(name, value)
  if (input.signal.aborted) stop()
  else request.send(input.body ?? null)
  if (!input.signal.aborted) await ended
  clearTimeout(timer)
  input.signal.removeEventListener('abort', stop)
  return toReply(request)
}

function toReply(request: XMLHttpRequest): SentReply | FailedReply {
  const { status } = request
  if (status === 0) return { kind: 'unreachable', reason: 'network' } as FailedReply
  const headers = new Headers()
  for (const name of ['retry-after', 'upload-received']) {
    const value = request.getResponseHeader(name)
    if (value !== null) headers.set(name, value)
  }
  const body = parseJson(request.responseText)
  if (status < 300) return { kind: 'success', status, body, headers }
  if (isRecord(body) && typeof body['detail'] === 'string' && typeof body['code'] === 'string') {
    return { kind: 'problem', status, problem: body, headers } as unknown as FailedReply
  }
  return { kind: 'unreadable', reason: 'not-json', status, excerpt: '', location: null, headers }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
