import * as contract from '@casebook/contract/runs'

import type { Deps } from '../../deps.ts'
import { jsonPage, pageOf } from '../../http/pagination.ts'
import { type App, projectOf, runOf, sendJson, userIdOf } from '../../http/request.ts'
import { notFound } from '../../problems.ts'
import { addTestCasesToRun } from './add-test-cases.ts'
import { createRun } from './create-run.ts'
import * as runs from './runs.queries.ts'

export function runsRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listRuns,
    handler: async (request, reply) => {
      const page = pageOf(request.query)
      const found = await runs.selectRuns(db, projectOf(request).id, request.query, page)
      if (found === null) throw notFound('project')
      return sendJson(reply, jsonPage(found, page))
    },
  })

  app.route({
    ...contract.createRun,
    handler: async (request, reply) => {
      const { run, isNew } = await createRun(db, projectOf(request), userIdOf(request), request.body)
      return sendJson(reply.code(isNew ? 201 : 200), `{"data":${run}}`)
    },
  })

  app.route({
    ...contract.getRun,
    handler: async (request, reply) => {
      const run = await runs.selectRun(db, runOf(request).id)
      if (run === null) throw notFound('run')
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...contract.updateRun,
    handler: async (request, reply) => {
      const run = await runs.updateRun(db, runOf(request), request.body)
      if (run === null) throw notFound('run')
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...contract.deleteRun,
    handler: async (request) => {
      const name = await runs.deleteRun(db, runOf(request))
      if (name === null) throw notFound('run')
      return { message: `Run ${name} was deleted with its results.` }
    },
  })

  app.route({
    ...contract.addTestCasesToRun,
    handler: async (request, reply) => {
      const run = await addTestCasesToRun(db, runOf(request), request.body.test_case_ids)
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...contract.reportShardDone,
    handler: async (request, reply) => {
      const run = await runs.addShardDone(db, runOf(request), request.params.name)
      if (run === null) throw notFound('run')
      return sendJson(reply, `{"data":${run}}`)
    },
  })
}
