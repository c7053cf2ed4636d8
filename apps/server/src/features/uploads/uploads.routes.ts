import { BODY_LIMIT } from '@caseward/contract/endpoint'
import { uploadResults, type UploadBody } from '@caseward/contract/uploads'
import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import { checkProjectPermission } from '../../access/permissions.ts'
import type { ProjectCache, RunRef } from '../../access/project-cache.ts'
import { streamJson } from '../../platform/http/stream-json.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requirePrincipal, requireRun } from '../../access/request.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { invalidField, notFound, Problem } from '../../platform/http/problems.ts'
import { applyQueryDefaults } from './apply-query-defaults.ts'
import { limitBytes } from './limit-bytes.ts'
import { storeUpload, type UploadSource } from './store-upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A raw XML body that has not been read. */
    xml: AsyncIterable<Uint8Array> | null
  }
}

/** The upload endpoint. It has a scope of its own because no other endpoint accepts XML. */
export function uploadsRoutes(parent: App, { db, projectCache }: Deps): void {
  void parent.register(async (app: App) => {
    app.decorateRequest('xml', null)
    app.addContentTypeParser(['application/xml', 'text/xml'], (request, payload, done) => {
      // The XML stays a stream and is parsed while it arrives. The other fields of the body are in the query.
      request.xml = limitBytes(payload, BODY_LIMIT.upload)
      done(null, { format: 'junit' } satisfies Partial<UploadBody>)
    })

    app.route({
      ...uploadResults,
      config: { ...uploadResults.config, otherMediaTypes: ['application/xml'] },
      onRequest: async (request) => {
        applyUploadRun(request, await resolveUploadRun(request, projectCache, request.query.run_id))
      },
      preValidation: async (request) => {
        const { run_id: runId } = (request.body ?? {}) as { run_id?: unknown }
        applyUploadRun(request, await resolveUploadRun(request, projectCache, runId))
        if (request.deferredProblem !== null) throw request.deferredProblem
        applyQueryDefaults(request.query, request.body)
      },
      handler: async (request, reply) => {
        const { dry_run: dryRun = false, finished_at } = request.body
        const finishedAt = finished_at === undefined ? null : parseTimestamp(finished_at)
        const receipt = await storeUpload(db, requireRun(request), getSource(request), { dryRun, finishedAt })
        if (receipt.success) return reply.code(200).send(receipt)
        const { errors, ...counts } = receipt
        return sendJson(reply.code(207), streamJson(counts, 'errors', errors))
      },
    })
  })
}

/**
 * Finds the run that the query or the body names, and checks that the caller may upload to it. Returns a problem instead
 * of throwing it: the run in the body, which is read later, takes precedence. Undefined when no run is named.
 */
async function resolveUploadRun(
  request: FastifyRequest,
  projectCache: ProjectCache,
  runId: unknown,
): Promise<RunRef | Problem | undefined> {
  if (typeof runId !== 'string') return undefined
  const principal = requirePrincipal(request)
  const run = await projectCache.findRun(runId)
  // To a CI token, runs of other projects do not exist.
  if (run === null || (principal.kind === 'ci' && run.project.id !== principal.projectId)) return notFound('run')
  return checkProjectPermission(principal, uploadResults.config.permission, run.project.id, request.method) ?? run
}

/** Stores the run on the request, or the problem, which takes precedence over errors in the body. */
function applyUploadRun(request: FastifyRequest, run: RunRef | Problem | undefined): void {
  if (run === undefined) return
  if (run instanceof Problem) {
    request.deferredProblem = run
    return
  }
  request.run = run
  request.project = run.project
  request.deferredProblem = null
}

/** Returns the result items or the JUnit report of an upload, by its format and the fields that are present. */
function getSource({ body, xml }: { body: UploadBody; xml: FastifyRequest['xml'] }): UploadSource {
  if (xml !== null) return { junit: xml }
  const { format, results, junit_xml } = body
  if (format === 'junit' || (format === undefined && results === undefined && junit_xml !== undefined)) {
    if (junit_xml === undefined) throw invalidField('/junit_xml', 'is required when format is junit')
    return { junit: junit_xml }
  }
  if (results === undefined) throw invalidField('/results', 'is required unless junit_xml is given')
  return { items: results }
}
