import { Readable } from 'node:stream'

import { MAX_XLSX_ROWS, type ExportPart, type ProjectExportFormat } from '@caseward/contract/exports'
import type { FastifyReply } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { createFairSlots, type FairSlots } from '../../../platform/fair-slots.ts'
import { notFoundProblem, Problem } from '../../../platform/http/problems.ts'
import { formatDisposition } from '../../files/content-headers.ts'
import type { TestCaseFilters } from '../../test-cases/test-case-filters.ts'
import { tooManyRowsProblem } from '../write-excel.ts'
import { chooseCases } from './case-sql.ts'
import { type ExportSnapshot, openExportSnapshot } from './export-snapshot.ts'
import type { ExportedProject } from './project-records.ts'
import { listBundleEntries, writeJson } from './write-bundle.ts'
import { listFeatures } from './write-gherkin.ts'
import { readCaseTable, writeCsv } from './write-tables.ts'
import { writeTestrailCsv } from './write-testrail-csv.ts'
import { createZipStream } from './zip-stream.ts'

export interface ProjectExportRequest {
  projectId: string
  format: ProjectExportFormat
  parts: readonly ExportPart[]
  hasStepRows: boolean
  filters: TestCaseFilters
  /** Whether people have their email addresses. */
  hasEmails: boolean
  /** Whose exports count together. */
  ownerId: string
}

/** A snapshot keeps PostgreSQL from cleaning up: few of them are open at a time, and none for long without a reader. */
const MAX_AT_ONCE = 2
const MAX_WAIT_MS = 20_000
const STALL_MS = 60_000

export const createExportSlots = (): FairSlots =>
  createFairSlots({ count: MAX_AT_ONCE, maxPerOwner: 1, maxWaitMs: MAX_WAIT_MS, createTimeoutError: busyProblem })

const busyProblem = () =>
  new Problem(503, 'busy', 'Other exports are being sent. Try again in a minute.', { headers: { 'retry-after': '30' } })

const TYPES: Readonly<Record<ProjectExportFormat, { mediaType: string; ending: string }>> = {
  bundle: { mediaType: 'application/zip', ending: 'caseward.zip' },
  json: { mediaType: 'application/json; charset=utf-8', ending: 'json' },
  csv: { mediaType: 'text/csv; charset=utf-8', ending: 'csv' },
  xlsx: { mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ending: 'xlsx' },
  'testrail-csv': { mediaType: 'text/csv; charset=utf-8', ending: 'testrail.csv' },
  gherkin: { mediaType: 'application/zip', ending: 'features.zip' },
}

/**
 * Sends a project as a file: all of it as it was at one moment, with one batch in memory at a time.
 * @throws {Problem} 404; 422 `too_many_rows` for a large Excel file; 503 when other exports take too long
 */
export async function sendProjectExport(
  reply: FastifyReply,
  deps: Pick<Deps, 'db' | 'fileStore' | 'excelFiles'>,
  slots: FairSlots,
  request: ProjectExportRequest,
): Promise<FastifyReply> {
  const release = await slots.take(request.ownerId)
  let snapshot: ExportSnapshot | null = null
  let hasEnded = false
  const end = async () => {
    if (hasEnded) return
    hasEnded = true
    release()
    await snapshot?.close().catch(() => {})
  }
  try {
    snapshot = await openExportSnapshot(deps.db)
    const project = await readProject(snapshot, request.projectId)
    const { format } = request
    const { mediaType, ending } = TYPES[format]
    void reply.type(mediaType)
    void reply.header('content-disposition', formatDisposition(mediaType, `${project.name}.${ending}`, true))
    if (format === 'xlsx') {
      const content = await writeExcel(deps, snapshot, project, request)
      await end()
      return await reply.send(content)
    }
    const stream = openStream(deps, snapshot, project, request, format)
    stream.once('close', () => void end())
    endStalled(stream)
    return await reply.send(stream)
  } catch (error) {
    await end()
    throw error
  }
}

/** @throws {Problem} 404 */
export async function readProject(snapshot: ExportSnapshot, id: string): Promise<ExportedProject> {
  const text = `
    select json_build_object('id', id, 'name', name, 'prefix', prefix, 'description', description)
    from projects where id = $1`
  for await (const [project] of snapshot.read<ExportedProject>(text, [id])) if (project !== undefined) return project
  throw notFoundProblem('project')
}

/** What filters that nothing can match choose. */
const NOTHING = { sql: 'false', values: [], isAll: false }

function openStream(
  deps: Pick<Deps, 'db' | 'fileStore'>,
  snapshot: ExportSnapshot,
  project: ExportedProject,
  { parts, hasStepRows, filters, hasEmails }: ProjectExportRequest,
  format: Exclude<ProjectExportFormat, 'xlsx'>,
): Readable {
  const cases = chooseCases(filters) ?? NOTHING
  const exportedAt = new Date()
  const table = { snapshot, project, cases, hasEmails, hasStepRows }
  const choice = { cases, hasEmails, hasRuns: parts.includes('runs'), hasFiles: parts.includes('files') }
  const bundle = { deps, snapshot, project, choice, exportedAt }
  switch (format) {
    case 'bundle':
      return createZipStream(listBundleEntries(bundle), exportedAt)
    case 'gherkin':
      return createZipStream(listFeatures(table), exportedAt)
    case 'json':
      return Readable.from(writeJson(bundle), { objectMode: false })
    case 'testrail-csv':
      return Readable.from(writeTestrailCsv(table), { objectMode: false })
    case 'csv':
      return Readable.from(writeCsv(table), { objectMode: false })
    default:
      return format satisfies never
  }
}

async function writeExcel(
  { excelFiles }: Pick<Deps, 'excelFiles'>,
  snapshot: ExportSnapshot,
  project: ExportedProject,
  { filters, hasStepRows, hasEmails, ownerId }: ProjectExportRequest,
): Promise<Buffer> {
  const cases = chooseCases(filters) ?? NOTHING
  const text = `select to_json(count(*)) from test_cases c where c.project_id = $1 and ${cases.sql}`
  for await (const [count = 0] of snapshot.read<number>(text, [project.id, ...cases.values])) {
    if (count > MAX_XLSX_ROWS) throw tooManyRowsProblem(count, 'test cases')
  }
  return await excelFiles.write(readCaseTable({ snapshot, project, cases, hasEmails, hasStepRows }), ownerId, {
    sheet: 'Test cases',
    noun: 'test cases',
  })
}

/** Ends a stream that nobody reads any more. */
function endStalled(stream: Readable): void {
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(() => stream.destroy(new Error('The client has stopped reading the export')), STALL_MS)
    timer.unref()
  }
  wait()
  stream.on('data', () => {
    clearTimeout(timer)
    wait()
  })
  // Only what is piped flows.
  stream.pause()
  stream.once('close', () => clearTimeout(timer))
}
