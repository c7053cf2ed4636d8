import { Readable } from 'node:stream'

import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type ByteRange, FileStoreError, toFileName } from '../../platform/files/file-store.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { getContentHeaders } from './content-headers.ts'
import { toFileProblem } from './file-problems.ts'
import { type FileRow, selectFile } from './files.queries.ts'
import { parseRange } from './parse-range.ts'
import { openContent } from './read-content.ts'

/** @throws {Problem} 404 */
export async function requireFile(db: Database, projectId: string, id: string): Promise<FileRow> {
  const file = isUuid(id) ? await selectFile(db, projectId, id) : null
  if (file === null) throw notFoundProblem('file')
  return file
}

/** Logs an error of the file store, which the client learns as a problem. */
export function toReadProblem({ log, id }: FastifyRequest, error: unknown): unknown {
  if (error instanceof FileStoreError) log.error({ request_id: id, err: error }, 'cannot read a file')
  return toFileProblem(error)
}

interface SentFile extends Pick<Deps, 'db' | 'fileStore' | 'redirectsToS3'> {
  file: FileRow
  /** `Content-Disposition` */
  disposition: string
  projectId: string
  /** Whether it is on another host name than the pages that show it. */
  isCrossOrigin?: boolean
}

/**
 * Sends a file or the range of it that is requested, with headers with which no browser runs anything of it; or the address at
 * which the bucket does.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, disposition, projectId, isCrossOrigin = false, ...deps }: SentFile,
): Promise<FastifyReply> {
  const etag = `"${file.digest.toString('hex')}"`
  const headers = { ...getContentHeaders(isCrossOrigin), etag }
  if (hasContent(request, etag)) return reply.headers(headers).code(304).send()
  const range = requireRange(request, file, etag)
  let content = Readable.from([])
  try {
    const address = asksForBytes(request) ? null : await createAddress(deps, projectId, file, disposition)
    if (address !== null) return reply.header('cache-control', 'private, no-store').redirect(address, 307)
    if (request.method !== 'HEAD') content = await openContent(deps, projectId, file, range ?? undefined)
  } catch (error) {
    throw toReadProblem(request, error)
  }
  if (range !== null) {
    void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${file.byteCount}`)
  }
  return reply
    .headers({
      ...headers,
      'content-type': file.mediaType,
      'content-disposition': disposition,
      'content-length': range === null ? file.byteCount : range.end - range.start + 1,
    })
    .send(content)
}

/** Whether a program asks for the bytes as they are: the app does so with `fetch`, which other sites cannot make it do. */
export const asksForBytes = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers.accept === 'application/octet-stream'

/** How long an address of the bucket works. What has begun goes on. */
const ADDRESS_SECONDS = 60

async function createAddress(
  { fileStore, redirectsToS3 }: Pick<Deps, 'fileStore' | 'redirectsToS3'>,
  projectId: string,
  { id, location, mediaType: contentType }: FileRow,
  disposition: string,
): Promise<string | null> {
  if (!redirectsToS3) return null
  const { createAddress: create } = await fileStore.getAt(location)
  return create?.(toFileName(projectId, id), { contentType, disposition, seconds: ADDRESS_SECONDS }) ?? null
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
