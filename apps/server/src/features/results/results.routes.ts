import * as contract from '@caseward/contract/results'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireUserId, requireRun } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import * as results from './results.queries.ts'
import { setResult, setResults } from './set-results.ts'

export function resultsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listResults,
    handler: async (request, reply) => {
      const page = parsePage(request.query)
      const items = await results.selectResults(db, requireRun(request), request.query, page)
      if (items === null) throw notFoundProblem('run')
      return sendJson(reply, formatJsonPage(items, page))
    },
  })

  app.route({
    ...contract.updateResult,
    handler: async (request, reply) => {
      const { result_id: id } = request.params
      const result = await setResult(db, requireRun(request), id, requireUserId(request), request.body)
      return sendJson(reply, `{"data":${result}}`)
    },
  })

  app.route({
    ...contract.bulkUpdateResults,
    handler: async (request, reply) => {
      const { stored, errors } = await setResults(db, requireRun(request), requireUserId(request), request.body.results)
      const data = { updated: stored.length, results: stored }
      return errors.length === 0 ? reply.code(200).send({ data }) : reply.code(207).send({ data: { ...data, errors } })
    },
  })
}
