import { assignResults, listMyWork } from '@caseward/contract/assignments'

import { requireRun, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { assignToPeople } from './assign-results.ts'
import { selectMyWork } from './my-work.queries.ts'

export function assignmentsRoutes(app: App, deps: Deps): void {
  app.route({
    ...assignResults,
    handler: async (request, reply) => {
      const assigned = await assignToPeople(deps, requireRun(request), requireUserId(request), request.body)
      return reply.send({ data: { assigned } })
    },
  })

  app.route({
    ...listMyWork,
    handler: async (request, reply) => {
      const runs = await selectMyWork(deps.db, requireUserId(request))
      return sendJson(reply, `{"data":${runs}}`)
    },
  })
}
