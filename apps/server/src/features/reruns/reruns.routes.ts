import * as contract from '@caseward/contract/reruns'

import { getUserId, requireRun } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { formatJsonCursorPage } from '../../platform/http/pagination.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { selectCombinedResults, selectLineage } from './combined-results.queries.ts'
import { createRerun } from './create-rerun.ts'

export function rerunsRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.createRerun,
    handler: async (request, reply) => {
      const run = await createRerun(deps, requireRun(request), getUserId(request), request.body ?? {})
      return sendJson(reply.code(201), `{"data":${run}}`)
    },
  })

  app.route({
    ...contract.getLineage,
    handler: async (request, reply) => {
      const lineage = await selectLineage(deps.db, requireRun(request))
      if (lineage === null) throw notFoundProblem('run')
      return sendJson(reply, `{"data":${lineage}}`)
    },
  })

  app.route({
    ...contract.listCombinedResults,
    handler: async (request, reply) => {
      const { status, after, per_page: perPage = 100 } = request.query
      const page = await selectCombinedResults(deps.db, requireRun(request), { status, after }, perPage)
      return sendJson(reply, formatJsonCursorPage(page))
    },
  })
}
