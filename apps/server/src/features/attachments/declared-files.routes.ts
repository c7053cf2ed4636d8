import * as contract from '@caseward/contract/file-uploads'
import type { FastifyRequest } from 'fastify'

import { requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { selectFileUpload } from '../files/file-uploads.queries.ts'
import { receiveAnyFile } from '../files/receive-file.ts'
import { selectMissingFiles } from './declared-files.queries.ts'
import { type DeclaredResponse, getPartsKey, receiveDeclared, requireDeclared } from './receive-declared.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What became of the body of a request that sends a declared content. */
    declaredResponse: DeclaredResponse | null
  }
}

/** Contents that uploads declared. They have a scope of their own because any body is a file, JSON too. */
export function declaredFilesRoutes(parent: App, deps: Deps): void {
  const { db } = deps
  void parent.register(async (app: App) => {
    receiveAnyFile(app, deps)
    app.decorateRequest('declaredResponse', null)

    app.route({
      ...contract.sendDeclaredFile,
      preHandler: async (request: FastifyRequest) => {
        const { sha256 } = request.params as { sha256: string }
        request.declaredResponse = await receiveDeclared(request, deps, requireRun(request), sha256)
      },
      handler: async ({ declaredResponse }, reply) => {
        if (declaredResponse === null) throw new Error('The body was not received')
        return reply.code(declaredResponse.status).send({ data: declaredResponse.received })
      },
    })
  })

  parent.route({
    ...contract.getDeclaredFileProgress,
    handler: async (request, reply) => {
      const { sha256 } = request.params
      const run = requireRun(request)
      const { fileId, byteCounts } = await requireDeclared(deps, run, sha256)
      const upload = fileId === null ? await selectFileUpload(db, run.project.id, getPartsKey(run, sha256)) : null
      const received = fileId === null ? (upload?.received ?? 0) : (byteCounts[0] ?? 0)
      return reply.code(200).header(contract.UPLOAD_RECEIVED_HEADER, received).send(null)
    },
  })

  parent.route({
    ...contract.listMissingFiles,
    handler: async (request) => {
      const { after, per_page: limit = 20 } = request.query
      const cursor = after === undefined ? null : Buffer.from(after, 'hex')
      const rows = await selectMissingFiles(db, requireRun(request), { after: cursor, limit })
      const data = rows
        .slice(0, limit)
        .map(({ digest, byteCount }) => ({ sha256: digest.toString('hex'), byte_count: byteCount }))
      return { data, meta: { next_after: rows.length > limit ? (data.at(-1)?.sha256 ?? null) : null } }
    },
  })
}
