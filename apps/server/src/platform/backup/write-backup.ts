import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import type pg from 'pg'
import copyStreams from 'pg-copy-streams'

import { version } from '../version.ts'
import {
  type BackupHeader,
  type BackupTable,
  END_OF_ROWS,
  formatChecksum,
  formatHeader,
  formatRowCounts,
  formatTableLine,
  quoteColumns,
  quoteName,
} from './backup-format.ts'
import { createFileAtomically } from './create-file-atomically.ts'
import { selectSequences } from './catalog.queries.ts'
import { withSnapshot } from './session.ts'

/** The first level compresses test results to a sixth, and is several times as fast as the default. */
const GZIP = { level: 1, chunkSize: 256 * 1024 }
/** Rows are collected until there are this many bytes. */
const CHUNK_BYTES = 256 * 1024

/** How far a backup or restore is. */
export interface Progress {
  table: string
  /** How many bytes of rows have been copied, over all tables. */
  bytes: number
}

export interface CopyOptions {
  signal?: AbortSignal
  onProgress?(progress: Progress): void
}

/** What was written. */
export interface WrittenBackup {
  tableCount: number
  rowCount: number
  /** The size of the file. */
  bytes: number
}

/**
 * Writes all tables, as they are at one moment, to a new file that only its owner can read. The file has its name only when
 * it is complete and on disk.
 * @param client a connection for this only, to be closed afterwards
 * @throws {BackupError} when the file exists or cannot be written
 */
export async function writeBackup(
  client: pg.ClientBase,
  file: string,
  options: CopyOptions = {},
): Promise<WrittenBackup> {
  return await withSnapshot(client, (tables) => writeSnapshot(client, tables, file, options))
}

/** Writes the tables as the current transaction sees them; see {@link withSnapshot}. */
export async function writeSnapshot(
  client: pg.ClientBase,
  tables: readonly BackupTable[],
  file: string,
  options: CopyOptions,
): Promise<WrittenBackup> {
  const header = await createHeader(client, [...tables])
  const written = { tableCount: tables.length, rowCount: 0 }
  const bytes = await createFileAtomically(file, async (temporary) => {
    const target = createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true })
    const text = Readable.from(generateText(client, header, options, written), { objectMode: false })
    await pipeline(text, createGzip(GZIP), target, { signal: options.signal })
    return target.bytesWritten
  })
  return { ...written, bytes }
}

async function createHeader(client: pg.ClientBase, tables: BackupTable[]): Promise<BackupHeader> {
  const migrations = await client.query<{ name: string }>('select name from public.kysely_migration order by name')
  const server = await client.query<{ version: string }>(`select current_setting('server_version') as version`)
  return {
    created_at: new Date().toISOString(),
    caseward_version: version,
    postgres_version: server.rows[0]?.version ?? '',
    migrations: migrations.rows.map(({ name }) => name),
    tables,
    sequences: await selectSequences(client),
  }
}

/** Yields the text of a backup, and adds its rows to `written`. */
async function* generateText(
  client: pg.ClientBase,
  header: BackupHeader,
  { onProgress }: CopyOptions,
  written: { rowCount: number },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const add = (chunk: string | Buffer): Buffer => {
    hash.update(chunk)
    return typeof chunk === 'string' ? Buffer.from(chunk) : chunk
  }
  yield add(formatHeader(header))
  const rowCounts: number[] = []
  let bytes = 0
  for (const table of header.tables) {
    yield add(formatTableLine(table))
    const rows = client.query(copyStreams.to(`copy (select ${quoteColumns(table)} from ${quoteName(table)}) to stdout`))
    for await (const chunk of collectChunks(rows as AsyncIterable<Buffer>)) {
      yield add(chunk)
      bytes += chunk.length
      onProgress?.({ table: table.name, bytes })
    }
    yield add(END_OF_ROWS)
    // The number of rows arrives after the last of them, and before the response to another query.
    await client.query('select')
    rowCounts.push(rows.rowCount)
    written.rowCount += rows.rowCount
  }
  yield add(formatRowCounts(rowCounts))
  yield Buffer.from(formatChecksum(hash.digest('hex')))
}

/** Joins small chunks, because each takes a turn of the thread that compresses. */
async function* collectChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let collected: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    collected.push(chunk)
    size += chunk.length
    if (size < CHUNK_BYTES) continue
    yield Buffer.concat(collected)
    collected = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(collected)
}
