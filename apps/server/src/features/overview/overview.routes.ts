import { listActivity, listUnstableTestCases } from '@caseward/contract/overview'

import { requireProject } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { selectActivity } from './activity.queries.ts'
import { selectUnstableTestCases } from './unstable-test-cases.queries.ts'

export function overviewRoutes(app: App, { db }: Deps): void {
  app.route({
    ...listUnstableTestCases,
    handler: async (request, reply) => {
      const { runs = 30, per_page: perPage = 10 } = request.query
      const data = await selectUnstableTestCases(db, requireProject(request), { runs, perPage })
      return sendJson(reply, `{"data":${data}}`)
    },
  })

  app.route({
    ...listActivity,
    handler: async (request) => {
      const { after } = request.query
      return await selectActivity(db, requireProject(request), after === undefined ? null : parseTimestamp(after))
    },
  })
}
