import type { Readable } from 'node:stream'

import type { FastifyRequest } from 'fastify'
import { v7 as createId } from 'uuid'

import { getLoadOwnerId } from '../../access/principal.ts'
import { getUserId, requirePrincipal } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type FileStore, FileStoreError, toFileName } from '../../platform/files/file-store.ts'
import { incompleteBodyProblem } from '../../platform/http/collect-body.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import type { ContentRange } from './content-range.ts'
import { toFileProblem, uploadMismatchProblem, wrongOffsetProblem } from './file-problems.ts'
import {
  deleteFileUpload,
  type FileUploadRow,
  getContentName,
  insertFileUpload,
  lockFileUpload,
  selectFileUpload,
  updateFileUpload,
} from './file-uploads.queries.ts'
import { insertFileCandidate } from './file-candidates.queries.ts'
import { deleteFileWrite, insertFileWrite } from './files.queries.ts'
import { dropFileBody, readFileBody } from './read-file-body.ts'
import { readHead } from './read-head.ts'
import type { ReceivedFile } from './receive-file.ts'

type PartDeps = Pick<Deps, 'db' | 'fileStore' | 'fileBodies'>

/** Begins a content in parts, or finds what another request has begun under the same key. */
export async function beginFileUpload(
  { db }: Pick<Deps, 'db'>,
  store: FileStore,
  {
    projectId,
    key,
    byteCount,
    name: fileName = null,
    createdBy,
  }: Omit<PartTarget, 'canBegin'> & {
    name?: string | null
    createdBy: string | null
  },
): Promise<FileUploadRow> {
  await store.check()
  const contentId = createId()
  const name = toFileName(projectId, contentId)
  const { location } = store
  await insertFileWrite(db, name, location)
  const storeState = await store.beginParts(name)
  const upload = {
    projectId,
    key,
    name: fileName,
    contentId,
    location,
    byteCount,
    received: 0,
    hashState: null,
    storeState,
    fileId: null,
  }
  if (await insertFileUpload(db, upload, createdBy)) return upload
  await store.cancelParts(name, storeState)
  const other = await selectFileUpload(db, projectId, key)
  if (other === null) throw new FileStoreError('unavailable', 'The upload has expired and is being removed')
  return other
}

/**
 * Ends an upload: of one that is complete, a sweep deletes the file unless it is attached; of another, what was received is
 * removed.
 */
export async function cancelFileUpload(
  { db, fileStore }: Pick<Deps, 'db' | 'fileStore'>,
  upload: FileUploadRow,
): Promise<void> {
  const wasDeleted = await db.transaction().execute(async (tx) => {
    const current = await lockFileUpload(tx, upload)
    if (current === null) return false
    if (current.fileId !== null) await insertFileCandidate(tx, upload.projectId, current.fileId)
    await deleteFileUpload(tx, upload)
    return current.fileId === null
  })
  if (!wasDeleted) return
  const store = await fileStore.getAt(upload.location)
  await store.cancelParts(getContentName(upload), upload.storeState)
  await deleteFileWrite(db, getContentName(upload))
}

/** Where a part belongs to. */
export interface PartTarget {
  projectId: string
  key: string
  byteCount: number
  /** Whether the first part begins the upload. */
  canBegin: boolean
}

/** An upload after a part; `content` is there when it was the last one. */
export interface PartReceived {
  upload: FileUploadRow
  content: ReceivedFile | null
}

/**
 * Receives a part of a content. Nothing is locked while it arrives: of several requests with the same part, the first one
 * that is complete counts, on any server.
 * @throws {Problem} 409 when it does not continue what was received; 503 and 507 of the store
 */
export async function receivePart(
  request: FastifyRequest,
  deps: PartDeps,
  body: Readable,
  { start, byteCount, total }: ContentRange,
  target: PartTarget,
): Promise<PartReceived> {
  if (total !== target.byteCount) throw uploadMismatchProblem(target.byteCount)
  let release = () => {}
  try {
    const store = await deps.fileStore.getForWriting()
    release = await deps.fileBodies.take(store.location, getLoadOwnerId(requirePrincipal(request)))
    let upload = await findUpload(deps, store, target)
    if (upload === null) {
      if (start !== 0 || !target.canBegin) throw wrongOffsetProblem(0)
      upload = await beginFileUpload(deps, store, { ...target, createdBy: getUserId(request) })
    }
    if (upload.received === upload.byteCount) {
      // A request that has sent the last part has not seen the response, or its server has ended.
      await dropFileBody(body)
      return { upload, content: upload.fileId === null ? await finishContent(store, upload) : null }
    }
    if (start !== upload.received) throw wrongOffsetProblem(upload.received)
    const isLast = start + byteCount === total
    if (!isLast && byteCount < store.minPartBytes) {
      throw invalidFieldProblem('/content-range', `must name at least ${store.minPartBytes} bytes before the last part`)
    }
    const updated = await addPart(deps, store, upload, { body, byteCount })
    return { upload: updated, content: isLast ? await finishContent(store, updated) : null }
  } catch (error) {
    throw toFileProblem(error)
  } finally {
    release()
  }
}

/** A content that began in another store cannot go on, and is canceled. */
async function findUpload(
  { db }: Pick<Deps, 'db'>,
  store: FileStore,
  { projectId, key }: PartTarget,
): Promise<FileUploadRow | null> {
  const upload = await selectFileUpload(db, projectId, key)
  if (upload === null || upload.location === store.location) return upload
  // A job removes its content.
  await deleteFileUpload(db, upload)
  return null
}

async function addPart(
  { db }: Pick<Deps, 'db'>,
  store: FileStore,
  upload: FileUploadRow,
  { body, byteCount }: { body: Readable; byteCount: number },
): Promise<FileUploadRow> {
  const hash = await createHash(upload.hashState)
  async function* readAndHash() {
    for await (const chunk of readFileBody(body)) {
      hash.update(chunk)
      yield chunk
    }
  }
  const offset = upload.received
  const part = await store.receivePart(getContentName(upload), upload.storeState, readAndHash(), {
    offset,
    limitBytes: byteCount,
  })
  try {
    if (part.byteCount !== byteCount) throw incompleteBodyProblem()
    return await db.transaction().execute(async (tx) => {
      const current = await requireAt(tx, upload)
      const storeState = await part.add()
      const updated = { ...current, received: offset + byteCount, hashState: Buffer.from(hash.save()), storeState }
      await updateFileUpload(tx, updated)
      return updated
    })
  } catch (error) {
    await part.discard()
    throw error
  }
}

/** Locks an upload. @throws {Problem} 409 when another request has added the part meanwhile */
async function requireAt(tx: Database, upload: FileUploadRow): Promise<FileUploadRow> {
  const current = await lockFileUpload(tx, upload)
  if (current?.received === upload.received) return current
  throw wrongOffsetProblem(current?.received ?? 0)
}

/** Completes a content of which all bytes were received. It becomes a file later, in a transaction that locks the upload. */
async function finishContent(store: FileStore, upload: FileUploadRow): Promise<ReceivedFile> {
  const { contentId: id, byteCount, location } = upload
  const name = getContentName(upload)
  await store.finishParts(name, upload.storeState, byteCount)
  const digest = Buffer.from((await createHash(upload.hashState)).digest('binary'))
  // Kept until the transaction says otherwise: another request may complete the same content.
  return { id, name, location, byteCount, digest, head: await readHead(store, name, byteCount), isKept: true }
}

/** SHA-256 that goes on where another server stopped; Node's own cannot. */
async function createHash(state: Buffer | null) {
  const { createSHA256 } = await import('hash-wasm')
  const hash = await createSHA256()
  if (state === null) hash.init()
  else hash.load(state)
  return hash
}
