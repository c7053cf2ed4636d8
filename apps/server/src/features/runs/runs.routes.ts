import { listRunJobs } from '@caseward/contract/run-jobs'
import { getRunSettings, updateRunSettings } from '@caseward/contract/run-settings'
import * as runTestCases from '@caseward/contract/run-test-cases'
import * as contract from '@caseward/contract/runs'
import { reportShardDone } from '@caseward/contract/shards'

import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { checkProjectPermission } from '../../access/permissions.ts'
import { requirePrincipal, requireProject, requireRun, getUserId } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { addTestCasesToRun } from './add-test-cases.ts'
import { createRun } from './create-run.ts'
import { deleteRun } from './delete-run.ts'
import { markShardDone } from './mark-shard-done.ts'
import { removeTestCasesFromRun } from './remove-test-cases.ts'
import { selectRunJobs, toJobName } from './run-jobs.queries.ts'
import * as runs from './runs.queries.ts'
import { changeRunSettings, selectRunSettings } from './run-settings.ts'
import { updateRun } from './update-run.ts'

/** @throws {Problem} 403 for who may not change the settings of the project */
function requireAdmin(request: FastifyRequest, projectId: string): void {
  const problem = checkProjectPermission(requirePrincipal(request), 'project:settings', projectId, request.method)
  if (problem !== null) throw problem
}

export function runsRoutes(app: App, deps: Deps): void {
  const { db } = deps
  app.route({
    ...contract.listRuns,
    handler: async (request, reply) => {
      const page = parsePage(request.query)
      const items = await runs.selectRuns(db, requireProject(request).id, request.query, page)
      if (items === null) throw notFoundProblem('project')
      return sendJson(reply, formatJsonPage(items, page))
    },
  })

  app.route({
    ...contract.createRun,
    handler: async (request, reply) => {
      const { run, isNew, ignoredFields } = await createRun(
        db,
        requireProject(request),
        getUserId(request),
        request.body,
      )
      return sendJson(
        reply.code(isNew ? 201 : 200),
        `{"data":${run}${ignoredFields === undefined ? '' : `,"ignored_fields":${JSON.stringify(ignoredFields)}`}}`,
      )
    },
  })

  app.route({
    ...contract.getRun,
    handler: async (request, reply) => {
      const run = await runs.selectRun(db, requireRun(request).id)
      if (run === null) throw notFoundProblem('run')
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...contract.updateRun,
    handler: async (request, reply) => {
      const ref = requireRun(request)
      if (request.body.force === true) requireAdmin(request, ref.project.id)
      const run = await updateRun(db, ref, getActor(request), request.body)
      if (run === null) throw notFoundProblem('run')
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...contract.deleteRun,
    handler: async (request) => {
      const name = await deleteRun(db, getActor(request), requireRun(request))
      if (name === null) throw notFoundProblem('run')
      return { message: `Run ${name} was deleted with its results.` }
    },
  })

  app.route({
    ...runTestCases.addTestCasesToRun,
    handler: async (request, reply) => {
      const run = await addTestCasesToRun(db, requireRun(request), request.body.test_case_ids)
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...runTestCases.removeTestCasesFromRun,
    handler: async (request, reply) => {
      const { test_case_ids: ids } = request.body
      const run = await removeTestCasesFromRun(db, getActor(request), requireRun(request), ids)
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...reportShardDone,
    handler: async (request, reply) => {
      const { job, expected_shards: expectedShards } = request.body ?? {}
      const run = await markShardDone(db, requireRun(request), request.params.name, {
        job: job === undefined ? undefined : toJobName(job),
        expectedShards,
      })
      if (run === null) throw notFoundProblem('run')
      return sendJson(reply, `{"data":${run}}`)
    },
  })

  app.route({
    ...listRunJobs,
    handler: async (request) => ({ data: await selectRunJobs(db, requireRun(request)) }),
  })

  app.route({
    ...getRunSettings,
    handler: async (request) => {
      const settings = await selectRunSettings(db, requireProject(request).id)
      if (settings === undefined) throw notFoundProblem('project')
      return { data: settings }
    },
  })

  app.route({
    ...updateRunSettings,
    handler: async (request) => {
      const settings = await changeRunSettings(deps, getActor(request), requireProject(request).id, request.body)
      if (settings === undefined) throw notFoundProblem('project')
      return { data: settings }
    },
  })
}
