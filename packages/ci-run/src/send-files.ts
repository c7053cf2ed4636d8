import type { Client, Endpoint } from '@caseward/client'
import { listMissingFiles, sendDeclaredFile, type SendDeclaredFile } from '@caseward/client/endpoints'

import { type FailedReply, isRefusedByProxy, REFUSED_BY_PROXY, sendInParts } from './send-parts.ts'

/** A content, by its SHA-256 in hexadecimal. */
export interface FileContent {
  readonly sha256: string
  readonly byteCount: number
}

/** A content that this machine has. */
export interface FileToSend extends FileContent {
  /** How messages call it. */
  readonly name: string
  /** @throws when the file cannot be read */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

export type { FailedReply } from './send-parts.ts'

export interface SentFiles {
  readonly sent: readonly FileToSend[]
  /** Those that will not be sent again, and why. */
  readonly givenUp: readonly { readonly file: FileToSend; readonly reason: string }[]
  /** Those that may be sent later. */
  readonly unsent: readonly FileToSend[]
  /** What kept them from being sent; null if the time was over. */
  readonly failure: FailedReply | null
}

const { types: _types, ...endpoint } = sendDeclaredFile
/** The body is the content, which has no schema. */
const sendBytes: Endpoint<SendDeclaredFile & { body: object }> = endpoint

/** Files that are sent at the same time. */
const CONCURRENCY = 4

/** Statuses after which the same file would be refused again. */
const permanentStatuses = new Set([400, 404, 409, 410, 413, 415, 422, 507])

type FileOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'given-up'; readonly reason: string }
  | { readonly kind: 'unsent'; readonly failure: FailedReply | null }

/**
 * Sends contents that a run waits for, the smallest first: pictures arrive before videos. The client's retries are those of
 * each request. Never throws because of the network or the server.
 * @param signal ends the sending; what was not sent by then is returned
 */
export async function sendFiles(
  client: Client,
  runId: string,
  files: readonly FileToSend[],
  signal: AbortSignal,
): Promise<SentFiles> {
  const queue = [...files]
  queue.sort((a, b) => a.byteCount - b.byteCount)
  const sent: FileToSend[] = []
  const givenUp: { file: FileToSend; reason: string }[] = []
  const unsent: FileToSend[] = []
  let failure: FailedReply | null = null
  const work = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      // After all its retries, the others would fail in the same way.
      const shouldStop = failure !== null || signal.aborted
      const outcome = shouldStop ? OUT_OF_TIME : await sendFile(client, runId, file, signal)
      if (outcome.kind === 'sent') sent.push(file)
      else if (outcome.kind === 'given-up') givenUp.push({ file, reason: outcome.reason })
      else {
        unsent.push(file)
        failure ??= outcome.failure
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return { sent, givenUp, unsent, failure }
}

const OUT_OF_TIME: FileOutcome = { kind: 'unsent', failure: null }

async function sendFile(client: Client, runId: string, file: FileToSend, signal: AbortSignal): Promise<FileOutcome> {
  try {
    const reply = await sendInParts({ byteCount: file.byteCount }, async ({ start, end, range }) => {
      const body = await readPart(file, start, end)
      if (typeof body === 'string') return { kind: 'unread', reason: body } as const
      return await client.call(sendBytes, {
        params: { run_id: runId, sha256: file.sha256 },
        rawBody: { contentType: 'application/octet-stream', body },
        headers: range === null ? {} : { 'content-range': range },
        signal,
      })
    })
    if (reply.kind === 'success') return { kind: 'sent' }
    if (reply.kind === 'unread') return { kind: 'given-up', reason: reply.reason }
    return permanentStatuses.has(getStatus(reply))
      ? { kind: 'given-up', reason: describeRefusal(reply) }
      : { kind: 'unsent', failure: reply }
  } catch (error) {
    if (signal.aborted) return OUT_OF_TIME
    throw error
  }
}

/** Returns the bytes, or why they cannot be read. */
async function readPart(file: FileToSend, start: number, end: number): Promise<Uint8Array<ArrayBuffer> | string> {
  try {
    const bytes = await file.read(start, end)
    return bytes.length === end - start ? bytes : 'the file has changed since the test'
  } catch (error) {
    return `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

const getStatus = (reply: FailedReply): number => (reply.kind === 'unreachable' ? 0 : reply.status)

function describeRefusal(reply: FailedReply): string {
  if (reply.kind === 'problem') return reply.problem.detail
  return isRefusedByProxy(reply) ? REFUSED_BY_PROXY : 'the response is not from a Caseward server'
}

/**
 * Lists the contents that a run waits for.
 * @returns the failed reply if they cannot be read
 */
export async function readMissingFiles(
  client: Client,
  runId: string,
  signal: AbortSignal,
): Promise<FileContent[] | FailedReply> {
  const files: FileContent[] = []
  for (let after: string | null = ''; after !== null;) {
    const query: { after?: string } = after === '' ? {} : { after }
    const reply = await client.call(listMissingFiles, { params: { run_id: runId }, query, signal })
    if (reply.kind !== 'success') return reply
    for (const { sha256, byte_count: byteCount } of reply.data.data) files.push({ sha256, byteCount })
    after = reply.data.meta.next_after
  }
  return files
}
