import { Readable } from 'node:stream'

import { FILE_PART_BYTES } from '@caseward/contract/endpoint'
import * as contract from '@caseward/contract/file-uploads'
import type { FastifyRequest } from 'fastify'
import { v4 as createRandomId } from 'uuid'

import { getUserId, requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { readContentRange } from './content-range.ts'
import { detectType } from './detect-type.ts'
import { requireFileSize, toFileProblem } from './file-problems.ts'
import { requireFileQuota } from './file-quota.ts'
import { type FileUploadRow, lockFileUpload, selectFileUpload, setFileOfUpload } from './file-uploads.queries.ts'
import { storeFile } from './files.queries.ts'
import { discardContent, receiveAnyFile, type ReceivedFile } from './receive-file.ts'
import { beginFileUpload, cancelFileUpload, receivePart } from './receive-part.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** An upload after the part that the request sends, and whether it was the last one. */
    receivedPart: { upload: FileUploadRow; isComplete: boolean } | null
  }
}

/** Files that are received in parts, to be attached afterwards. */
export function fileUploadsRoutes(parent: App, deps: Deps): void {
  const { db } = deps

  async function requireUpload(request: FastifyRequest): Promise<FileUploadRow> {
    const { file_upload_id: id } = request.params as { file_upload_id: string }
    const upload = isUuid(id) ? await selectFileUpload(db, requireProject(request).id, id) : null
    if (upload === null) throw notFoundProblem('file upload')
    return upload
  }

  parent.route({
    ...contract.createFileUpload,
    handler: async (request, reply) => {
      const { id: projectId } = requireProject(request)
      const { byte_count: byteCount, name } = request.body
      requireFileSize(byteCount, deps.fileLimitBytes)
      await requireFileQuota(db, projectId, byteCount)
      const key = createRandomId()
      try {
        const store = await deps.fileStore.getForWriting()
        await beginFileUpload(deps, store, {
          projectId,
          key,
          byteCount,
          name: name ?? null,
          createdBy: getUserId(request),
        })
      } catch (error) {
        throw toFileProblem(error)
      }
      return reply.code(201).send({ data: { id: key, part_size: FILE_PART_BYTES } })
    },
  })

  void parent.register(async (app: App) => {
    receiveAnyFile(app, deps)
    app.decorateRequest('receivedPart', null)
    app.route({
      ...contract.sendFilePart,
      preHandler: async (request: FastifyRequest) => {
        const upload = await requireUpload(request)
        const range = readContentRange(request)
        if (range === null) throw invalidFieldProblem('/content-range', 'is required: `bytes 0-8388607/104857600`')
        const { projectId, key, byteCount } = upload
        const body = request.fileBody ?? Readable.from([])
        const target = { projectId, key, byteCount, canBegin: false }
        const part = await receivePart(request, deps, body, range, target)
        const { content } = part
        request.receivedPart =
          content === null
            ? { upload: part.upload, isComplete: false }
            : { upload: await storeContent(deps, part.upload, content), isComplete: true }
      },
      handler: async ({ receivedPart }, reply) => {
        if (receivedPart === null) throw new Error('The part was not received')
        const { upload, isComplete } = receivedPart
        const data = { received: upload.received, byte_count: upload.byteCount, file_id: upload.fileId }
        if (isComplete) return reply.code(201).send({ data })
        return upload.fileId === null ? reply.code(202).send({ data }) : reply.code(200).send({ data })
      },
    })
  })

  parent.route({
    ...contract.getFileUploadProgress,
    handler: async (request, reply) => {
      const { received } = await requireUpload(request)
      return reply.code(200).header(contract.UPLOAD_RECEIVED_HEADER, received).send(null)
    },
  })

  parent.route({
    ...contract.deleteFileUpload,
    handler: async (request, reply) => {
      const upload = await requireUpload(request)
      try {
        await cancelFileUpload(deps, upload)
      } catch (error) {
        throw toFileProblem(error)
      }
      return reply.code(204).send(null)
    },
  })
}

/** Stores the file of a complete upload, which keeps it until it is attached or its time is over. */
async function storeContent(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  upload: FileUploadRow,
  content: ReceivedFile,
): Promise<FileUploadRow> {
  const { projectId } = upload
  const type = await detectType(content.head, content.byteCount, upload.name ?? '')
  const stored = await deps.db.transaction().execute(async (tx) => {
    // The deletion of the project, which takes its files first, waits or has ended.
    const project = await tx
      .selectFrom('projects')
      .select('id')
      .where('id', '=', projectId)
      .forKeyShare()
      .executeTakeFirst()
    const current = await lockFileUpload(tx, upload)
    if (current === null || project === undefined) throw notFoundProblem('file upload')
    if (current.fileId !== null) return { file: { id: current.fileId, isNew: true } }
    const file = await storeFile(tx, projectId, content, type)
    await setFileOfUpload(tx, upload, file.id)
    return { file }
  })
  if (!stored.file.isNew) await discardContent(deps, content)
  return { ...upload, fileId: stored.file.id }
}
