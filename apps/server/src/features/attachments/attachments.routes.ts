import * as contract from '@caseward/contract/attachments'
import type { FastifyRequest } from 'fastify'

import { getUserId, requirePrincipal, requireProject, requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { receiveFiles } from '../files/receive-file.ts'
import { attachFile, requireName } from './attach-file.ts'
import type { AttachmentPlace } from './attachment-places.queries.ts'
import { presentAttachment, selectAttachments } from './attachments.queries.ts'
import { deleteAttachment, renameAttachment } from './change-attachments.ts'
import { findPlacedAttachment } from './find-attachment.ts'
import {
  findResultPlace,
  findRunPlace,
  findTestCasePlace,
  type FoundPlace,
  requireRoom,
  toRunPlace,
} from './find-place.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the request attaches a file. */
    attachmentPlace: AttachmentPlace | null
  }
}

interface AttachRequest {
  body: contract.AttachFileBody
  query: { name?: string; step?: number; place?: number }
}

/** What of a result or test case a file is attached to. */
interface AttachedPart {
  step: number | null
  combination: number | null
}

/** The places at which files are attached. They have a scope of their own because no other endpoint accepts any media type. */
export function attachmentsRoutes(parent: App, deps: Deps): void {
  const { db } = deps
  void parent.register(async (app: App) => {
    const receiveFile = receiveFiles(app, deps)
    app.decorateRequest('attachmentPlace', null)

    /** Checks everything that is known before the body, then receives it. */
    const prepare =
      (findPlace: (request: FastifyRequest, part: AttachedPart) => Promise<FoundPlace>) =>
      async (request: FastifyRequest): Promise<void> => {
        const { query, body } = request as unknown as AttachRequest
        const found = await findPlace(request, { step: query.step ?? null, combination: query.place ?? null })
        requireName(request.fileBody, body, query.name)
        requireRoom(found)
        request.attachmentPlace = found.place
        await receiveFile(request)
      }

    async function attach(request: FastifyRequest) {
      const { query, body } = request as unknown as AttachRequest
      const { attachmentPlace: place, receivedFile: received } = request
      if (place === null) throw new Error('The request was not prepared')
      const createdBy = getUserId(request)
      return { data: await attachFile(deps, place, { received, body, queryName: query.name, createdBy }) }
    }

    const getId = (request: FastifyRequest, name: string) => (request.params as Record<string, string>)[name] ?? ''
    const findRun = (request: FastifyRequest) => findRunPlace(db, requireRun(request))
    const findResult = (request: FastifyRequest, part?: AttachedPart) =>
      findResultPlace(db, requireRun(request), getId(request, 'result_id'), part)
    const findTestCase = (request: FastifyRequest, part?: AttachedPart) =>
      findTestCasePlace(db, requireProject(request), getId(request, 'test_case_id'), part?.step)

    const prepareRun = prepare(findRun)
    app.route({
      ...contract.attachToRun,
      async preHandler(request: FastifyRequest) {
        if (request.fileBody !== null) return await prepareRun(request)
        // A stored file has no body to wait for: the statement that attaches it sees what the run has.
        request.attachmentPlace = toRunPlace(requireRun(request))
      },
      handler: async (request, reply) => reply.code(201).send(await attach(request)),
    })
    app.route({
      ...contract.attachToResult,
      preHandler: prepare(findResult),
      handler: async (request, reply) => reply.code(201).send(await attach(request)),
    })
    app.route({
      ...contract.attachToTestCase,
      preHandler: prepare(findTestCase),
      handler: async (request, reply) => reply.code(201).send(await attach(request)),
    })

    async function list({ place }: Awaited<ReturnType<typeof findRun>>, query: { after?: string; per_page?: number }) {
      const { after, per_page: limit = 20 } = query
      const rows = await selectAttachments(db, place, { after, limit })
      const data = rows.slice(0, limit).map((row) => presentAttachment(place.projectId, row))
      return { data, meta: { next_after: rows.length > limit ? (data.at(-1)?.id ?? null) : null } }
    }

    app.route({
      ...contract.listRunAttachments,
      handler: async (request) => await list(await findRun(request), request.query),
    })
    app.route({
      ...contract.listResultAttachments,
      handler: async (request) => await list(await findResult(request), request.query),
    })
    app.route({
      ...contract.listTestCaseAttachments,
      handler: async (request) => await list(await findTestCase(request), request.query),
    })
  })

  parent.route({
    ...contract.getAttachment,
    handler: async (request) => {
      const { attachment_id: id } = request.params
      return { data: await findPlacedAttachment(db, requireProject(request), id) }
    },
  })

  parent.route({
    ...contract.updateAttachment,
    handler: async (request) => {
      const { attachment_id: id } = request.params
      const { name } = request.body
      return { data: await renameAttachment(db, requirePrincipal(request), requireProject(request), id, name) }
    },
  })

  parent.route({
    ...contract.deleteAttachment,
    handler: async (request, reply) => {
      const { attachment_id: id } = request.params
      await deleteAttachment(deps, requirePrincipal(request), getActor(request), requireProject(request), id)
      return reply.code(204).send(null)
    },
  })
}
