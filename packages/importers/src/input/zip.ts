import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl'
import { Readable } from 'node:stream'

import { ImportProblem } from '../import-problem.ts'
import { LIMITS } from '../limits.ts'
import type { ImportFile } from './import-file.ts'

/** Lets yauzl read the parts that it needs. */
class FileReader extends RandomAccessReader {
  readonly #file: ImportFile
  constructor(file: ImportFile) {
    super()
    this.#file = file
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.read(start, end), { objectMode: false })
  }
}

const LINK = 0xa000
const FILE_TYPE = 0xf000

/**
 * Opens an archive: its files by their path, each read and unpacked only when it is asked for. Refuses what is larger than
 * it may be, counted while it is unpacked, since sizes in an archive can be wrong.
 * @throws {ImportProblem}
 */
export async function openZip(file: ImportFile): Promise<Map<string, ImportFile>> {
  const zip = await openArchive(file)
  const entries = await listEntries(zip)
  const budget = Math.min(LIMITS.unpackedBytes, Math.max(LIMITS.unpackedFreely, file.byteCount * LIMITS.unpackedRatio))
  if (entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) > budget) {
    throw tooLarge(`Unpacked, it would be more than ${Math.floor(budget / 2 ** 20)} MB.`)
  }
  return new Map(entries.map((entry) => [entry.fileName, toFile(zip, entry, budget)]))
}

const tooLarge = (sentence: string) =>
  new ImportProblem('zip_too_large', `The archive is too large. ${sentence} Split the export into several files.`)

const unreadable = (reason: string, cause?: unknown) =>
  new ImportProblem('unreadable_file', `The archive cannot be read: ${reason}. Export or pack the file again.`, {
    cause,
  })

const toReason = (error: unknown) => (error instanceof Error ? error.message : String(error))

function openArchive(file: ImportFile): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: false, validateEntrySizes: true }
    fromRandomAccessReader(new FileReader(file), file.byteCount, options, (error, zip) => {
      if (error) reject(unreadable(toReason(error), error))
      else resolve(zip)
    })
  })
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    if (zip.entryCount > LIMITS.zipEntries) return reject(tooLarge(`It has more than ${LIMITS.zipEntries} files.`))
    zip.on('entry', (entry: Entry) => {
      if (((entry.externalFileAttributes >>> 16) & FILE_TYPE) === LINK) {
        return reject(unreadable(`"${entry.fileName}" is a link`))
      }
      if (!entry.fileName.endsWith('/')) entries.push(entry)
      zip.readEntry()
    })
    zip.on('error', (error: unknown) => reject(unreadable(toReason(error), error)))
    zip.on('end', () => resolve(entries))
    zip.readEntry()
  })
}

function toFile(zip: ZipFile, entry: Entry, budget: number): ImportFile {
  return {
    name: entry.fileName,
    byteCount: entry.uncompressedSize,
    async *read(start = 0, end = Number.POSITIVE_INFINITY) {
      let at = 0
      const stream = await openEntry(zip, entry)
      try {
        for await (const piece of stream as AsyncIterable<Uint8Array>) {
          const from = Math.max(0, start - at)
          const to = Math.min(piece.length, end - at)
          at += piece.length
          if (at > budget) throw tooLarge(`"${entry.fileName}" is larger than the archive says.`)
          if (to > from) yield piece.subarray(from, to)
          if (at >= end) return
        }
      } catch (error) {
        if (error instanceof ImportProblem) throw error
        throw unreadable(`"${entry.fileName}" is damaged (${toReason(error)})`, error)
      } finally {
        stream.destroy()
      }
    },
  }
}

function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.isEncrypted()) {
    const advice = 'The archive is protected with a password. Save it without one, and try again.'
    return Promise.reject(new ImportProblem('encrypted', advice))
  }
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(unreadable(toReason(error), error))
      else resolve(stream)
    })
  })
}
