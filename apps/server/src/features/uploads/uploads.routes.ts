import { BODY_LIMIT } from '@casebook/contract/endpoint'
import { uploadResults, type UploadBody, type UploadQuery } from '@casebook/contract/uploads'
import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import { jsonInTurns } from '../../http/json-in-turns.ts'
import { type App, principalOf, runOf, sendJson } from '../../http/request.ts'
import { parseTimestamp } from '../../http/timestamps.ts'
import { invalidField, notFound } from '../../problems.ts'
import { limitBytes } from './limit-bytes.ts'
import { receive } from './receive-upload.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A raw XML body, not yet read. */
    xml: AsyncIterable<Uint8Array> | null
  }
}

/** Has its own scope, since only here a body may be XML. */
export function uploadsRoutes(parent: App, { db, places }: Deps): void {
  void parent.register(async (app: App) => {
    app.decorateRequest('xml', null)
    app.addContentTypeParser(['application/xml', 'text/xml'], (request, payload, done) => {
      // It stays a stream, to be parsed as it comes in; the rest of what a JSON body would say is in the query.
      request.xml = limitBytes(payload, BODY_LIMIT.upload)
      const { run_id, dry_run, finished_at } = request.query as { [K in keyof UploadQuery]?: unknown }
      done(null, {
        run_id,
        format: 'junit',
        dry_run: dry_run === true || dry_run === 'true',
        finished_at,
      } satisfies { [K in keyof UploadBody]?: unknown })
    })

    app.route({
      ...uploadResults,
      config: { ...uploadResults.config, otherMediaTypes: ['application/xml'] },
      preValidation: async (request) => {
        await findRun(request, places)
        if (request.refusal !== null) throw request.refusal
      },
      handler: async (request, reply) => {
        const run = runOf(request)
        const { dry_run: dryRun = false, finished_at: finished } = request.body
        const finishedAt = finished === undefined ? null : parseTimestamp(finished)
        const receipt = await receive(db, run, readSource(request.body, request.xml), { dryRun, finishedAt })
        if (receipt.success) return reply.code(200).send(receipt)
        const { errors, ...counts } = receipt
        return sendJson(reply.code(207), jsonInTurns(counts, 'errors', errors))
      },
    })
  })
}

/** The run that the body names, which comes before any word on the rest of the body. */
async function findRun(request: FastifyRequest, places: Deps['places']): Promise<void> {
  const { run_id: id } = (request.body ?? {}) as { run_id?: unknown }
  if (typeof id !== 'string') return
  const run = await places.run(id)
  const principal = principalOf(request)
  if (run === null || (principal.kind === 'ci' && run.project.id !== principal.projectId)) throw notFound('run')
  request.run = run
  request.project = run.project
}

/** What the request brings: result items, or a JUnit report. */
function readSource({ format, results, junit_xml: xml }: UploadBody, stream: FastifyRequest['xml']) {
  if (stream !== null) return { junit: stream }
  if (format === 'junit' || (format === undefined && results === undefined && xml !== undefined)) {
    if (xml === undefined) throw invalidField('/junit_xml', 'is required when format is junit')
    return { junit: xml }
  }
  if (results === undefined) throw invalidField('/results', 'is required unless junit_xml is given')
  return { items: results }
}
