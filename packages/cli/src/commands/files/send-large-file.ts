import { createHash } from 'node:crypto'
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Client, Endpoint, Success } from '@caseward/client'
import { createFileUpload, getFileUploadProgress, sendFilePart, type SendFilePart } from '@caseward/client/endpoints'
import { type ContentPart, type FailedReply, PART_BYTES, sendFileUpload } from '@caseward/ci-run/send-parts'

/** A file that is sent in parts. */
export interface LargeFile {
  readonly path: string
  readonly name: string
  readonly byteCount: number
  readonly modifiedMs: number
}

interface Target {
  readonly client: Client
  readonly serverUrl: string
  readonly projectId: string
  /** Where uploads that have begun are remembered. */
  readonly directory: string
  readonly onProgress: (bytes: number) => void
}

const { types: _types, ...endpoint } = sendFilePart
/** The body is the content, which has no schema. */
const sendBytes: Endpoint<SendFilePart & { body: object }> = endpoint

/** Statuses of a server that restarts, or is busy. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])
const PAUSE_MS = 2000

/**
 * Sends a file in parts, and goes on where an earlier command with the same file has stopped. After a failure that may pass, it
 * goes on as long as parts have arrived since the one before.
 * @returns the id of the file, to attach it, or the failure
 * @throws when the file cannot be read
 */
export async function sendLargeFile(file: LargeFile, target: Target): Promise<{ fileId: string } | FailedReply> {
  const { client, projectId, onProgress } = target
  const memory = join(target.directory, `${hashFile(file, target)}.txt`)
  let id = await readId(memory)
  const handle = await open(file.path)
  // One for all parts: what a garbage collector leaves for later would be many times as much.
  const buffer = new Uint8Array(Math.min(PART_BYTES, file.byteCount))
  let sentBytes = 0
  try {
    for (;;) {
      const sentBefore = sentBytes
      const reply = await sendFileUpload(
        { byteCount: file.byteCount, id },
        {
          async begin() {
            const body = { byte_count: file.byteCount, name: file.name }
            const begun = await client.call(createFileUpload, { params: { project_id: projectId }, body })
            if (begun.kind !== 'success') return begun
            id = begun.data.data.id
            await saveId(memory, id)
            return { id }
          },
          async readReceived(uploadId) {
            const params = { project_id: projectId, file_upload_id: uploadId }
            const progress = await client.call(getFileUploadProgress, { params })
            return progress.kind === 'success' ? Number(progress.headers.get('upload-received')) : progress
          },
          async sendPart(uploadId, { start, end, range }: ContentPart) {
            onProgress(start)
            const { bytesRead } = await handle.read(buffer, 0, end - start, start)
            if (bytesRead < end - start) throw new Error('the file has changed while it was sent')
            const part = await client.call(sendBytes, {
              params: { project_id: projectId, file_upload_id: uploadId },
              rawBody: { contentType: 'application/octet-stream', body: buffer.subarray(0, bytesRead) },
              headers: range === null ? {} : { 'content-range': range },
            })
            if (part.kind === 'success') sentBytes += end - start
            return part
          },
        },
      )
      if (reply.kind === 'success') return await finish(reply, memory)
      const mayPass = reply.kind === 'unreachable' || TRANSIENT_STATUSES.has(reply.status)
      if (!mayPass || sentBytes === sentBefore) return reply
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  } finally {
    await handle.close()
  }
}

async function finish(
  reply: Success<200 | 201 | 202, { data: { file_id: string | null } }>,
  memory: string,
): Promise<{ fileId: string }> {
  const { file_id: fileId } = reply.data.data
  if (fileId === null) throw new Error('the server has all parts, and says that parts are missing')
  await rm(memory, { force: true })
  return { fileId }
}

/** The same file, as far as can be told without reading it, for the same project. */
const hashFile = ({ path, name, byteCount, modifiedMs }: LargeFile, { serverUrl, projectId }: Target): string =>
  createHash('sha256')
    .update(JSON.stringify([serverUrl, projectId, path, name, byteCount, modifiedMs]))
    .digest('hex')
    .slice(0, 32)

async function readId(memory: string): Promise<string | null> {
  const text = await readFile(memory, 'utf8').catch(() => '')
  return /^[0-9a-f-]{36}$/i.test(text.trim()) ? text.trim() : null
}

/** Without it, a command that is ended begins again; the file is sent nevertheless. */
async function saveId(memory: string, id: string): Promise<void> {
  try {
    await mkdir(dirname(memory), { recursive: true })
    await writeFile(memory, id)
  } catch {
    // A directory that cannot be written, such as that of a read-only checkout.
  }
}
