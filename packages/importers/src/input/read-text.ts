import { decodeText, type Encoding } from '@caseward/case-files/decode-text'

import { type ImportFile, readBytes } from './import-file.ts'

const SAMPLE_BYTES = 100_000

export interface TextEncoding {
  readonly encoding: Encoding
  /** Whether it follows from the bytes; otherwise it is a guess that the user must confirm. */
  readonly isCertain: boolean
}

/** Finds the encoding of a text. Whether it is UTF-8 is only known at its end, so the whole file is read as a stream. */
export async function findEncoding(file: ImportFile): Promise<TextEncoding> {
  const sample = await readBytes(file, 0, SAMPLE_BYTES)
  const start = decodeText(sample.length < file.byteCount ? cutCharacter(sample) : sample)
  if (start.encoding !== 'utf-8' || !(await isUtf8(file))) {
    if (start.encoding !== 'utf-8') return { encoding: start.encoding, isCertain: start.isCertain }
    // The first byte that is no UTF-8 comes late: the guess needs the bytes around it.
    const { encoding } = decodeText(await readAroundFault(file))
    return { encoding, isCertain: false }
  }
  return { encoding: 'utf-8', isCertain: true }
}

/** Without the incomplete character at the end. */
function cutCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return bytes.subarray(0, bytes.length - back)
    if (byte < 0x80) return bytes
  }
  return bytes
}

const isUtf8 = async (file: ImportFile) => (await findFault(file)) === null

async function findFault(file: ImportFile): Promise<number | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let at = 0
  try {
    for await (const piece of file.read()) {
      decoder.decode(piece, { stream: true })
      at += piece.length
    }
    decoder.decode()
    return null
  } catch {
    return at
  }
}

async function readAroundFault(file: ImportFile): Promise<Uint8Array> {
  const fault = (await findFault(file)) ?? 0
  return readBytes(file, fault, fault + SAMPLE_BYTES)
}

/** Reads a text piece by piece, without a byte order mark. */
export async function* readText(file: ImportFile, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const piece of file.read()) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}
