import type { ByteRange } from '../../platform/files/file-store.ts'

/**
 * Parses a `Range` header (RFC 9110, section 14.2). Returns null for the whole content, and `unsatisfiable` for several
 * ranges, which could multiply the size of a response, and for one outside of the content.
 */
export function parseRange(header: string | undefined, byteCount: number): ByteRange | null | 'unsatisfiable' {
  if (header === undefined || !/^bytes=/i.test(header)) return null
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header) ?? []
  if (first === '' && last === '') return 'unsatisfiable'
  // `-5`: the last five bytes.
  const start = first === '' ? Math.max(0, byteCount - Number(last)) : Number(first)
  const end = first === '' || last === '' ? byteCount - 1 : Math.min(Number(last), byteCount - 1)
  return start <= end ? { start, end } : 'unsatisfiable'
}
