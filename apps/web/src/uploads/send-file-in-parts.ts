import { sendFileUpload } from '@caseward/ci-run/send-parts'

import type { FailedReply } from '../request-failed.ts'
import { isRecord, sendRequest, type SentReply } from './send-request.ts'

type Reply = SentReply | FailedReply

export interface FileToSend {
  readonly name: string
  readonly content: Blob
  /** The upload that the server has begun already; null for none. */
  readonly fileUploadId: string | null
}

interface SendOptions {
  readonly onProgress: (share: number) => void
  /** Called with the upload that the server has begun, to go on with it later. */
  readonly onBegin: (fileUploadId: string) => void
  readonly signal: AbortSignal
}

/**
 * Sends a file in parts, and goes on where an earlier attempt ended.
 * @returns the id of the file at the server, or the failure
 */
export async function sendFileInParts(
  projectId: string,
  { name, content, fileUploadId }: FileToSend,
  { onProgress, onBegin, signal }: SendOptions,
): Promise<{ readonly fileId: string } | FailedReply> {
  const url = `/v1/projects/${encodeURIComponent(projectId)}/file-uploads`
  const sent = await sendFileUpload<Reply>(
    { byteCount: content.size, id: fileUploadId },
    {
      async begin() {
        const body = JSON.stringify({ byte_count: content.size, name })
        const headers = { 'content-type': 'application/json' }
        const reply = await sendRequest({ method: 'POST', url, headers, body, signal })
        const id = getData(reply)?.['id']
        if (typeof id !== 'string') return toFailure(reply)
        onBegin(id)
        return { id }
      },
      async readReceived(id) {
        const reply = await sendRequest({ method: 'HEAD', url: `${url}/${id}`, signal })
        const received = reply.kind === 'success' ? reply.headers.get('upload-received') : null
        return received === null ? toFailure(reply) : Number(received)
      },
      sendPart: (id, { start, end, range }) =>
        sendRequest({
          method: 'PUT',
          url: `${url}/${id}`,
          headers: { 'content-type': 'application/octet-stream', 'content-range': range ?? '' },
          body: content.slice(start, end),
          onProgress: (bytes) => onProgress(Math.min(1, (start + bytes) / content.size)),
          signal,
        }),
    },
  )
  const fileId = getData(sent)?.['file_id']
  return typeof fileId === 'string' ? { fileId } : toFailure(sent)
}

/** The `data` of a success. */
export function getData(reply: Reply): Readonly<Record<string, unknown>> | null {
  const body = reply.kind === 'success' ? reply.body : null
  return isRecord(body) && isRecord(body['data']) ? body['data'] : null
}

/** A success that is not what the API says is that of another service. */
export const toFailure = (reply: Reply): FailedReply =>
  reply.kind === 'success'
    ? {
        kind: 'unreadable',
        reason: 'unexpected-shape',
        status: reply.status,
        excerpt: '',
        location: null,
        headers: reply.headers,
      }
    : reply
