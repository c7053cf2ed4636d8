import { BODY_LIMIT } from '@caseward/contract/endpoint'
import { uploadResults, type UploadBody } from '@caseward/contract/uploads'
import type { FastifyError, FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import { checkProjectPermission } from '../../access/permissions.ts'
import { streamJson } from '../../platform/http/stream-json.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requirePrincipal, requireRun } from '../../access/request.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { toProblem } from '../../platform/http/errors.ts'
import { invalidFieldProblem, notFoundProblem, type Problem } from '../../platform/http/problems.ts'
import { limitBytes } from './limit-bytes.ts'
import { storeUpload } from './store-upload.ts'
import { applyQueryDefaults } from './upload-query.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A raw XML body, not yet read. */
    xml: AsyncIterable<Uint8Array> | null
    /** Why the caller may not upload into the run, as far as the run is known; null when it may. */
    uploadProblem: Problem | null
  }
}

/** Has its own scope, since only here a body may be XML. */
export function uploadsRoutes(parent: App, { db, projectCache: places }: Deps): void {
  void parent.register(async (app: App) => {
    app.decorateRequest('xml', null)
    app.decorateRequest('uploadProblem', null)
    app.setErrorHandler<FastifyError | Problem>((error, request) => {
      throw pickProblem(toProblem(error, request), request.uploadProblem)
    })
    app.addContentTypeParser(['application/xml', 'text/xml'], (request, payload, done) => {
      // It stays a stream, to be parsed as it comes in; the rest of what a JSON body would say is in the query.
      request.xml = limitBytes(payload, BODY_LIMIT.upload)
      done(null, { format: 'junit' } satisfies Partial<UploadBody>)
    })

    app.route({
      ...uploadResults,
      config: { ...uploadResults.config, otherMediaTypes: ['application/xml'], checksOwnPermission: true },
      onRequest: async (request) => {
        // Until the query or the body names the run, a CI token is checked for its own project.
        const principal = requirePrincipal(request)
        request.uploadProblem = checkUpload(request, principal.kind === 'ci' ? principal.projectId : '')
        await resolveUploadRun(request, places, request.query.run_id)
      },
      preValidation: async (request) => {
        const { run_id: named } = (request.body ?? {}) as { run_id?: unknown }
        await resolveUploadRun(request, places, named)
        if (request.uploadProblem !== null) throw request.uploadProblem
        applyQueryDefaults(request.query, request.body)
      },
      handler: async (request, reply) => {
        const run = requireRun(request)
        const { dry_run: dryRun = false, finished_at: finished } = request.body
        const finishedAt = finished === undefined ? null : parseTimestamp(finished)
        const receipt = await storeUpload(db, run, readSource(request.body, request.xml), { dryRun, finishedAt })
        if (receipt.success) return reply.code(200).send(receipt)
        const { errors, ...counts } = receipt
        return sendJson(reply.code(207), streamJson(counts, 'errors', errors))
      },
    })
  })
}

/**
 * Sets the run that the query names, or the body after all, and whether the caller may upload into it: that comes before
 * any word on the body.
 */
async function resolveUploadRun(request: FastifyRequest, places: Deps['projectCache'], id: unknown): Promise<void> {
  if (typeof id !== 'string') return
  const run = await places.findRun(id)
  const principal = requirePrincipal(request)
  if (run === null || (principal.kind === 'ci' && run.project.id !== principal.projectId)) {
    request.uploadProblem = notFoundProblem('run')
    return
  }
  request.run = run
  request.project = run.project
  request.uploadProblem = checkUpload(request, run.project.id)
}

const checkUpload = (request: FastifyRequest, projectId: string) =>
  checkProjectPermission(requirePrincipal(request), uploadResults.config.permission, projectId, request.method)

const PRECEDES_PERMISSION = new Set([401, 404, 429])

/** The permission problem comes before any other, so that only callers with the permission learn of errors in the body. */
const pickProblem = (problem: Problem, uploadProblem: Problem | null): Problem =>
  uploadProblem === null || problem.statusCode >= 500 || PRECEDES_PERMISSION.has(problem.statusCode)
    ? problem
    : uploadProblem

/** What the request brings: result items, or a JUnit report. */
function readSource({ format, results, junit_xml: xml }: UploadBody, stream: FastifyRequest['xml']) {
  if (stream !== null) return { junit: stream }
  if (format === 'junit' || (format === undefined && results === undefined && xml !== undefined)) {
    if (xml === undefined) throw invalidFieldProblem('/junit_xml', 'is required when format is junit')
    return { junit: xml }
  }
  if (results === undefined) throw invalidFieldProblem('/results', 'is required unless junit_xml is given')
  return { items: results }
}
