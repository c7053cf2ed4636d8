import { search } from '@caseward/contract/search'

import { requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { selectHits } from './search.queries.ts'

export function searchRoutes(app: App, { db }: Deps): void {
  app.route({
    ...search,
    handler: async (request, reply) => {
      const { q, project_id: projectId, kind } = request.query
      return sendJson(reply, `{"data":${await selectHits(db, requireUserId(request), q, { projectId, kind })}}`)
    },
  })
}
