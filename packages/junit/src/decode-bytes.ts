import { JUnitError } from './junit-error.ts'
import { describeArchive } from './other-formats.ts'

/** Decodes bytes piece by piece. */
export interface ByteDecoder {
  write(bytes: Uint8Array): string
  /** @returns the text of an incomplete character at the end of the input */
  end(): string
}

/** The XML declaration is searched for in this many bytes. */
const HEAD_BYTES = 1024

const GREATER_THAN = 0x3e

/**
 * Decodes a report of unknown encoding. The encoding follows from the byte order mark, else from UTF-16's zero bytes,
 * else from the XML declaration, else it is UTF-8 (XML 1.0, appendix F). A declaration is ignored if it is unknown or
 * cannot be true (.NET's StringWriter declares `utf-16` in single bytes). Invalid bytes become U+FFFD. A byte order
 * mark stays in the text.
 *
 * @throws JUnitError `not_xml` for an archive, and never another error
 */
export function createByteDecoder(): ByteDecoder {
  let head: Uint8Array | null = new Uint8Array(0)
  let decoder: ByteDecoder | null = null

  function startDecoding(bytes: Uint8Array): string {
    head = null
    const archive = describeArchive(bytes)
    if (archive !== null) throw new JUnitError('not_xml', archive, { line: 1, column: 1 })
    decoder = createDecoder(detectEncoding(bytes))
    return decoder.write(bytes)
  }

  return {
    write(bytes) {
      if (decoder !== null) return decoder.write(bytes)
      const start = head === null || head.length === 0 ? bytes : concatenate(head, bytes)
      if (start.length >= HEAD_BYTES || start.includes(GREATER_THAN)) return startDecoding(start)
      // Copied because the caller may reuse its buffer.
      head = start.slice()
      return ''
    },
    end() {
      const text = decoder === null && head !== null ? startDecoding(head) : ''
      return text + (decoder?.end() ?? '')
    },
  }
}

function detectEncoding(bytes: Uint8Array): string {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0x3c && second === 0) return 'utf-16le'
  if (first === 0 && second === 0x3c) return 'utf-16be'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES))
  return /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']/.exec(start)?.[1] ?? 'utf-8'
}

function createDecoder(label: string): ByteDecoder {
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(label, { ignoreBOM: true })
  } catch {
    return createUtf8Decoder()
  }
  const isDeclared = !/^utf-16[bl]e$/.test(label)
  if (decoder.encoding === 'utf-8' || (isDeclared && decoder.encoding.startsWith('utf-16'))) return createUtf8Decoder()
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}

/**
 * Decodes like a streaming TextDecoder, but many times faster: Node's fast path requires complete texts, so an
 * incomplete character at the end of a piece is kept for the next one.
 */
function createUtf8Decoder(): ByteDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let pending = new Uint8Array(0)
  return {
    write(bytes) {
      const all = pending.length === 0 ? bytes : concatenate(pending, bytes)
      const completeLength = all.length - countIncompleteBytes(all)
      pending = all.slice(completeLength)
      return decoder.decode(all.subarray(0, completeLength))
    },
    end() {
      const text = decoder.decode(pending)
      pending = new Uint8Array(0)
      return text
    },
  }
}

/** Returns how many bytes at the end belong to an incomplete UTF-8 character: 0 to 3. */
function countIncompleteBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length)
  bytes.set(first)
  bytes.set(second, first.length)
  return bytes
}
