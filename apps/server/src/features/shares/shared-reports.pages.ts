import { EXPORT_FIELDS, ExportFormatQuery } from '@caseward/contract/exports'
import type { SharePart } from '@caseward/contract/shares'
import type { FastifyError } from 'fastify'
import { Type } from 'typebox'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { createFairSlots } from '../../platform/fair-slots.ts'
import type { App } from '../../platform/http/app.ts'
import { toProblem } from '../../platform/http/errors.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem, Problem } from '../../platform/http/problems.ts'
import { servePageAsset } from '../../platform/pages/page-asset.ts'
import { type ExportColumn, orderColumns } from '../exports/export-columns.ts'
import type { ExportedResults } from '../exports/export-rows.ts'
import { haveCombinations } from '../exports/exported-run.queries.ts'
import { sendExport } from '../exports/send-export.ts'
import { formatDisposition } from '../files/content-headers.ts'
import { redirectToFilesOrigin } from '../files/files-origin.ts'
import { requireFile, sendFile } from '../files/send-file.ts'
import { createHidePeople, selectPeople, showMentions } from './hide-people.ts'
import { openShare, shareNotFoundProblem } from './open-share.ts'
import { type ReportHead, readReport, readReportHead } from './read-report.ts'
import type { OpenedShare } from './shares.queries.ts'
import { renderReportError } from './render-report-error.ts'
import { renderReport } from './render-report.ts'
import { selectSharedFile } from './report-details.queries.ts'
import { selectReportRuns } from './report-runs.queries.ts'
import { createSharedHeaders, reportStylesheet, sendReportPage } from './report-page.ts'

const params = Type.Object({ secret: Type.String() })
const fileParams = Type.Object({ ...params.properties, attachment_id: Type.String() })
const pageQuery = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  all: Type.Optional(Type.Integer({ minimum: 1, maximum: 1 })),
})
const exportQuery = Type.Object({ format: ExportFormatQuery })

/** Reports that are read at the same time on this server, and of one share. A report of long runs takes seconds. */
const MAX_REPORTS = 4
const MAX_REPORTS_OF_SHARE = 2
const MAX_WAIT_MS = 10_000

/** What a column shows, if the report must include it. */
const partOfColumn: Readonly<Partial<Record<ExportColumn, SharePart>>> = {
  note: 'notes',
  tested_by: 'people',
  defects: 'links',
  links: 'links',
  files: 'files',
}

/**
 * `/shared/:secret`, for whoever has the address: rendered by the server, without scripts, cookies, or links into the app. The
 * pages have a scope of their own, in which errors look like them.
 */
export function sharedReportPages(parent: App, deps: Deps): void {
  const { db } = deps
  const sharedHeaders = createSharedHeaders(deps.contentSources)
  const slots = createFairSlots({
    count: MAX_REPORTS,
    maxPerOwner: MAX_REPORTS_OF_SHARE,
    maxWaitMs: MAX_WAIT_MS,
    createTimeoutError: busyProblem,
  })

  servePageAsset(parent, reportStylesheet)
  void parent.register(async (pages: App) => {
    pages.addHook('onRequest', async (_request, reply) => {
      void reply.headers(sharedHeaders)
    })
    pages.setErrorHandler<FastifyError | Problem>((error, request, reply) => {
      const problem = toProblem(error, request)
      void reply.headers(problem.headers).headers(sharedHeaders).code(problem.statusCode)
      return sendReportPage(reply, renderReportError(problem, request.id))
    })

    pages.get('/shared/:secret', { schema: { hide: true, params, querystring: pageQuery } }, async (request, reply) => {
      const { secret } = request.params
      const { page = 1, all } = request.query
      const share = await openShare(deps, 'shared-pages', request, reply, secret)
      const release = await slots.take(share.id)
      try {
        const report = await readReport(db, share, all === 1 ? 'all' : { number: page }, new Date())
        if (report === null) throw shareNotFoundProblem()
        if (page === 1 && request.method === 'GET') deps.shareViews.add(share.id)
        return sendReportPage(reply, renderReport(report, secret))
      } finally {
        release()
      }
    })

    pages.get(
      '/shared/:secret/export',
      { schema: { hide: true, params, querystring: exportQuery } },
      async (request, reply) => {
        const { format = 'csv' } = request.query
        const share = await openShare(deps, 'shared-pages', request, reply, request.params.secret)
        const release = await slots.take(share.id)
        const head = await readReportHead(db, share, new Date()).finally(release)
        if (head === null) throw shareNotFoundProblem()
        const results = await describeExport(db, share, head)
        return await sendExport(reply, deps, {
          format,
          results,
          count: head.total,
          name: share.name,
          ownerId: share.id,
        })
      },
    )

    pages.get(
      '/shared/:secret/files/:attachment_id',
      { schema: { hide: true, params: fileParams } },
      async (request, reply) => {
        const { secret, attachment_id: id } = request.params
        const share = await openShare(deps, 'shared-files', request, reply, secret)
        const { id: projectId } = share.project
        if (!share.include.has('files') || !isUuid(id)) throw notFoundProblem('file')
        const runs = await selectReportRuns(db, projectId, share.subject)
        const runIds = runs.filter(({ hasAttachments }) => hasAttachments).map((run) => run.id)
        const found = await selectSharedFile(db, projectId, runIds, id)
        if (found === undefined) throw notFoundProblem('file')
        const file = await requireFile(db, projectId, found.fileId)
        const content = { projectId, fileId: file.id, viewerId: share.id, name: found.name, isDownload: false }
        const redirected = await redirectToFilesOrigin(request, reply, deps, content)
        if (redirected !== null) return redirected
        const disposition = formatDisposition(file.mediaType, found.name, false)
        return await sendFile(request, reply, { file, disposition, projectId, ...deps })
      },
    )
  })
}

/** The results of a report as a file has them: only what the report includes. */
async function describeExport(
  db: Database,
  { include, subject, project }: OpenedShare,
  { units, runs }: ReportHead,
): Promise<ExportedResults> {
  const hasCombinations = await haveCombinations(
    db,
    runs.map(({ id }) => id),
  )
  const chosen = EXPORT_FIELDS.filter(
    (field) => isShown(include, partOfColumn[field]) && (field !== 'combinations' || hasCombinations),
  )
  const adaptText = include.has('people') ? showMentions : createHidePeople(await selectPeople(db, project.id))
  return {
    project,
    sources: units.map(({ source }) => source),
    columns: orderColumns(subject.kind === 'milestone' ? ['run', ...chosen] : chosen),
    runNames: new Map(runs.map(({ id, name }) => [id, name])),
    adapt: (record) => ({
      ...record,
      title: adaptText(record.title),
      note: record.note === null ? null : adaptText(record.note),
      fileNames: record.fileNames.map(adaptText),
      combinations: record.combinations.map((one) => ({
        ...one,
        name: adaptText(one.name),
        note: one.note === null || !include.has('notes') ? null : adaptText(one.note),
      })),
    }),
  }
}

const isShown = (include: ReadonlySet<SharePart>, part: SharePart | undefined) =>
  part === undefined || include.has(part)

const busyProblem = () =>
  new Problem(503, 'busy', 'Many reports are being opened at this moment. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  })
