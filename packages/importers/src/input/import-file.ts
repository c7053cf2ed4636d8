import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'

/** A file to import. It is read several times: to recognize it, to see what it contains, and to read its records. */
export interface ImportFile {
  readonly name: string
  readonly byteCount: number
  /** @param start of the part, 0 by default @param end behind the part, the end of the file by default */
  read(start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** A file whose bytes are in memory. */
export function fromBytes(name: string, bytes: Uint8Array): ImportFile {
  return {
    name,
    byteCount: bytes.length,
    // oxlint-disable-next-line require-await -- an iterable of bytes that are there
    async *read(start = 0, end = bytes.length) {
      for (let at = start; at < end; at += PIECE_BYTES) yield bytes.subarray(at, Math.min(at + PIECE_BYTES, end))
    },
  }
}

/** A file on the disk. */
export async function fromPath(path: string): Promise<ImportFile> {
  const { size } = await stat(path)
  return {
    name: basename(path),
    byteCount: size,
    async *read(start = 0, end = size) {
      if (end <= start) return
      const stream = createReadStream(path, { start, end: end - 1, highWaterMark: PIECE_BYTES })
      for await (const piece of stream) yield piece as Uint8Array
    },
  }
}

const PIECE_BYTES = 65_536

/** Reads a part as a whole. */
export async function readBytes(file: ImportFile, start: number, end: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of file.read(start, Math.min(end, file.byteCount))) pieces.push(piece)
  return Buffer.concat(pieces)
}
