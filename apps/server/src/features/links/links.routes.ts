import * as contract from '@caseward/contract/links'

import { requireProject, requireRun, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { selectResultId } from '../results/results.queries.ts'
import { requireCaseNumber } from '../test-cases/require-case-number.ts'
import { addResultLink, addTestCaseLink, removeResultLink, removeTestCaseLink } from './change-links.ts'
import { hasTestCase } from '../test-cases/has-test-case.queries.ts'
import { presentLink, selectLinks } from './links.queries.ts'

export function linksRoutes(app: App, deps: Deps): void {
  testCaseRoutes(app, deps)
  resultRoutes(app, deps)
}

function testCaseRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listTestCaseLinks,
    handler: async (request) => {
      const project = requireProject(request)
      const caseNumber = requireCaseNumber(request.params.test_case_id, project)
      if (!(await hasTestCase(db, project.id, caseNumber))) throw notFoundProblem('test case')
      const rows = await selectLinks(db, { projectId: project.id, caseNumber })
      return { data: rows.map(presentLink) }
    },
  })

  app.route({
    ...contract.createTestCaseLink,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      const { link, isNew } = await addTestCaseLink(db, project, number, request.body, requireUserId(request))
      return reply.code(isNew ? 201 : 200).send({ data: presentLink(link) })
    },
  })

  app.route({
    ...contract.deleteTestCaseLink,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      await removeTestCaseLink(db, project, number, request.params.link_id)
      return reply.code(204).send(null)
    },
  })
}

function resultRoutes(app: App, deps: Deps): void {
  app.route({
    ...contract.listResultLinks,
    handler: async (request) => {
      const run = requireRun(request)
      const resultId = await selectResultId(deps.db, run, request.params.result_id)
      if (resultId === undefined) throw notFoundProblem('result')
      const rows = await selectLinks(deps.db, { projectId: run.project.id, runId: run.id, resultId })
      return { data: rows.map(presentLink) }
    },
  })

  app.route({
    ...contract.createResultLink,
    handler: async (request, reply) => {
      const { result_id: id } = request.params
      const { link, isNew } = await addResultLink(deps, requireRun(request), id, request.body, requireUserId(request))
      return reply.code(isNew ? 201 : 200).send({ data: presentLink(link) })
    },
  })

  app.route({
    ...contract.deleteResultLink,
    handler: async (request, reply) => {
      const { result_id: id, link_id: linkId } = request.params
      await removeResultLink(deps, requireRun(request), id, linkId)
      return reply.code(204).send(null)
    },
  })
}
