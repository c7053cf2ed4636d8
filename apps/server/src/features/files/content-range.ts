import { FILE_PART_BYTES } from '@caseward/contract/endpoint'
import type { FastifyRequest } from 'fastify'

import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { lengthMismatchProblem, lengthRequiredProblem } from './file-problems.ts'

/** A part of a content. */
export interface ContentRange {
  start: number
  byteCount: number
  /** Size of the whole content. */
  total: number
}

const PATTERN = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/

/** Parses `Content-Range` (RFC 9110, section 14.4) of a request; null for what is none. */
export function parseContentRange(text: string): ContentRange | null {
  const [, first, last, size] = PATTERN.exec(text.trim()) ?? []
  if (first === undefined) return null
  const start = Number(first)
  const end = Number(last)
  const total = Number(size)
  return start <= end && end < total ? { start, byteCount: end - start + 1, total } : null
}

/**
 * Returns the part that a request sends; null when it sends the whole.
 * @throws {Problem} 400 for a part that is none or too large; 422 when the body has another length
 */
export function readContentRange(request: FastifyRequest): ContentRange | null {
  const header = request.headers['content-range']
  if (header === undefined) return null
  const range = parseContentRange(header)
  if (range === null) throw invalidFieldProblem('/content-range', 'must be like `bytes 0-8388607/104857600`')
  if (range.byteCount > FILE_PART_BYTES) {
    throw invalidFieldProblem('/content-range', `must name at most ${FILE_PART_BYTES} bytes`)
  }
  const length = requireContentLength(request)
  if (length !== range.byteCount) throw lengthMismatchProblem(length, range.byteCount)
  return range
}

/** @throws {Problem} 400 without `Content-Length` */
export function requireContentLength({ headers }: FastifyRequest): number {
  const header = headers['content-length']
  if (header === undefined) throw lengthRequiredProblem()
  return Number(header)
}
