import {
  type Attachment,
  listResultAttachments,
  listRunAttachments,
  listTestCaseAttachments,
} from '@caseward/client/endpoints'

import { describeFailure } from '../problems.ts'
import type { FailedReply } from '../request-failed.ts'
import { parseRetryAfter } from '../retry-after.ts'
import type { FilePlace, UploadEntry } from './upload-entry.ts'

/** What became of a file that was sent. */
export type UploadOutcome =
  | { readonly kind: 'attached'; readonly attachment: Attachment }
  /** The server does not take it: the user decides. */
  | { readonly kind: 'refused'; readonly message: string; readonly isForbidden: boolean }
  /** `hasFailed`: the server failed with this file, so that others are sent first. */
  | { readonly kind: 'retry'; readonly message: string; readonly delayMs: number | null; readonly hasFailed: boolean }
  | { readonly kind: 'session-ended' }
  | { readonly kind: 'canceled' }

export type SendUpload = (
  entry: UploadEntry,
  content: Blob,
  options: { readonly onProgress: (share: number) => void; readonly signal: AbortSignal },
) => Promise<UploadOutcome>

/** A connection on which nothing moves for so long is given up. */
const STALL_MS = 60_000

/** Sends a file. Not with fetch, which does not tell how much has been sent. */
export const sendUpload: SendUpload = async (entry, content, { onProgress, signal }) => {
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  let timer = setTimeout(stop, STALL_MS)
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(stop, STALL_MS)
  }
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    restartTimer()
    onProgress(total === 0 ? 0 : loaded / total)
  })
  signal.addEventListener('abort', stop)
  const ended = new Promise<void>((resolve) => request.addEventListener('loadend', () => resolve()))
  request.open('POST', `${buildPath(entry.place)}?name=${encodeURIComponent(entry.name)}`)
  // JSON would be taken for the id of a file; the server finds the type by itself.
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.setRequestHeader('accept', 'application/json, application/problem+json')
  request.setRequestHeader('idempotency-key', entry.key)
  request.send(content)
  await ended
  clearTimeout(timer)
  signal.removeEventListener('abort', stop)
  return signal.aborted
    ? { kind: 'canceled' }
    : readOutcome(request.status, request.responseText, request.getResponseHeader('retry-after'))
}

/** The address of the list, which every page has: those of the endpoints that attach are the same. */
function buildPath(place: FilePlace): string {
  const fill = (url: string, values: Readonly<Record<string, string>>) =>
    url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  if (place.kind === 'case') {
    return fill(listTestCaseAttachments.url, { project_id: place.projectId, test_case_id: place.caseId })
  }
  const run = { run_id: place.runId }
  if (place.kind === 'run') return fill(listRunAttachments.url, run)
  return fill(listResultAttachments.url, { ...run, result_id: place.resultId })
}

function readOutcome(status: number, text: string, retryAfter: string | null): UploadOutcome {
  const body = parseJson(text)
  if (status === 201 && isRecord(body) && isRecord(body['data'])) {
    return { kind: 'attached', attachment: body['data'] as unknown as Attachment }
  }
  const headers = new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter })
  return toOutcome(toReply(status, body, headers))
}

function toReply(status: number, body: unknown, headers: Headers): FailedReply {
  if (status === 0) return { kind: 'unreachable', reason: 'network' } as FailedReply
  if (isRecord(body) && typeof body['detail'] === 'string' && typeof body['code'] === 'string') {
    return { kind: 'problem', status, problem: body, headers } as unknown as FailedReply
  }
  return { kind: 'unreadable', reason: 'not-json', status, excerpt: '', location: null, headers }
}

/** The server did not process the request: it is sent again. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])

/** Converts a reply that is not a success. */
export function toOutcome(reply: FailedReply): Exclude<UploadOutcome, { kind: 'attached' | 'canceled' }> {
  const { message } = describeFailure(reply, { noun: 'run, result or test case' })
  if (reply.kind === 'unreachable') return { kind: 'retry', message, delayMs: null, hasFailed: false }
  const delayMs = parseRetryAfter(reply.headers.get('retry-after'), Date.now())
  if (reply.kind === 'unreadable') return { kind: 'retry', message, delayMs, hasFailed: reply.status >= 500 }
  if (reply.status === 401) return { kind: 'session-ended' }
  if (TRANSIENT_STATUSES.has(reply.status)) {
    return { kind: 'retry', message, delayMs, hasFailed: reply.status === 500 }
  }
  return { kind: 'refused', message, isForbidden: reply.status === 403 }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
