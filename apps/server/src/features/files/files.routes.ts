import { Readable } from 'node:stream'

import { getFileContent } from '@caseward/contract/files'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type ByteRange, FileStoreError, toFileName } from '../../platform/files/file-store.ts'
import type { OwnFileStore } from '../../platform/files/open-file-store.ts'
import type { App } from '../../platform/http/app.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { CONTENT_HEADERS, formatDisposition } from './content-headers.ts'
import { toFileProblem } from './file-problems.ts'
import { type FileRow, markFileLost, selectFile } from './files.queries.ts'
import { parseRange } from './parse-range.ts'

export function filesRoutes(app: App, deps: Pick<Deps, 'db' | 'fileStore'>): void {
  app.route({
    ...getFileContent,
    handler: async (request, reply) => {
      const { id: projectId } = requireProject(request)
      const { file_id: id } = request.params
      const file = isUuid(id) ? await selectFile(deps.db, projectId, id) : null
      if (file === null) throw notFoundProblem('file')
      const { name = 'file', download } = request.query
      const disposition = formatDisposition(file.mediaType, name, download === 1)
      return await sendFile(request, reply, { file, disposition, projectId, ...deps })
    },
  })
}

interface SentFile {
  file: FileRow
  /** `Content-Disposition` */
  disposition: string
  projectId: string
  db: Database
  fileStore: OwnFileStore
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, disposition, projectId, db, fileStore }: SentFile,
): Promise<FastifyReply> {
  const etag = `"${file.digest.toString('hex')}"`
  if (hasContent(request, etag))
    return reply
      .headers({ ...CONTENT_HEADERS, etag })
      .code(304)
      .send()
  const range = requireRange(request, file, etag)
  let content = Readable.from([])
  try {
    if (request.method !== 'HEAD') {
      const store = await fileStore.getAt(file.location)
      content = await store.read(toFileName(projectId, file.id), range ?? undefined)
    }
  } catch (error) {
    if (error instanceof FileStoreError && error.code === 'missing') await markFileLost(db, projectId, file.id)
    if (error instanceof FileStoreError) request.log.error({ request_id: request.id, err: error }, 'cannot read a file')
    throw toFileProblem(error)
  }
  if (range !== null) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.byteCount}`)
  }
  return reply
    .headers({
      ...CONTENT_HEADERS,
      etag,
      'content-type': file.mediaType,
      'content-disposition': disposition,
      'content-length': range === null ? file.byteCount : range.end - range.start + 1,
    })
    .send(content)
}

/** Whether the client has the content already. */
const hasContent = ({ headers }: FastifyRequest, etag: string): boolean =>
  headers['if-none-match']?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) === true

/** @throws {Problem} 416 */
function requireRange({ headers }: FastifyRequest, { byteCount }: FileRow, etag: string): ByteRange | null {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return null
  const range = parseRange(headers.range, byteCount)
  if (range !== 'unsatisfiable') return range
  throw new Problem(
    416,
    'range_not_satisfiable',
    `The content has ${byteCount.toLocaleString('en')} bytes. Request one range of them.`,
    { headers: { 'content-range': `bytes */${byteCount}` } },
  )
}
