import pg from 'pg'

import { BackupError } from './backup-error.ts'

/*
 * A backup is one gzip stream of text, in the form of psql, so that it can be read without Caseward:
 *
 *   -- caseward-backup {"format_version":1, …}     the header
 *   COPY public.users (id, email, …) FROM stdin;   for each table: its rows in the text format of COPY, and a line `\.`
 *   -- rows [3, …]                                 how many rows each table has
 *   -- sha256 …                                    of everything before this line
 */

/** Increased when an older Caseward could not read the file. */
const FORMAT_VERSION = 1
const HEADER_PREFIX = '-- caseward-backup '
const ROWS_PREFIX = '-- rows '
const CHECKSUM_PREFIX = '-- sha256 '

/** The line after the rows of a table. No row is written like this, because COPY escapes backslashes. */
export const END_OF_ROWS = '\\.\n'

/** A table with the columns that are copied: all but the generated ones. */
export interface BackupTable {
  schema: string
  name: string
  columns: string[]
}

/** A sequence, with a value that may be larger than a safe integer. */
export interface BackupSequence {
  schema: string
  name: string
  last_value: string
  is_called: boolean
}

/** What a backup contains, and what wrote it. */
export interface BackupHeader {
  /** An ISO timestamp. */
  created_at: string
  caseward_version: string
  postgres_version: string
  /** The migrations that had run, in their order. */
  migrations: string[]
  /** In an order in which tables follow those that their foreign keys refer to. */
  tables: BackupTable[]
  sequences: BackupSequence[]
}

/** Returns the qualified and quoted name of a table or sequence. */
export const quoteName = ({ schema, name }: { schema: string; name: string }): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`

/** Returns the columns of a table for COPY and SELECT. */
export const quoteColumns = ({ columns }: BackupTable): string => columns.map(pg.escapeIdentifier).join(', ')

/** Returns the first line of a backup. */
export const formatHeader = (header: BackupHeader): string =>
  `${HEADER_PREFIX}${JSON.stringify({ format_version: FORMAT_VERSION, ...header })}\n`

/** Returns the line before the rows of a table. */
export const formatTableLine = (table: BackupTable): string =>
  `COPY ${quoteName(table)} (${quoteColumns(table)}) FROM stdin;\n`

/** Returns the line with the number of rows of each table. */
export const formatRowCounts = (rowCounts: readonly number[]): string => `${ROWS_PREFIX}${JSON.stringify(rowCounts)}\n`

/** Returns the last line. */
export const formatChecksum = (sha256: string): string => `${CHECKSUM_PREFIX}${sha256}\n`

/**
 * Parses the first line of a file.
 * @throws {BackupError} when it is no backup, or one that this version cannot read
 */
export function parseHeader(line: string, file: string): BackupHeader {
  const header = line.startsWith(HEADER_PREFIX) ? parseJson(line.slice(HEADER_PREFIX.length)) : null
  if (!isRecord(header) || typeof header['format_version'] !== 'number') {
    throw new BackupError(`${file} is not a backup of Caseward.`)
  }
  if (header['format_version'] > FORMAT_VERSION) {
    throw new BackupError(
      `${file} was written by a newer version of Caseward (${String(header['caseward_version'])}): use that version or a later one.`,
    )
  }
  if (!isHeader(header)) throw new BackupError(`${file} is damaged: its header is incomplete.`)
  return header
}

/** Returns the numbers of rows, or null when the line has another form. */
export function parseRowCounts(line: string): number[] | null {
  const counts = line.startsWith(ROWS_PREFIX) ? parseJson(line.slice(ROWS_PREFIX.length)) : null
  return Array.isArray(counts) && counts.every((count) => Number.isSafeInteger(count)) ? (counts as number[]) : null
}

/** Returns the checksum, or null when the line has another form. */
export const parseChecksum = (line: string): string | null =>
  line.startsWith(CHECKSUM_PREFIX) ? line.slice(CHECKSUM_PREFIX.length).trimEnd() : null

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

const hasTexts = (value: unknown, ...keys: string[]): value is Record<string, unknown> =>
  isRecord(value) && keys.every((key) => typeof value[key] === 'string')

function isHeader(value: unknown): value is BackupHeader {
  if (!hasTexts(value, 'created_at', 'caseward_version', 'postgres_version')) return false
  const { migrations, tables, sequences } = value
  return (
    isTextList(migrations) &&
    Array.isArray(tables) &&
    tables.every((table) => hasTexts(table, 'schema', 'name') && isTextList(table['columns'])) &&
    Array.isArray(sequences) &&
    sequences.every((item) => hasTexts(item, 'schema', 'name', 'last_value') && typeof item['is_called'] === 'boolean')
  )
}
