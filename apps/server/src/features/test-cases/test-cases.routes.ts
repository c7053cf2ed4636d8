import type { UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import * as contract from '@caseward/contract/test-cases'

import type { Deps } from '../../deps.ts'
import { withLookupErrors } from '../../platform/http/lookup-errors.ts'
import { formatTestCaseId, parseTestCaseNumber } from './test-case-ids.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireUserId, requireProject } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { createTestCases } from './create-test-cases.ts'
import { deleteTestCase } from './delete-test-case.ts'
import { testCaseListItem } from './test-case-columns.ts'
import * as testCases from './test-cases.queries.ts'
import { withUnknownFolders } from './test-case-references.ts'
import { updateTestCase } from './update-test-case.ts'

export function testCasesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listTestCases,
    handler: async (request, reply) => {
      const page = parsePage(request.query)
      const found = await testCases.selectTestCases(db, requireProject(request), request.query, page)
      if (found === null) throw notFoundProblem('project')
      return sendJson(reply, formatJsonPage(found, page))
    },
  })

  app.route({
    ...contract.getTestCase,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const testCase = await testCases.selectTestCase(
        db,
        project,
        requireCaseNumber(request.params.test_case_id, project),
      )
      if (testCase === null) throw notFoundProblem('test case')
      return sendJson(reply, `{"data":${testCase}}`)
    },
  })

  const nameUnknownFolder = withLookupErrors((request, wrong) =>
    withUnknownFolders(db, requireProject(request).id, [request.body], () => '', wrong),
  )

  app.route({
    ...contract.createTestCase,
    ...nameUnknownFolder,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const [number] = await createTestCases(db, project, requireUserId(request), [request.body], () => '')
      const created =
        number === undefined ? null : await testCases.selectTestCase(db, project, number, testCaseListItem)
      if (created === null) throw notFoundProblem('project')
      return sendJson(reply.code(201), `{"data":${created}}`)
    },
  })

  const pathOfItem = (index: number) => `/test_cases/${index}`
  const nameUnknownFolders = withLookupErrors((request, wrong) => {
    const { test_cases: items } = (request.body ?? {}) as { test_cases?: unknown }
    return withUnknownFolders(db, requireProject(request).id, Array.isArray(items) ? items : [], pathOfItem, wrong)
  })

  app.route({
    ...contract.bulkCreateTestCases,
    ...nameUnknownFolders,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const { test_cases: items } = request.body
      const numbers = await createTestCases(db, project, requireUserId(request), items, pathOfItem)
      const created = numbers.map((number, index) => ({
        id: formatTestCaseId(project.prefix, number),
        title: items[index]?.title ?? '',
      }))
      return reply.code(201).send({ data: { created: created.length, test_cases: created } })
    },
  })

  const update = (project: ProjectRef, id: string, change: UpdateTestCaseBody) =>
    updateTestCase(db, project, requireCaseNumber(id, project), change)

  app.route({
    ...contract.updateTestCase,
    ...nameUnknownFolder,
    handler: async (request) => ({
      data: await update(requireProject(request), request.params.test_case_id, request.body),
    }),
  })

  app.route({
    ...contract.putTestCase,
    ...nameUnknownFolder,
    handler: async (request) => ({
      data: await update(requireProject(request), request.params.test_case_id, request.body),
    }),
  })

  app.route({
    ...contract.deleteTestCase,
    handler: async (request) => {
      const project = requireProject(request)
      const { test_case_id: id } = request.params
      if (!(await deleteTestCase(db, project.id, requireCaseNumber(id, project)))) throw notFoundProblem('test case')
      return { message: `Test case ${id} was deleted. Its results in runs are kept.` }
    },
  })

  app.route({
    ...contract.listTestCaseResults,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const page = parsePage(request.query)
      const number = requireCaseNumber(request.params.test_case_id, project)
      const found = await testCases.selectTestCaseResults(db, project, number, page)
      if (found === null) throw notFoundProblem('test case')
      return sendJson(reply, formatJsonPage(found, page))
    },
  })
}

function requireCaseNumber(id: string, { prefix }: ProjectRef): number {
  const number = parseTestCaseNumber(id, prefix)
  if (number === null) throw notFoundProblem('test case')
  return number
}
