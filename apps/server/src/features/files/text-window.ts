/** How the bytes of a text are characters. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/** Finds the encoding of a text: UTF-16 only with its mark, as for the detection of its type. @param head its first bytes */
export function findEncoding(head: Buffer): TextEncoding {
  const mark = head.subarray(0, 2).toString('hex')
  if (mark === 'fffe') return 'utf-16le'
  return mark === 'feff' ? 'utf-16be' : 'utf-8'
}

/** Bytes of a text with whole characters, and whole lines at the end. */
export interface TextWindow {
  text: string
  /** Bytes at the beginning that belong to a character before. */
  skipped: number
  /** Bytes until the end of the text. */
  end: number
}

/**
 * Decodes a part of a text. It begins with the first whole character, and ends with the last whole line, or the last whole
 * character if no line ends within it.
 * @param offset where the bytes are in the file
 * @param isLast whether the file ends with them
 */
export function decodeWindow(bytes: Buffer, encoding: TextEncoding, offset: number, isLast: boolean): TextWindow {
  const skipped = Math.min(countSkipped(bytes, encoding, offset), bytes.length)
  const end = isLast ? bytes.length : Math.max(skipped, findEnd(bytes, encoding, offset))
  // The decoder leaves a byte order mark out.
  return { text: new TextDecoder(encoding).decode(bytes.subarray(skipped, end)), skipped, end }
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80
/** A character of UTF-8 has up to three bytes after its first one; more are no text. */
const MAX_CONTINUATION = 3

function countSkipped(bytes: Buffer, encoding: TextEncoding, offset: number): number {
  if (offset === 0) return 0
  if (encoding !== 'utf-8') {
    const odd = offset % 2
    return isLowSurrogate(readUnit(bytes, odd, encoding)) ? odd + 2 : odd
  }
  let count = 0
  while (count < MAX_CONTINUATION && isContinuation(bytes[count])) count += 1
  return count
}

function findEnd(bytes: Buffer, encoding: TextEncoding, offset: number): number {
  if (encoding === 'utf-8') {
    const line = bytes.lastIndexOf(0x0a)
    return line === -1 ? findCharacterEnd(bytes) : line + 1
  }
  const odd = offset % 2
  const length = bytes.length - ((bytes.length - odd) % 2)
  for (let end = length; end > odd; end -= 2) if (readUnit(bytes, end - 2, encoding) === 0x0a) return end
  return isHighSurrogate(readUnit(bytes, length - 2, encoding)) ? length - 2 : length
}

/** The end of the last whole character in UTF-8. */
function findCharacterEnd(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > bytes.length - 1 - MAX_CONTINUATION && isContinuation(bytes[start])) start -= 1
  const lead = bytes[start] ?? 0
  const size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + size > bytes.length ? Math.max(0, start) : bytes.length
}

function readUnit(bytes: Buffer, index: number, encoding: TextEncoding): number {
  if (index < 0 || index + 2 > bytes.length) return 0
  return encoding === 'utf-16le' ? bytes.readUInt16LE(index) : bytes.readUInt16BE(index)
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
