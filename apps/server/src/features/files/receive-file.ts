import type { Readable } from 'node:stream'

import { MAX_FILE_BYTES } from '@caseward/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { v7 as createId } from 'uuid'

import { getLoadOwnerId } from '../../access/principal.ts'
import { requirePrincipal, requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type FileStore, toFileName } from '../../platform/files/file-store.ts'
import type { App } from '../../platform/http/app.ts'
import { requireFileSize, toFileProblem, unsupportedFileBodyProblem, usePartsProblem } from './file-problems.ts'
import { requireKnownQuota } from './file-quota.ts'
import { readFileBody } from './read-file-body.ts'
import { deleteFileWrite, hasFileWrite, insertFileWrite, type StoredContent } from './files.queries.ts'

declare module 'fastify' {
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

type ReceiveDeps = Pick<Deps, 'db' | 'fileStore' | 'fileBodies' | 'fileLimitBytes'>

/** Lets the routes of a scope receive files: any body but JSON, which is parsed as elsewhere. */
export function receiveFiles(
  app: App,
  deps: ReceiveDeps,
  { acceptsForms = false } = {},
): (request: FastifyRequest) => Promise<void> {
  app.decorateRequest('fileBody', null)
  app.decorateRequest('receivedFile', null)
  app.addContentTypeParser('*', (request, payload, done) => {
    if (!acceptsForms && /^multipart\//i.test(request.headers['content-type'] ?? '')) {
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
  return (request) => receiveFile(request, deps)
}

/** Lets the routes of a scope receive files: any body, with any media type. They call {@link receiveFile} or receive parts. */
export function receiveAnyFile(app: App, deps: ReceiveDeps): void {
  app.removeAllContentTypeParsers()
  receiveFiles(app, deps, { acceptsForms: true })
}

/**
 * Writes the body of a request into the store, if it is a file. For `preHandler`, when all that can be known before the body
 * has been checked: no transaction waits for a network.
 * @throws {Problem} 413 above the limit; 503 when too many files are being received, or the store is unavailable; 507 when
 *   there is no space
 */
export async function receiveFile(request: FastifyRequest, deps: ReceiveDeps): Promise<void> {
  const { fileBody } = request
  if (fileBody === null) return
  const byteCount = Number(request.headers['content-length'] ?? 0)
  requireFileSize(byteCount, deps.fileLimitBytes)
  if (byteCount > MAX_FILE_BYTES) throw usePartsProblem()
  let release = () => {}
  try {
    const store = await deps.fileStore.getForWriting()
    release = await deps.fileBodies.take(store.location, getLoadOwnerId(requirePrincipal(request)))
    request.receivedFile = await writeContent(deps, store, requireProject(request).id, fileBody, { byteCount })
    request.bodyDigest = request.receivedFile.digest
  } catch (error) {
    throw toFileProblem(error)
  } finally {
    release()
  }
}

/**
 * Writes a content into the store. It stays there once a file of it is stored, and is discarded otherwise.
 * @param options.byteCount that must fit into the quota; undefined when that was checked
 * @param options.limitBytes that of one request without it
 * @throws {Problem} 422
 */
export async function writeContent(
  { db, fileLimitBytes }: Pick<Deps, 'db' | 'fileLimitBytes'>,
  store: FileStore,
  projectId: string,
  body: Readable,
  {
    byteCount,
    limitBytes = Math.min(MAX_FILE_BYTES, fileLimitBytes),
  }: { byteCount?: number; limitBytes?: number } = {},
): Promise<ReceivedFile> {
  const id = createId()
  const name = toFileName(projectId, id)
  const { location } = store
  const quota = await insertFileWrite(db, name, location)
  try {
    if (byteCount !== undefined) await requireKnownQuota(db, projectId, byteCount, quota)
    const written = await store.write(name, readFileBody(body), limitBytes)
    return { id, name, location, ...written, isKept: false }
  } catch (error) {
    await deleteFileWrite(db, name).catch(() => {}) // the first error says what is wrong; a job repeats this
    throw error
  }
}

/**
 * Removes a content for which no file was stored. After an error, that is not certain: the transaction that stores a file
 * deletes the note that its content is being written.
 */
export async function discardContent(
  { db, fileStore }: Pick<Deps, 'db' | 'fileStore'>,
  { name, location }: Pick<StoredContent, 'name' | 'location'>,
): Promise<void> {
  if (!(await hasFileWrite(db, name))) return
  await (await fileStore.getAt(location)).remove([name])
  await deleteFileWrite(db, name)
}
