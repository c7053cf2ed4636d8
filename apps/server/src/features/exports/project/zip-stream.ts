import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'

import { ZipFile } from 'yazl'

/** A file in an archive. */
export interface ZipEntry {
  name: string
  content: AsyncIterable<string | Uint8Array>
  /** Whether packing it again saves nothing. */
  isPacked?: boolean
}

/**
 * Packs files into an archive while it is read: each file is read when it is its turn, at the pace of the reader.
 * @param mtime of all files
 */
export function createZipStream(entries: AsyncIterable<ZipEntry>, mtime: Date): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const add = async () => {
    for await (const { name, content, isPacked = false } of entries) {
      const source = Readable.from(content, { objectMode: false })
      const stop = () => source.destroy()
      output.once('close', stop)
      zip.addReadStream(source, name, { mtime, compress: !isPacked })
      await finished(source)
      output.off('close', stop)
    }
    zip.end()
  }
  // Half an archive is refused by whoever opens it.
  zip.on('error', (error) => output.destroy(error))
  add().catch((error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))))
  return output
}
