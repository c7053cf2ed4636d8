import { findSimilarForTests as similarContract } from '@caseward/contract/duplicates'
import * as runTests from '@caseward/contract/run-tests'
import * as contract from '@caseward/contract/tests'

import { requireProject, requireRun, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { formatJsonCursorPage } from '../../platform/http/pagination.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { createCasesForChosenTests } from './create-cases-for-tests.ts'
import { findSimilarForTests } from './find-similar-for-tests.ts'
import { linkTest } from './link-test.ts'
import { selectRunTest, selectRunTests, selectSuiteErrors } from './run-tests.queries.ts'
import { formatTestPage } from './test-pages.ts'
import { selectSuggestions, selectTest, selectTestOutcomes, selectTests } from './tests.queries.ts'

export function testsRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    ...runTests.listRunTests,
    handler: async (request, reply) =>
      sendJson(reply, formatTestPage(await selectRunTests(db, requireRun(request), request.query))),
  })

  app.route({
    ...runTests.getRunTest,
    handler: async (request, reply) => {
      const test = await selectRunTest(db, requireRun(request), request.params.test_id)
      if (test === null) throw notFoundProblem('test')
      return sendJson(reply, `{"data":${test}}`)
    },
  })

  app.route({
    ...runTests.listSuiteErrors,
    handler: async (request) => ({ data: await selectSuiteErrors(db, requireRun(request)) }),
  })

  app.route({
    ...contract.listTests,
    handler: async (request, reply) =>
      sendJson(reply, formatTestPage(await selectTests(db, requireProject(request), request.query))),
  })

  app.route({
    ...contract.getTest,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const { test_id: id } = request.params
      const test = await selectTest(db, project, id)
      if (test === null) throw notFoundProblem('test')
      const suggestions = JSON.stringify(await selectSuggestions(db, project, id))
      return sendJson(reply, `{"data":${test.slice(0, -1)},"suggestions":${suggestions}}}`)
    },
  })

  app.route({
    ...contract.listTestOutcomes,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const { test_id: id } = request.params
      if ((await selectTest(db, project, id)) === null) throw notFoundProblem('test')
      return sendJson(reply, formatJsonCursorPage(await selectTestOutcomes(db, project, id, request.query)))
    },
  })

  app.route({
    ...contract.linkTest,
    handler: async (request, reply) => {
      const { params, body } = request
      const test = await linkTest(deps, requireProject(request), params.test_id, body.test_case_id)
      return sendJson(reply, `{"data":${test}}`)
    },
  })

  app.route({
    ...contract.createTestCasesForTests,
    handler: async (request) => ({
      data: await createCasesForChosenTests(deps, requireProject(request), requireUserId(request), request.body),
    }),
  })

  app.route({
    ...similarContract,
    handler: (request) => findSimilarForTests(db, requireProject(request), request.body),
  })
}
