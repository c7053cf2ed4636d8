import { bulkUpdateResults } from '@caseward/contract/bulk-results'
import { withRows } from '@caseward/contract/pagination'
import { listRecentResults } from '@caseward/contract/recent-results'
import { listResultChanges } from '@caseward/contract/result-changes'
import { getResult, listResultRows } from '@caseward/contract/result-rows'
import * as contract from '@caseward/contract/results'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { getUserId, requireProject, requireUserId, requireRun } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { formatRowPage, isRowQuery, parseRowPage } from '../../platform/http/row-pages.ts'
import { readResultFieldFilters } from './result-field-filters.ts'
import { resolveAssignee } from './result-filters.ts'
import { readRecentResults } from './recent-results.queries.ts'
import { selectResultChanges } from './result-changes.queries.ts'
import { selectResultDetail, selectResultRows } from './result-rows.queries.ts'
import * as results from './results.queries.ts'
import { setResult, setResults } from './set-results.ts'

export function resultsRoutes(app: App, deps: Deps): void {
  const { db } = deps
  app.route({
    ...withRows(contract.listResults, listResultRows),
    handler: async (request, reply) => {
      const fieldPath = await readResultFieldFilters(db, requireRun(request).project, request.query)
      // Not a copy, whose properties would be found much more slowly.
      const query = Object.assign(resolveAssignee(request.query, getUserId(request)), { fieldPath })
      if (isRowQuery(query)) {
        const range = parseRowPage(query)
        const rows = await selectResultRows(db, requireRun(request), query, range)
        if (rows === null) throw notFoundProblem('run')
        return sendJson(reply, formatRowPage(rows, range))
      }
      const page = parsePage(query)
      const items = await results.selectResults(db, requireRun(request), query, page, {
        withFields: query.fields === 'all',
      })
      if (items === null) throw notFoundProblem('run')
      return sendJson(reply, formatJsonPage(items, page))
    },
  })

  app.route({
    ...getResult,
    handler: async (request, reply) => {
      const result = await selectResultDetail(db, requireRun(request), request.params.result_id)
      if (result === null) throw notFoundProblem('result')
      return sendJson(reply, `{"data":${result}}`)
    },
  })

  app.route({
    ...listResultChanges,
    handler: async (request, reply) => {
      const changes = await selectResultChanges(db, requireRun(request), request.params.result_id)
      if (changes === null) throw notFoundProblem('result')
      return sendJson(reply, `{"data":${changes}}`)
    },
  })

  app.route({
    ...listRecentResults,
    handler: async (request, reply) => {
      const { test_case_ids: ids, limit = 10, before_run: beforeRun } = request.query
      const recent = await readRecentResults(db, requireProject(request), ids, { limit, beforeRun })
      if (recent === null) throw notFoundProblem('project')
      return sendJson(reply, recent)
    },
  })

  app.route({
    ...contract.updateResult,
    handler: async (request, reply) => {
      const { result_id: id } = request.params
      const result = await setResult(deps, requireRun(request), id, requireUserId(request), request.body)
      return sendJson(reply, `{"data":${result}}`)
    },
  })

  app.route({
    ...contract.changeResult,
    handler: async (request, reply) => {
      const { result_id: id } = request.params
      const result = await setResult(deps, requireRun(request), id, requireUserId(request), request.body)
      return sendJson(reply, `{"data":${result}}`)
    },
  })

  app.route({
    ...bulkUpdateResults,
    handler: async (request, reply) => {
      const { stored, errors } = await setResults(
        deps,
        requireRun(request),
        requireUserId(request),
        request.body.results,
      )
      const updated = new Set(stored.map(({ test_case_id: id }) => id)).size
      const data = { updated, results: stored }
      return errors.length === 0 ? reply.code(200).send({ data }) : reply.code(207).send({ data: { ...data, errors } })
    },
  })
}
