import type { UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import * as contract from '@caseward/contract/test-cases'

import type { Deps } from '../../deps.ts'
import { completeErrors } from '../../platform/http/lookup-errors.ts'
import { testCaseId, testCaseNumber } from '../../platform/http/ids.ts'
import { listOf } from '../../platform/http/json-text.ts'
import { jsonPage, pageOf } from '../../platform/http/pagination.ts'
import type { ProjectPlace } from '../../access/project-cache.ts'
import { type App, personOf, projectOf, sendJson } from '../../access/request.ts'
import { notFound } from '../../platform/http/problems.ts'
import { createTestCases } from './create-test-cases.ts'
import { deleteTestCase } from './delete-test-case.ts'
import { presentTestCase, presentWholeTestCase } from './present-test-case.ts'
import * as testCases from './test-cases.queries.ts'
import { withUnknownFolders } from './test-case-references.ts'
import { updateTestCase } from './update-test-case.ts'

export function testCasesRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.listTestCases,
    handler: async (request, reply) => {
      const [project, query, page] = [projectOf(request), request.query, pageOf(request.query)]
      const { items, total } =
        query.fields === 'all'
          ? presented(await testCases.selectTestCases(db, project, query, page, testCases.whole), (row) =>
              presentWholeTestCase(project, row),
            )
          : presented(await testCases.selectTestCases(db, project, query, page, testCases.listed), (row) =>
              presentTestCase(project, row),
            )
      return sendJson(reply, jsonPage(listOf(items), total, page))
    },
  })

  app.route({
    ...contract.getTestCase,
    handler: async (request, reply) => {
      const project = projectOf(request)
      const testCase = await testCases.selectTestCase(db, project, numberOf(request.params.test_case_id, project))
      if (testCase === undefined) throw notFound('test case')
      return sendJson(reply, `{"data":${presentWholeTestCase(project, testCase)}}`)
    },
  })

  const nameUnknownFolder = completeErrors((request, wrong) =>
    withUnknownFolders(db, projectOf(request).id, [request.body], () => '', wrong),
  )

  app.route({
    ...contract.createTestCase,
    ...nameUnknownFolder,
    handler: async (request, reply) => {
      const project = projectOf(request)
      const [number] = await createTestCases(db, project, personOf(request), [request.body], () => '')
      const created = number === undefined ? undefined : await testCases.selectTestCase(db, project, number)
      if (created === undefined) throw notFound('project')
      return sendJson(reply.code(201), `{"data":${presentTestCase(project, created)}}`)
    },
  })

  const pathOfItem = (index: number) => `/test_cases/${index}`
  const nameUnknownFolders = completeErrors((request, wrong) => {
    const { test_cases: items } = (request.body ?? {}) as { test_cases?: unknown }
    return withUnknownFolders(db, projectOf(request).id, Array.isArray(items) ? items : [], pathOfItem, wrong)
  })

  app.route({
    ...contract.bulkCreateTestCases,
    ...nameUnknownFolders,
    handler: async (request, reply) => {
      const project = projectOf(request)
      const { test_cases: items } = request.body
      const numbers = await createTestCases(db, project, personOf(request), items, pathOfItem)
      const created = numbers.map((number, index) => ({
        id: testCaseId(project.prefix, number),
        title: items[index]?.title ?? '',
      }))
      return reply.code(201).send({ data: { created: created.length, test_cases: created } })
    },
  })

  const update = (project: ProjectPlace, id: string, change: UpdateTestCaseBody) =>
    updateTestCase(db, project, numberOf(id, project), change)

  app.route({
    ...contract.updateTestCase,
    ...nameUnknownFolder,
    handler: async (request) => ({
      data: await update(projectOf(request), request.params.test_case_id, request.body),
    }),
  })

  app.route({
    ...contract.putTestCase,
    ...nameUnknownFolder,
    handler: async (request) => ({
      data: await update(projectOf(request), request.params.test_case_id, request.body),
    }),
  })

  app.route({
    ...contract.deleteTestCase,
    handler: async (request) => {
      const project = projectOf(request)
      const { test_case_id: id } = request.params
      if (!(await deleteTestCase(db, project.id, numberOf(id, project)))) throw notFound('test case')
      return { message: `Test case ${id} was deleted. Its results in runs are kept.` }
    },
  })

  app.route({
    ...contract.listTestCaseResults,
    handler: async (request, reply) => {
      const project = projectOf(request)
      const page = pageOf(request.query)
      const number = numberOf(request.params.test_case_id, project)
      const found = await testCases.selectTestCaseResults(db, project, number, page)
      if (found === undefined) throw notFound('test case')
      return sendJson(reply, jsonPage(found.items, found.total, page))
    },
  })
}

function presented<Row>(
  found: { rows: readonly Row[]; total: number } | undefined,
  present: (row: Row) => string,
): { items: string[]; total: number } {
  if (found === undefined) throw notFound('project')
  return { items: found.rows.map(present), total: found.total }
}

function numberOf(id: string, { prefix }: ProjectPlace): number {
  const number = testCaseNumber(id, prefix)
  if (number === null) throw notFound('test case')
  return number
}
