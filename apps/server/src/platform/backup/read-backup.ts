import { stat } from 'node:fs/promises'

import { toFileError } from './backup-error.ts'
import {
  type BackupHeader,
  type BackupTable,
  formatTableLine,
  parseChecksum,
  parseHeader,
  parseRowCounts,
} from './backup-format.ts'
import { damagedError, notBackupError, openTextReader, type TextReader } from './text-reader.ts'

/** Receives the contents of a backup in their order. */
export interface BackupVisitor {
  /** Called once, before the rows. */
  onHeader?(header: BackupHeader): Promise<void>
  /** Consumes the rows of a table; returns their number, or null if it did not count them. */
  onTable(table: BackupTable, rows: AsyncGenerator<Buffer>): Promise<number | null>
}

export interface ReadOptions {
  signal?: AbortSignal
  /** @param fraction how much of the file has been read, from 0 to 1 */
  onProgress?(table: string, fraction: number): void
}

/** A backup that is complete. */
export interface CompleteBackup {
  header: BackupHeader
  rowCount: number
}

/**
 * Reads a backup to its end.
 * @throws {BackupError} when it is incomplete, damaged, or no backup: at the end at the latest
 */
export async function readBackup(
  file: string,
  { onHeader, onTable }: BackupVisitor,
  options: ReadOptions = {},
): Promise<CompleteBackup> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw toFileError('read', file, error)
  })
  const reader = openTextReader(file)
  try {
    const header = parseHeader((await reader.readLine()) ?? fail(notBackupError(file)), file)
    await onHeader?.(header)
    const rowCounts: (number | null)[] = []
    for (const table of header.tables) {
      if (`${await reader.readLine()}\n` !== formatTableLine(table)) throw unexpectedError(file)
      const rows = reportProgress(reader, options, (bytes) => options.onProgress?.(table.name, bytes / size))
      rowCounts.push(await onTable(table, rows))
    }
    const rowCount = await readEnd(reader, rowCounts, file)
    return { header, rowCount }
  } finally {
    reader.close()
  }
}

/**
 * Checks that a backup is complete and undamaged.
 * @throws {BackupError} when it is not
 */
export const verifyBackup = (file: string, options: ReadOptions = {}): Promise<CompleteBackup> =>
  readBackup(
    file,
    {
      async onTable(_table, rows) {
        for await (const _ of rows) options.signal?.throwIfAborted()
        return null
      },
    },
    options,
  )

async function* reportProgress(
  reader: TextReader,
  { signal }: ReadOptions,
  onFileBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of reader.readRows()) {
    signal?.throwIfAborted()
    onFileBytes(reader.getFileBytes())
    yield chunk
  }
}

/** Reads what follows the tables, and compares it with what was read. Returns the number of all rows. */
async function readEnd(reader: TextReader, rowCounts: readonly (number | null)[], file: string): Promise<number> {
  const expected = parseRowCounts((await reader.readLine()) ?? '')
  const checksum = reader.getChecksum()
  if (expected?.length !== rowCounts.length) throw unexpectedError(file)
  if (parseChecksum((await reader.readLine()) ?? '') !== checksum) throw damagedError(file, 'its checksum is wrong')
  if ((await reader.readLine()) !== null) throw damagedError(file, 'something follows its end')
  const hasOtherCount = rowCounts.some((count, index) => count !== null && count !== expected[index])
  if (hasOtherCount) throw damagedError(file, 'it has another number of rows than it states')
  return expected.reduce((sum, count) => sum + count, 0)
}

const unexpectedError = (file: string) => damagedError(file, 'its contents have another order than its header')

function fail(error: Error): never {
  throw error
}
