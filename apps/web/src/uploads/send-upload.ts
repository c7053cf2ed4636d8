import { isRefusedByProxy, PART_BYTES, REFUSED_BY_PROXY } from '@caseward/ci-run/send-parts'
import {
  type Attachment,
  listResultAttachments,
  listRunAttachments,
  listTestCaseAttachments,
} from '@caseward/client/endpoints'

import { describeFailure } from '../problems.ts'
import type { FailedReply } from '../request-failed.ts'
import { parseRetryAfter } from '../retry-after.ts'
import { getData, sendFileInParts, toFailure } from './send-file-in-parts.ts'
import { sendRequest, type SentReply } from './send-request.ts'
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
  options: {
    readonly onProgress: (share: number) => void
    /** Called with the upload in parts that the server has begun, to go on with it later. */
    readonly onBegin: (fileUploadId: string) => void
    readonly signal: AbortSignal
  },
) => Promise<UploadOutcome>

type Reply = SentReply | FailedReply
const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends a file: a large one in parts, and goes on where an earlier attempt ended. */
export const sendUpload: SendUpload = async (entry, content, options) => {
  const { signal, onProgress } = options
  let isInParts = content.size > PART_BYTES || entry.fileUploadId !== null
  let reply: Reply = { kind: 'unreachable', reason: 'network' } as FailedReply
  if (!isInParts) {
    reply = await sendRequest({
      ...attach(entry),
      // JSON would be taken for the id of a file; the server finds the type by itself.
      headers: { 'content-type': 'application/octet-stream', 'idempotency-key': entry.key },
      body: content,
      onProgress: (bytes) => onProgress(content.size === 0 ? 0 : Math.min(1, bytes / content.size)),
      signal,
    })
    // Parts may be small enough.
    isInParts = isRefusedByProxy(reply)
  }
  if (isInParts) reply = await sendAndAttach(entry, content, options)
  if (signal.aborted) return { kind: 'canceled' }
  const attachment = getData(reply)
  return reply.kind === 'success' && attachment !== null
    ? { kind: 'attached', attachment: attachment as unknown as Attachment }
    : toOutcome(toFailure(reply))
}

async function sendAndAttach(entry: UploadEntry, content: Blob, options: Parameters<SendUpload>[2]): Promise<Reply> {
  const { place, name, fileUploadId } = entry
  const sent = await sendFileInParts(place.projectId, { name, content, fileUploadId }, options)
  if (!('fileId' in sent)) return sent
  return await sendRequest({
    ...attach(entry),
    headers: { ...JSON_TYPE, 'idempotency-key': entry.key },
    body: JSON.stringify({ file_id: sent.fileId, name }),
    signal: options.signal,
  })
}

const attach = ({ place, name }: UploadEntry) =>
  ({ method: 'POST', url: `${buildPath(place)}?name=${encodeURIComponent(name)}${buildPart(place)}` }) as const

const buildPart = (place: FilePlace) =>
  place.kind === 'result' && place.combination !== undefined ? `&place=${place.combination}` : ''

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

/** The server did not process the request: it is sent again. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])

/** Converts a reply that is not a success. */
export function toOutcome(reply: FailedReply): Exclude<UploadOutcome, { kind: 'attached' | 'canceled' }> {
  const { message } = describeFailure(reply, { noun: 'run, result or test case' })
  if (reply.kind === 'unreachable') return { kind: 'retry', message, delayMs: null, hasFailed: false }
  if (isRefusedByProxy(reply)) {
    return { kind: 'refused', message: `It was not sent: ${REFUSED_BY_PROXY}.`, isForbidden: false }
  }
  const delayMs = parseRetryAfter(reply.headers.get('retry-after'), Date.now())
  // The response to HEAD has no body.
  if (reply.status === 401) return { kind: 'session-ended' }
  if (reply.kind === 'unreadable') return { kind: 'retry', message, delayMs, hasFailed: reply.status >= 500 }
  if (TRANSIENT_STATUSES.has(reply.status)) {
    return { kind: 'retry', message, delayMs, hasFailed: reply.status === 500 }
  }
  return { kind: 'refused', message, isForbidden: reply.status === 403 }
}
