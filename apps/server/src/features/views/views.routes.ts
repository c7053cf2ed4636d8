import * as contract from '@caseward/contract/views'
import type { FastifyRequest } from 'fastify'

import { requireProject, requireUserId, requireUserPrincipal } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { createView, deleteView, setDefaultView, updateView } from './change-views.ts'
import { presentView, selectDefaultViews, selectViews } from './views.queries.ts'

const getReader = (request: FastifyRequest) => ({
  projectId: requireProject(request).id,
  userId: requireUserId(request),
})

export function viewsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listViews,
    handler: async (request) => {
      const { page } = request.query
      const reader = getReader(request)
      const rows = await selectViews(db, reader, page)
      return { data: rows.map(presentView), meta: { defaults: await selectDefaultViews(db, reader, page) } }
    },
  })

  app.route({
    ...contract.createView,
    handler: async (request, reply) => {
      const view = await createView(db, requireUserPrincipal(request), requireProject(request).id, request.body)
      return reply.code(201).send({ data: presentView(view) })
    },
  })

  app.route({
    ...contract.updateView,
    handler: async (request) => {
      const { id: projectId } = requireProject(request)
      const user = requireUserPrincipal(request)
      return { data: presentView(await updateView(db, user, projectId, request.params.view_id, request.body)) }
    },
  })

  app.route({
    ...contract.deleteView,
    handler: async (request, reply) => {
      const { id: projectId } = requireProject(request)
      await deleteView(db, requireUserPrincipal(request), projectId, request.params.view_id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.setDefaultView,
    handler: async (request) => {
      await setDefaultView(db, getReader(request), request.body)
      return { data: request.body }
    },
  })
}
