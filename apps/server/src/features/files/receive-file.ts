import type { Readable } from 'node:stream'

import { MAX_FILE_BYTES } from '@caseward/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { v7 as createId } from 'uuid'

import { getLoadOwnerId } from '../../access/principal.ts'
import { requirePrincipal, requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { createFairSlots, type FairSlots } from '../../platform/fair-slots.ts'
import { type FileStore, LOCATION, type Location, toFileName } from '../../platform/files/file-store.ts'
import type { App } from '../../platform/http/app.ts'
import { incompleteBodyProblem } from '../../platform/http/collect-body.ts'
import {
  fileTooLargeProblem,
  fileTooSlowProblem,
  filesBusyProblem,
  toFileProblem,
  unsupportedFileBodyProblem,
} from './file-problems.ts'
import { deleteFileWrite, insertFileWrite, type StoredContent } from './files.queries.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    receivesFile?: boolean
  }
  interface FastifyRequest {
    /** A body that is a file and has not been read. */
    fileBody: Readable | null
    /** The content that was received; null for a JSON body. */
    receivedFile: ReceivedFile | null
  }
}

/** A content that was received, and is in the store. */
export interface ReceivedFile extends StoredContent {
  /** The first 64 KB. */
  head: Buffer
  /** Whether a file was stored for it. Otherwise, it is removed after the response. */
  isKept: boolean
}

const MAX_BODIES = 64
/** With S3, each takes up to 32 MB of memory: parts are collected before they are sent. */
const MAX_S3_BODIES = 12
const MAX_BODIES_PER_OWNER = 8
const MAX_WAIT_MS = 5000
const RATE_CHECK_MS = 10_000
const MIN_BYTES_PER_CHECK = 10_240

type ReceiveDeps = Pick<Deps, 'db' | 'fileStore'>

/** Lets the routes of a scope receive files: any body but JSON, which is parsed as elsewhere. */
export function receiveFiles(app: App, deps: ReceiveDeps): (request: FastifyRequest) => Promise<void> {
  const limits = { maxPerOwner: MAX_BODIES_PER_OWNER, maxWaitMs: MAX_WAIT_MS, createTimeoutError: filesBusyProblem }
  const slots = {
    [LOCATION.directory]: createFairSlots({ count: MAX_BODIES, ...limits }),
    [LOCATION.s3]: createFairSlots({ count: MAX_S3_BODIES, ...limits }),
  }
  app.decorateRequest('fileBody', null)
  app.decorateRequest('receivedFile', null)
  app.addContentTypeParser('*', (request, payload, done) => {
    if (/^multipart\//i.test(request.headers['content-type'] ?? '')) {
      done(unsupportedFileBodyProblem())
      return
    }
    // Read when everything else has been checked.
    request.fileBody = payload
    done(null, {})
  })
  app.addHook('onResponse', async ({ receivedFile, log }) => {
    if (receivedFile === null || receivedFile.isKept) return
    await discardContent(deps, receivedFile).catch((error: unknown) => {
      log.warn({ err: error }, 'could not remove a content that is not needed: a job will')
    })
  })
  return (request) => receiveFile(request, deps, slots)
}

/**
 * Writes the body of a request into the store, if it is a file. For `preHandler`, when all that can be known before the body
 * has been checked: no transaction waits for a network.
 * @throws {Problem} 413 above the limit; 503 when too many files are being received, or the store is unavailable; 507 when
 *   there is no space
 */
async function receiveFile(
  request: FastifyRequest,
  deps: ReceiveDeps,
  slots: Record<Location, FairSlots>,
): Promise<void> {
  const { fileBody } = request
  if (fileBody === null) return
  if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES) throw fileTooLargeProblem()
  let release = () => {}
  try {
    const store = await deps.fileStore.getForWriting()
    release = await slots[store.location].take(getLoadOwnerId(requirePrincipal(request)))
    request.receivedFile = await writeContent(deps, store, requireProject(request).id, fileBody)
    request.bodyDigest = request.receivedFile.digest
  } catch (error) {
    throw toFileProblem(error)
  } finally {
    release()
  }
}

async function writeContent(
  { db }: ReceiveDeps,
  store: FileStore,
  projectId: string,
  body: Readable,
): Promise<ReceivedFile> {
  await store.check()
  const id = createId()
  const name = toFileName(projectId, id)
  const { location } = store
  await insertFileWrite(db, name, location)
  try {
    const { byteCount, digest, head } = await store.write(name, readBody(body), MAX_FILE_BYTES)
    return { id, name, location, byteCount, digest, head, isKept: false }
  } catch (error) {
    await deleteFileWrite(db, name).catch(() => {}) // the first error says what is wrong; a job repeats this
    throw error
  }
}

/** Reads a body, and ends one that hardly arrives. The request stays open, so that the client receives the response. */
async function* readBody(body: Readable): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let bytesBefore = 0
  let isSlow = false
  const timer = setInterval(() => {
    isSlow = bytes - bytesBefore < MIN_BYTES_PER_CHECK
    bytesBefore = bytes
    if (isSlow) body.destroy()
  }, RATE_CHECK_MS)
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      bytes += (chunk as Uint8Array).length
      yield chunk as Uint8Array
    }
  } catch (error) {
    throw isSlow ? fileTooSlowProblem() : toBodyError(error)
  } finally {
    clearInterval(timer)
  }
}

/** An error of the connection, not one of the store. */
const toBodyError = (error: unknown): unknown =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? incompleteBodyProblem()
    : error

/** Removes a content for which no file was stored. */
async function discardContent({ db, fileStore }: ReceiveDeps, { name }: StoredContent): Promise<void> {
  await (await fileStore.get()).remove([name])
  await deleteFileWrite(db, name)
}
