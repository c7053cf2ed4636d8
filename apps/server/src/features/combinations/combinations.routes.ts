import * as contract from '@caseward/contract/combinations'

import { getUserId, requireRun, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { resolveAssignee } from '../results/result-filters.ts'
import { selectResultId } from '../results/results.queries.ts'
import { selectCombinations, selectCombinationsOf } from './list-combinations.queries.ts'
import { selectCombinationRows } from './combination-rows.queries.ts'
import { changeRunConfigurations } from './run-configurations.ts'
import { deleteCombination, setCombination } from './set-combination.ts'

export function combinationsRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    ...contract.listCombinations,
    handler: async (request) => {
      const filters = resolveAssignee(request.query, getUserId(request))
      const { items, nextAfter } = await selectCombinations(db, requireRun(request), filters)
      return { data: items, meta: { next_after: nextAfter } }
    },
  })

  app.route({
    ...contract.listCombinationRows,
    handler: async (request) => {
      const { items, total, nextAfter } = await selectCombinationRows(db, requireRun(request), request.query)
      return { data: items, meta: { total, next_after: nextAfter } }
    },
  })

  app.route({
    ...contract.listResultCombinations,
    handler: async (request) => {
      const run = requireRun(request)
      const id = await selectResultId(db, run, request.params.result_id)
      if (id === undefined) throw notFoundProblem('result')
      return { data: await selectCombinationsOf(db, run, id) }
    },
  })

  app.route({
    ...contract.setCombination,
    handler: async (request) => {
      const { result_id: id, place } = request.params
      const where = { id, place: parsePlace(place) }
      return { data: await setCombination(deps, requireRun(request), where, requireUserId(request), request.body) }
    },
  })

  app.route({
    ...contract.deleteCombination,
    handler: async (request) => {
      const { result_id: id, place } = request.params
      const deleted = await deleteCombination(deps, requireRun(request), { id, place: parsePlace(place) })
      return { message: `The combination ${deleted.name} was deleted.` }
    },
  })

  app.route({
    ...contract.changeRunConfigurations,
    handler: async (request, reply) => {
      const run = await changeRunConfigurations(deps, getActor(request), requireRun(request), request.body)
      return sendJson(reply, `{"data":${run}}`)
    },
  })
}

/** @throws {Problem} 404 for what is no place */
function parsePlace(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw notFoundProblem('combination')
  return Number(text)
}
