import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Database } from '../../platform/database/connect.ts'
import { type ByteRange, FileStoreError, toFileName } from '../../platform/files/file-store.ts'
import type { OwnFileStore } from '../../platform/files/open-file-store.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { CONTENT_HEADERS } from './content-headers.ts'
import { toFileProblem } from './file-problems.ts'
import { type FileRow, markFileLost, selectFile } from './files.queries.ts'
import { parseRange } from './parse-range.ts'

/** @throws {Problem} 404 */
export async function requireFile(db: Database, projectId: string, id: string): Promise<FileRow> {
  const file = isUuid(id) ? await selectFile(db, projectId, id) : null
  if (file === null) throw notFoundProblem('file')
  return file
}

/** Logs an error of the file store, which the client learns as a problem. A content that is missing is lost. */
export async function toReadProblem(
  { log, id }: FastifyRequest,
  { db, projectId, file }: Pick<SentFile, 'db' | 'projectId' | 'file'>,
  error: unknown,
): Promise<unknown> {
  if (error instanceof FileStoreError && error.code === 'missing') await markFileLost(db, projectId, file.id)
  if (error instanceof FileStoreError) log.error({ request_id: id, err: error }, 'cannot read a file')
  return toFileProblem(error)
}

interface SentFile {
  file: FileRow
  /** `Content-Disposition` */
  disposition: string
  projectId: string
  db: Database
  fileStore: OwnFileStore
}

/** Sends a file or the range of it that is requested, with headers with which no browser runs anything of it. */
export async function sendFile(
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
    throw await toReadProblem(request, { db, projectId, file }, error)
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
