import type { Readable } from 'node:stream'

import { type FileText, TEXT_LIMIT } from '@caseward/contract/files'

import type { ByteRange } from '../../platform/files/file-store.ts'
import { invalidFieldProblem, unprocessableProblem } from '../../platform/http/problems.ts'
import { isTextType } from './detect-type.ts'
import type { FileRow } from './files.queries.ts'
import { decodeWindow, findEncoding } from './text-window.ts'

/** The part of a text that is asked for, in bytes. */
export interface TextPart {
  from?: number
  to?: number
}

/** @throws {Problem} 422 for a file that is no text; 400 when the part ends before it begins */
export function requireTextRange({ mediaType, byteCount }: FileRow, { from = 0, to }: TextPart): ByteRange | null {
  if (!isTextType(mediaType)) {
    throw unprocessableProblem('not_text', 'The file is no text. Download its content instead.')
  }
  if (to !== undefined && to < from) throw invalidFieldProblem('/to', 'must not be before `from`')
  const end = Math.min(to ?? from + TEXT_LIMIT, from + TEXT_LIMIT, byteCount)
  return from < end ? { start: from, end: end - 1 } : null
}

/** Reads a part of a text. @param range of {@link requireTextRange}; null for one that has no bytes */
export async function readText(
  read: (range: ByteRange) => Promise<Readable>,
  { byteCount }: Pick<FileRow, 'byteCount'>,
  range: ByteRange | null,
): Promise<FileText> {
  if (range === null) return { text: '', from: byteCount, to: byteCount, byte_count: byteCount }
  const bytes = await collect(await read(range))
  // The mark of the encoding is at the beginning of the file.
  const head = range.start === 0 ? bytes : await collect(await read({ start: 0, end: 1 }))
  const isLast = range.end === byteCount - 1
  const { text, skipped, end } = decodeWindow(bytes, findEncoding(head), range.start, isLast)
  return { text, from: range.start + skipped, to: range.start + end, byte_count: byteCount }
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
