import { Readable } from 'node:stream'

import { formatSpreadsheetCsv } from '@caseward/case-files/csv'
import { MAX_AUDIT_CSV_ROWS } from '@caseward/contract/audit'

import type { Database } from '../../platform/database/connect.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { toIsoTimestamp } from '../../platform/database/timestamp-text.ts'
import { type AuditFilter, CSV_HEADERS, selectAuditRows } from './audit.queries.ts'

/** One query reads this many rows, and only they are in memory. */
const ROWS_PER_QUERY = 1000

const AT_INDEX = CSV_HEADERS.indexOf('at')

/**
 * Streams entries as CSV, at most {@link MAX_AUDIT_CSV_ROWS}. The first query runs before the stream starts, so that an
 * unavailable database is still reported as a problem.
 */
export async function streamAuditCsv(db: Database, filter: AuditFilter): Promise<Readable> {
  const firstRows = await selectAuditRows(db, filter, ROWS_PER_QUERY)
  return Readable.from(generateCsv(db, filter, firstRows), { objectMode: false })
}

async function* generateCsv(db: Database, filter: AuditFilter, firstRows: readonly TextRow[]): AsyncGenerator<string> {
  yield formatRows([CSV_HEADERS])
  let rows = firstRows
  for (let count = rows.length; rows.length > 0; count += rows.length) {
    yield formatRows(rows.map(withIsoTime))
    const lastId = rows.at(-1)?.[0]
    if (rows.length < ROWS_PER_QUERY || count >= MAX_AUDIT_CSV_ROWS || typeof lastId !== 'string') return
    rows = await selectAuditRows(db, { ...filter, after: lastId }, ROWS_PER_QUERY)
  }
}

/** Users choose names: a spreadsheet must not run one as a formula. */
const formatRows = (rows: readonly TextRow[]): string =>
  formatSpreadsheetCsv(rows.map((row) => row.map((cell) => cell ?? '')))

const withIsoTime = (row: TextRow): TextRow => row.with(AT_INDEX, toIsoTimestamp(row[AT_INDEX] ?? ''))
