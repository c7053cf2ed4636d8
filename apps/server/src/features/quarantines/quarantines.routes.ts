import * as contract from '@caseward/contract/quarantines'
import type { FastifyRequest } from 'fastify'

import { requireProject, requireUserPrincipal } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { getActor } from '../audit/record-audit.ts'
import { changeQuarantine, createQuarantines, endQuarantine, type QuarantineCaller } from './change-quarantines.ts'
import { presentQuarantines, selectQuarantines } from './quarantines.queries.ts'

const getCaller = (request: FastifyRequest): QuarantineCaller => ({
  actor: getActor(request),
  user: requireUserPrincipal(request),
  project: requireProject(request),
})

export function quarantinesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listQuarantines,
    handler: async (request) => {
      const project = requireProject(request)
      const { per_page: perPage = 20, ...filters } = request.query
      const rows = await selectQuarantines(db, project.id, filters, perPage + 1)
      const page = rows.slice(0, perPage)
      const nextAfter = rows.length > perPage ? (page.at(-1)?.id ?? null) : null
      return { data: await presentQuarantines(db, project, page), meta: { next_after: nextAfter } }
    },
  })

  app.route({
    ...contract.createQuarantines,
    handler: async (request, reply) =>
      reply.code(201).send({ data: await createQuarantines(db, getCaller(request), request.body) }),
  })

  app.route({
    ...contract.updateQuarantine,
    handler: async (request) => ({
      data: await changeQuarantine(db, getCaller(request), request.params.quarantine_id, request.body),
    }),
  })

  app.route({
    ...contract.endQuarantine,
    handler: async (request) => {
      const { end_reason: reason = null } = request.body
      return { data: await endQuarantine(db, getCaller(request), request.params.quarantine_id, reason) }
    },
  })
}
