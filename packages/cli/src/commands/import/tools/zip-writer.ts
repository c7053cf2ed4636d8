import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflateRaw } from 'node:zlib'

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string
  readonly content: AsyncIterable<string | Uint8Array> | Iterable<string>
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const LOCAL_HEADER = 0x04034b50
const DESCRIPTOR = 0x08074b50
const CENTRAL_HEADER = 0x02014b50
const END = 0x06054b50
const VERSION = 20
/** Sizes follow the content, and names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
/** 1 January 1980, so that equal contents are equal archives. */
const DATE = 0x0021

/** What both headers of a file say of it. */
const commonFields = (crc: number, packed: number, unpacked: number, name: number) => [
  [2, VERSION],
  [2, FLAGS],
  [2, DEFLATE],
  [2, 0],
  [2, DATE],
  [4, crc],
  [4, packed],
  [4, unpacked],
  [2, name],
  [2, 0],
]

/** Writes an archive of up to 4 GB, file by file, which needs no more memory than a piece of it. */
export async function writeZip(path: string, entries: AsyncIterable<ZipEntry>): Promise<void> {
  const partial = `${path}.part`
  await pipeline(Readable.from(packEntries(entries), { objectMode: false }), createWriteStream(partial))
  await rename(partial, path)
}

async function* packEntries(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of entries) {
    const nameBytes = Buffer.from(name)
    const start = offset
    const header = Buffer.concat([toBytes([[4, LOCAL_HEADER], ...commonFields(0, 0, 0, nameBytes.length)]), nameBytes])
    yield header
    offset += header.length
    const size = { crc: 0xffffffff, packed: 0, unpacked: 0 }
    const deflate = createDeflateRaw()
    const packing = pipeline(Readable.from(countBytes(content, size), { objectMode: false }), deflate)
    // A failure ends the loop below, too, which reports it.
    packing.catch(() => undefined)
    for await (const piece of deflate as AsyncIterable<Buffer>) {
      size.packed += piece.length
      yield piece
    }
    await packing
    const crc = (size.crc ^ 0xffffffff) >>> 0
    const descriptor = toBytes([
      [4, DESCRIPTOR],
      [4, crc],
      [4, size.packed],
      [4, size.unpacked],
    ])
    yield descriptor
    offset += size.packed + descriptor.length
    directory.push(
      toBytes([
        [4, CENTRAL_HEADER],
        [2, VERSION],
        ...commonFields(crc, size.packed, size.unpacked, nameBytes.length),
        // No comment, one disk, no attributes.
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, start],
      ]),
      nameBytes,
    )
  }
  const list = Buffer.concat(directory)
  const count = directory.length / 2
  yield list
  yield toBytes([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, list.length],
    [4, offset],
    [2, 0],
  ])
}

async function* countBytes(
  content: ZipEntry['content'],
  size: { crc: number; unpacked: number },
): AsyncGenerator<Buffer> {
  for await (const piece of content) {
    const bytes = Buffer.from(piece)
    size.unpacked += bytes.length
    for (const byte of bytes) size.crc = (CRC_TABLE[(size.crc ^ byte) & 0xff] ?? 0) ^ (size.crc >>> 8)
    yield bytes
  }
}

/** Numbers of 2 and 4 bytes, the lowest byte first. */
function toBytes(fields: readonly (readonly number[])[]): Buffer {
  return Buffer.concat(
    fields.map(([byteCount = 2, value = 0]) => {
      const bytes = Buffer.alloc(byteCount)
      bytes.writeUIntLE(value, 0, byteCount)
      return bytes
    }),
  )
}
