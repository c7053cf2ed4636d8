import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { BackupError, toFileError } from './backup-error.ts'
import { END_OF_ROWS } from './backup-format.ts'

/** Longer than the header of any backup; a file of another kind may have no line breaks. */
const MAX_LINE_BYTES = 16 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const LINE_BREAK = '\n'.charCodeAt(0)
/** Rows end in a line break, and an empty table follows one. */
const ROWS_END = Buffer.from(`\n${END_OF_ROWS}`)

/** Reads the text of a backup from its start to its end, without keeping it in memory. */
export interface TextReader {
  /** Reads a line without its line break; null at the end of the file. */
  readLine(): Promise<string | null>
  /** Yields the rows of a table, and reads the line after them. */
  readRows(): AsyncGenerator<Buffer>
  /** Returns the SHA-256 of what has been read. */
  getChecksum(): string
  /** Returns how many bytes of the compressed file have been read. */
  getFileBytes(): number
  close(): void
}

/**
 * Opens a compressed file.
 * @throws {BackupError} from its methods, when the file cannot be read or is damaged
 */
export function openTextReader(file: string): TextReader {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  // Errors of both arrive at the iterator.
  const text = pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), () => {})
  const chunks = text[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const hash = createHash('sha256')
  let buffer: Buffer = Buffer.alloc(0)

  const readChunk = async (): Promise<boolean> => {
    const { value, done } = await chunks.next().catch((error: unknown) => {
      throw toReadError(file, error)
    })
    if (done === true) return false
    buffer = buffer.length === 0 ? value : Buffer.concat([buffer, value])
    return true
  }
  const take = (length: number): Buffer => {
    const bytes = buffer.subarray(0, length)
    buffer = buffer.subarray(length)
    hash.update(bytes)
    return bytes
  }

  return {
    async readLine() {
      let end: number
      while ((end = buffer.indexOf(LINE_BREAK)) === -1) {
        if (buffer.length > MAX_LINE_BYTES) throw notBackupError(file)
        if (!(await readChunk())) {
          if (buffer.length > 0) throw damagedError(file, 'it ends within a line')
          return null
        }
      }
      return take(end + 1).toString('utf8', 0, end)
    },
    async *readRows() {
      // The line before the rows has been read with its line break, which the end of an empty table needs.
      while (buffer.length < END_OF_ROWS.length && (await readChunk())) continue
      if (buffer.toString('latin1', 0, END_OF_ROWS.length) === END_OF_ROWS) {
        take(END_OF_ROWS.length)
        return
      }
      let end: number
      while ((end = buffer.indexOf(ROWS_END)) === -1) {
        // The last bytes may be the beginning of the end.
        const length = buffer.length - ROWS_END.length + 1
        if (length > 0) yield take(length)
        if (!(await readChunk())) throw damagedError(file, 'it ends within a table')
      }
      yield take(end + 1)
      take(END_OF_ROWS.length)
    },
    getChecksum: () => hash.copy().digest('hex'),
    getFileBytes: () => source.bytesRead,
    close: () => void source.destroy(),
  }
}

function toReadError(file: string, error: unknown): unknown {
  const code = error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? '') : ''
  // zlib reports a file that is no gzip file like one with other errors in its header.
  if (code === 'Z_DATA_ERROR' && (error as Error).message === 'incorrect header check') return notBackupError(file)
  if (code === 'Z_BUF_ERROR') return damagedError(file, 'it is incomplete')
  if (code.startsWith('Z_')) return damagedError(file, 'it cannot be decompressed')
  return toFileError('read', file, error)
}

export const notBackupError = (file: string): BackupError => new BackupError(`${file} is not a backup of Caseward.`)

export const damagedError = (file: string, reason: string): BackupError =>
  new BackupError(`${file} is damaged: ${reason}. Use another backup.`)
