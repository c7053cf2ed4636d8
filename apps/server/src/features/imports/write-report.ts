import { Readable } from 'node:stream'

import { formatSpreadsheetCsv } from '@caseward/case-files/csv'
import type { SimilarTestCase } from '@caseward/contract/duplicates'
import type { Import } from '@caseward/contract/import-schemas'
import { describeLoss } from '@caseward/importers/describe-loss'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { formatDisposition } from '../files/content-headers.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

interface ReportedRecord {
  seq: number
  kind: string
  key: string | null
  title: string
  action: string | null
  target: string | null
  changed: string[]
  losses: string[]
  similar: SimilarTestCase[]
}

const PAGE = 1000

/** Reads the records of an import, a page at a time. */
async function* readReported(db: Database, project: ProjectRef, id: string): AsyncGenerator<ReportedRecord[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<ReportedRecord>`
      select seq, kind, key, title, action, target, changed, losses, coalesce(planned -> 'similar_cases', '[]') as "similar"
      from import_records
      where project_id = ${project.id} and import_id = ${id} and seq > ${after}
      order by seq limit ${PAGE}`.execute(db)
    if (rows.length > 0) {
      yield rows.map((row) => {
        const isCase = row.kind === 'case' && row.target !== null
        return { ...row, target: isCase ? formatTestCaseId(project.prefix, Number(row.target)) : row.target }
      })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = last.seq
  }
}

const HEADINGS = [
  'Number',
  'Kind',
  'Id in the source',
  'Title',
  'What happened',
  'Here',
  'Changed',
  'Not as in the source',
  'What that means',
  'Similar here',
]

/** The report as CSV, a row for each object of the source. */
async function* writeReportCsv(db: Database, project: ProjectRef, id: string): AsyncGenerator<string> {
  // Excel reads UTF-8 only with a byte order mark.
  yield `\uFEFF${formatSpreadsheetCsv([HEADINGS])}`
  for await (const records of readReported(db, project, id)) {
    yield formatSpreadsheetCsv(
      records.map(({ seq, kind, key, title, action, target, changed, losses, similar }) => [
        String(seq),
        kind,
        key ?? '',
        title,
        action ?? '',
        target ?? '',
        changed.join(', '),
        losses.join(', '),
        losses.map(describeLoss).join(' '),
        similar.map((testCase) => testCase.id).join(', '),
      ]),
    )
  }
}

/** The report as JSON: the import with its plan and proof, and the records. */
async function* writeReportJson(db: Database, project: ProjectRef, data: Import): AsyncGenerator<string> {
  yield `{"import":${JSON.stringify(data)},"records":[`
  let isFirst = true
  for await (const records of readReported(db, project, data.id)) {
    yield `${isFirst ? '\n' : ',\n'}${records.map((record) => JSON.stringify(record)).join(',\n')}`
    isFirst = false
  }
  yield '\n]}\n'
}

/** Sends the report of an import, with one page of its records in memory. */
export async function sendReport(
  reply: FastifyReply,
  db: Database,
  project: ProjectRef,
  data: Import,
  format: 'json' | 'csv',
): Promise<FastifyReply> {
  const text = format === 'csv' ? writeReportCsv(db, project, data.id) : writeReportJson(db, project, data)
  const mediaType = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8'
  void reply.header('content-disposition', formatDisposition(mediaType, `${data.name} report.${format}`, true))
  return await reply.type(mediaType).send(Readable.from(text, { objectMode: false }))
}
