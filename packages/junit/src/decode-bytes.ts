import { JUnitError } from './junit-error.ts'
import { describeArchive } from './other-formats.ts'

/** Bytes to text, piece by piece. `end` returns what an unfinished character at the end of the input amounts to. */
export interface ByteDecoder {
  write(bytes: Uint8Array): string
  end(): string
}

/** The XML declaration is looked for in this many bytes at most. */
const HEAD_BYTES = 1024

const GREATER_THAN = 0x3e

/**
 * Decodes a report whose encoding is not known beforehand: a byte order mark decides, then UTF-16's zero bytes, then the
 * declaration, then UTF-8 (XML 1.0, appendix F). A declaration that cannot be true (`utf-16` written in single bytes, as
 * .NET's StringWriter does) or that nobody knows counts for nothing. Wrong bytes become U+FFFD. A byte order mark is left
 * in the text.
 *
 * @throws JUnitError `not_xml` for an archive, and nothing else ever.
 */
export function createByteDecoder(): ByteDecoder {
  let head: Uint8Array | null = new Uint8Array(0)
  let decoder: ByteDecoder | null = null

  function decide(bytes: Uint8Array): string {
    head = null
    const archive = describeArchive(bytes)
    if (archive !== null) throw new JUnitError('not_xml', archive, { line: 1, column: 1 })
    decoder = decoderFor(detectEncoding(bytes))
    return decoder.write(bytes)
  }

  return {
    write(bytes) {
      if (decoder !== null) return decoder.write(bytes)
      const seen = head === null || head.length === 0 ? bytes : joined(head, bytes)
      if (seen.length >= HEAD_BYTES || seen.includes(GREATER_THAN)) return decide(seen)
      // A copy: the caller may use its buffer again.
      head = seen.slice()
      return ''
    },
    end() {
      const rest = decoder === null && head !== null ? decide(head) : ''
      return rest + (decoder?.end() ?? '')
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

function decoderFor(label: string): ByteDecoder {
  let decoder: InstanceType<typeof TextDecoder>
  try {
    decoder = new TextDecoder(label, { ignoreBOM: true })
  } catch {
    return createUtf8Decoder()
  }
  const declared = !/^utf-16[bl]e$/.test(label)
  if (decoder.encoding === 'utf-8' || (declared && decoder.encoding.startsWith('utf-16'))) return createUtf8Decoder()
  return {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  }
}

/**
 * The same as a streaming TextDecoder, many times faster: Node has a quick way only for whole texts, so each piece is cut
 * before its last character when that one is unfinished.
 */
function createUtf8Decoder(): ByteDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let carried = new Uint8Array(0)
  return {
    write(bytes) {
      const all = carried.length === 0 ? bytes : joined(carried, bytes)
      const whole = all.length - unfinishedBytes(all)
      carried = all.slice(whole)
      return decoder.decode(all.subarray(0, whole))
    },
    end() {
      const rest = decoder.decode(carried)
      carried = new Uint8Array(0)
      return rest
    },
  }
}

/** How many bytes at the end begin a UTF-8 character without finishing it: 0 to 3. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0b1100_0000) === 0b1000_0000) continue
    const length = byte >= 0b1111_0000 ? 4 : byte >= 0b1110_0000 ? 3 : byte >= 0b1100_0000 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
