import { Readable } from 'node:stream'

import { formatSpreadsheetCsv } from '@caseward/case-files/csv'
import { type ExportFormat, MAX_XLSX_ROWS } from '@caseward/contract/exports'
import type { FastifyReply } from 'fastify'

import type { Database } from '../../platform/database/connect.ts'
import { formatDisposition } from '../files/content-headers.ts'
import { type ExportedResults, readExportRows } from './export-rows.ts'
import { type ExcelFiles, tooManyRowsProblem } from './write-excel.ts'

interface ExportRequest {
  format: ExportFormat
  results: ExportedResults
  /** The number of results, from counters. */
  count: number
  /** The name of the file without its ending. */
  name: string
  /** Whose Excel files count together. */
  ownerId: string
}

/**
 * Sends results as a file. CSV is streamed, and takes the memory of one batch; an Excel file is complete before it is sent.
 * @throws {Problem} 422 `too_many_rows`; 503 when other Excel files take too long
 */
export async function sendExport(
  reply: FastifyReply,
  { db, excelFiles }: { db: Database; excelFiles: ExcelFiles },
  { format, results, count, name, ownerId }: ExportRequest,
): Promise<FastifyReply> {
  if (format === 'xlsx' && count > MAX_XLSX_ROWS) throw tooManyRowsProblem(count)
  const rows = readExportRows(db, results)
  // The headings, and with them the folders: a failing database becomes a problem.
  const { value: headings } = await rows.next()
  void reply.header('content-disposition', formatDisposition('application/octet-stream', `${name}.${format}`, true))
  if (format === 'xlsx') {
    const content = await excelFiles.write(collect(headings ?? [], rows), ownerId)
    return reply.type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet').send(content)
  }
  return reply
    .type('text/csv; charset=utf-8')
    .send(Readable.from(generateCsv(headings ?? [], rows), { objectMode: false }))
}

/** Excel reads UTF-8 only with a byte order mark. */
async function* generateCsv(headings: string[][], rows: AsyncIterable<string[][]>): AsyncGenerator<string> {
  yield `\uFEFF${formatSpreadsheetCsv(headings)}`
  for await (const batch of rows) yield formatSpreadsheetCsv(batch)
}

async function* collect(headings: string[][], rows: AsyncIterable<string[][]>): AsyncGenerator<string[][]> {
  yield headings
  yield* rows
}
