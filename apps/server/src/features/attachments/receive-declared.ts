import { Readable } from 'node:stream'

import { MAX_FILE_BYTES } from '@caseward/contract/endpoint'
import type { ReceivedBytes } from '@caseward/contract/file-uploads'
import type { FastifyRequest } from 'fastify'

import type { RunRef } from '../../access/project-cache.ts'
import type { Deps } from '../../deps.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { readContentRange, requireContentLength } from '../files/content-range.ts'
import { detectType } from '../files/detect-type.ts'
import {
  digestMismatchProblem,
  fileStoreUnavailableProblem,
  lengthMismatchProblem,
  notDeclaredProblem,
  requireFileSize,
  usePartsProblem,
} from '../files/file-problems.ts'
import { requireFileQuota } from '../files/file-quota.ts'
import { deleteFileUpload, type FileUploadRow, lockFileUpload } from '../files/file-uploads.queries.ts'
import { lockFile, storeFile } from '../files/files.queries.ts'
import { dropFileBody } from '../files/read-file-body.ts'
import { discardContent, type ReceivedFile, receiveFile } from '../files/receive-file.ts'
import { receivePart } from '../files/receive-part.ts'
import { announceAttachments } from './announce-attachments.ts'
import {
  completeAttachments,
  type DeclaredContent,
  lockRunForFiles,
  selectDeclaredContent,
} from './declared-files.queries.ts'

type DeclaredDeps = Pick<Deps, 'db' | 'fileStore' | 'fileBodies' | 'fileLimitBytes' | 'announcer'>

/** A response to a declared content. */
export interface DeclaredResponse {
  status: 200 | 201 | 202
  received: ReceivedBytes
}

/** The key of the parts of a declared content. */
export const getPartsKey = ({ id }: RunRef, sha256: string): string => `${id}/${sha256}`

const DIGEST = /^[0-9a-f]{64}$/

/** @throws {Problem} 404 when no upload into the run declared it */
export async function requireDeclared({ db }: Pick<Deps, 'db'>, run: RunRef, sha256: string): Promise<DeclaredContent> {
  const declared = DIGEST.test(sha256) ? await selectDeclaredContent(db, run, Buffer.from(sha256, 'hex')) : null
  if (declared === null) throw notDeclaredProblem()
  return declared
}

/**
 * Receives a declared content, or a part of it, and completes all attachments of the run that wait for it. What is known
 * before the body is checked before it is read.
 * @throws {Problem} 404 when nobody declared it; 413 and 422 when it is not what was declared, or exceeds a limit
 */
export async function receiveDeclared(
  request: FastifyRequest,
  deps: DeclaredDeps,
  run: RunRef,
  sha256: string,
): Promise<DeclaredResponse> {
  // An empty body has no parser.
  request.fileBody ??= Readable.from([])
  const { fileBody } = request
  const declared = await requireDeclared(deps, run, sha256)
  const range = readContentRange(request)
  const byteCount = range?.total ?? requireContentLength(request)
  const digest = Buffer.from(sha256, 'hex')
  if (declared.fileId !== null) {
    const isComplete = await completeWithFile(deps, run, digest, declared.fileId)
    if (isComplete || !declared.isAwaited) {
      await dropFileBody(fileBody)
      const [size = byteCount] = declared.byteCounts
      return { status: 200, received: { received: size, byte_count: size } }
    }
  }
  if (!declared.byteCounts.includes(byteCount)) throw lengthMismatchProblem(byteCount, declared.byteCounts[0] ?? 0)
  requireFileSize(byteCount, deps.fileLimitBytes)
  if (range === null && byteCount > MAX_FILE_BYTES) throw usePartsProblem()
  const target = { digest, declared, byteCount }
  if (range === null) {
    await receiveFile(request, deps)
    const { receivedFile } = request
    if (receivedFile === null) throw new Error('A body that was received has no file')
    return await storeDeclared(deps, run, { ...target, content: receivedFile, upload: null })
  }
  await requireFileQuota(deps.db, run.project.id, byteCount)
  const { upload, content } = await receivePart(request, deps, fileBody, range, {
    projectId: run.project.id,
    key: getPartsKey(run, sha256),
    byteCount,
    canBegin: true,
  })
  if (content === null) return { status: 202, received: { received: upload.received, byte_count: byteCount } }
  return await storeDeclared(deps, run, { ...target, content, upload })
}

/** Attaches a file that the project has got meanwhile. Returns false when it is being deleted. */
async function completeWithFile(
  deps: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  digest: Buffer,
  fileId: string,
): Promise<boolean> {
  const isFound = await transactionWithRowMutex(deps.db, run.id, async (tx) => {
    if (!(await lockRunForFiles(tx, run))) throw notFoundProblem('run')
    if (!(await lockFile(tx, run.project.id, fileId))) return null
    return { changed: await completeAttachments(tx, run, digest, fileId) }
  })
  if (isFound !== null) announceAttachments(deps, run, isFound.changed)
  return isFound !== null
}

interface Target {
  digest: Buffer
  declared: DeclaredContent
  byteCount: number
  content: ReceivedFile
  /** The parts that the content is made of; null for one body. */
  upload: FileUploadRow | null
}

async function storeDeclared(
  deps: DeclaredDeps,
  run: RunRef,
  { digest, declared, byteCount, content, upload }: Target,
): Promise<DeclaredResponse> {
  const received = { received: byteCount, byte_count: byteCount }
  if (!content.digest.equals(digest)) {
    await discardParts(deps, content, upload)
    throw digestMismatchProblem()
  }
  const type = await detectType(content.head, content.byteCount, declared.name, {
    isTrace: declared.isTrace ? true : undefined,
  })
  const { db } = deps
  const stored = await transactionWithRowMutex(db, run.id, async (tx) => {
    if (!(await lockRunForFiles(tx, run))) throw notFoundProblem('run')
    // Another request has stored the same content, or has deleted it.
    if (upload !== null && (await lockFileUpload(tx, upload)) === null) return null
    const file = await storeFile(tx, run.project.id, content, type)
    if (upload !== null) await deleteFileUpload(tx, upload)
    const changed = await completeAttachments(tx, run, digest, file.id)
    if (changed === null && file.isNew) throw notDeclaredProblem()
    return { isNew: file.isNew, changed }
  }).catch(async (error: unknown) => {
    // After any other error, the client sends the last part again.
    if (error instanceof Problem) await discardParts(deps, content, upload)
    throw error
  })
  if (stored === null) {
    const { fileId } = await requireDeclared(deps, run, digest.toString('hex'))
    if (fileId === null) throw fileStoreUnavailableProblem()
    return { status: 200, received }
  }
  announceAttachments(deps, run, stored.changed)
  content.isKept = stored.isNew
  if (!stored.isNew && upload !== null) await discardContent(deps, content)
  return { status: stored.isNew ? 201 : 200, received }
}

/** Removes a content of parts that is not what was declared. One body is removed after the response. */
async function discardParts(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  content: ReceivedFile,
  upload: FileUploadRow | null,
): Promise<void> {
  if (upload === null) return
  // Only the request that deletes the row may remove the content: it may be stored by now.
  if (await deleteFileUpload(deps.db, upload)) await discardContent(deps, content)
}
