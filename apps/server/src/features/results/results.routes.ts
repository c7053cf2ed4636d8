import * as contract from '@casebook/contract/results'

import type { Deps } from '../../deps.ts'
import { jsonPage, pageOf } from '../../http/pagination.ts'
import { type App, personOf, runOf, sendJson } from '../../http/request.ts'
import { notFound } from '../../problems.ts'
import * as results from './results.queries.ts'
import { setResult, setResults } from './set-results.ts'

export function resultsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listResults,
    handler: async (request, reply) => {
      const page = pageOf(request.query)
      const found = await results.selectResults(db, runOf(request), request.query, page)
      if (found === null) throw notFound('run')
      return sendJson(reply, jsonPage(found, page))
    },
  })

  app.route({
    ...contract.updateResult,
    handler: async (request, reply) => {
      const { result_id: id } = request.params
      const result = await setResult(db, runOf(request), id, personOf(request), request.body)
      return sendJson(reply, `{"data":${result}}`)
    },
  })

  app.route({
    ...contract.bulkUpdateResults,
    handler: async (request, reply) => {
      const { stored, errors } = await setResults(db, runOf(request), personOf(request), request.body.results)
      const data = { updated: stored.length, results: stored }
      return errors.length === 0 ? reply.code(200).send({ data }) : reply.code(207).send({ data: { ...data, errors } })
    },
  })
}
