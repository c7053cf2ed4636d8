import { listTags } from '@caseward/contract/tags'
import { listTestCaseResults } from '@caseward/contract/test-case-history'
import type { UpdateTestCaseBody } from '@caseward/contract/test-case-schemas'
import { withRows } from '@caseward/contract/pagination'
import { listTestCaseRows } from '@caseward/contract/test-case-rows'
import * as contract from '@caseward/contract/test-cases'
import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { withLookupErrors } from '../../platform/http/lookup-errors.ts'
import { formatTestCaseId, parseTestCaseNumber } from './test-case-ids.ts'
import { requireCaseNumber } from './require-case-number.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireUserId, requireProject } from '../../access/request.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { formatRowPage, isRowQuery, parseRowPage } from '../../platform/http/row-pages.ts'
import { getActor } from '../audit/record-audit.ts'
import { getCaseAuthor } from '../case-versions/case-author.ts'
import { createTestCase } from './create-test-case.ts'
import { createTestCases } from './create-test-cases.ts'
import { deleteTestCases } from './delete-test-cases.ts'
import { hasTestCase } from './has-test-case.queries.ts'
import { searchTestCaseResults, selectTestCaseResults } from './case-history.queries.ts'
import * as testCases from './test-cases.queries.ts'
import { addUnknownFolderErrors, getBodyPath } from './test-case-references.ts'
import { readChosenFields } from './chosen-fields.ts'
import { readFieldFilters } from './field-filters.ts'
import { readFieldOrder } from './field-order.ts'
import { selectSortedRows, selectSortedTestCases } from './sorted-test-cases.queries.ts'
import { selectTags } from './tags.queries.ts'
import { selectTestCaseRows } from './test-case-rows.queries.ts'
import type { TestCaseFilters } from './test-case-filters.ts'
import { parseIfMatch } from './test-case-version.ts'
import { updateTestCase } from './update-test-case.ts'

export function testCasesRoutes(app: App, deps: Deps): void {
  listRoutes(app, deps)
  singleRoutes(app, deps)
}

function listRoutes(app: App, { db }: Deps): void {
  app.route({
    ...withRows(contract.listTestCases, listTestCaseRows),
    handler: async (request, reply) => {
      const project = requireProject(request)
      const { query } = request
      // The type of the query does not tell those of rows apart.
      const { columns } = query as { columns?: string }
      const fieldPaths = await readFieldFilters(db, project, query)
      const order = await readFieldOrder(db, project, query)
      if (isRowQuery(query)) {
        const filters: TestCaseFilters = Object.assign(query, { fieldPaths })
        const range = parseRowPage(query)
        const chosenFields = columns === undefined ? null : await readChosenFields(db, project, columns)
        const rows =
          order === undefined
            ? await selectTestCaseRows(db, project, filters, range, {
                afterNumber: parseCursor(range.after, project),
                chosenFields,
              })
            : await selectSortedRows(db, project, { ...filters, order }, range, chosenFields)
        if (rows === null) throw notFoundProblem('project')
        return sendJson(reply, formatRowPage(rows, range))
      }
      if (columns !== undefined) throw invalidFieldProblem('/columns', 'can only be used with `fields=row`')
      const page = parsePage(query)
      const { fields = 'list' } = query
      // Not a copy, whose properties would be found much more slowly.
      const filters = Object.assign(query, { fieldPaths })
      const items =
        order === undefined
          ? await testCases.selectTestCases(db, project, filters, page)
          : await selectSortedTestCases(db, project, { ...filters, order, fields }, page)
      if (items === null) throw notFoundProblem('project')
      return sendJson(reply, formatJsonPage(items, page))
    },
  })

  app.route({
    ...listTags,
    handler: async (request, reply) => {
      const tags = await selectTags(db, requireProject(request).id)
      if (tags === null) throw notFoundProblem('project')
      return sendJson(reply, `{"data":${tags}}`)
    },
  })

  app.route({
    ...contract.createTestCase,
    ...withUnknownFolderError(db),
    handler: async (request, reply) => {
      const testCase = await createTestCase(db, requireProject(request), requireUserId(request), request.body)
      return sendJson(reply.code(201), `{"data":${testCase}}`)
    },
  })

  app.route({
    ...contract.bulkCreateTestCases,
    ...withUnknownFolderErrors(db),
    handler: async (request, reply) => {
      const project = requireProject(request)
      const { test_cases: items } = request.body
      const numbers = await createTestCases(db, project, requireUserId(request), items, getItemPath)
      const created = numbers.map((number, index) => ({
        id: formatTestCaseId(project.prefix, number),
        title: items[index]?.title ?? '',
      }))
      return reply.code(201).send({ data: { created: created.length, test_cases: created } })
    },
  })
}

function singleRoutes(app: App, { db }: Deps): void {
  app.route({
    ...contract.getTestCase,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      const testCase = await testCases.selectTestCase(db, project, number)
      if (testCase === null) throw notFoundProblem('test case')
      return sendJson(reply, `{"data":${testCase}}`)
    },
  })

  type Update = FastifyRequest<{ Params: { test_case_id: string }; Body: UpdateTestCaseBody }>
  const update = (request: Update) => {
    const project = requireProject(request)
    const number = requireCaseNumber(request.params.test_case_id, project)
    const version = parseIfMatch(request.headers['if-match'])
    const { summary = null, ...change } = request.body
    const author = { ...getCaseAuthor(request), summary: summary === '' ? null : summary }
    return updateTestCase(db, project, number, change, { author, version, actor: getActor(request) })
  }

  app.route({
    ...contract.updateTestCase,
    ...withUnknownFolderError(db),
    handler: async (request) => ({ data: await update(request) }),
  })

  app.route({
    ...contract.putTestCase,
    ...withUnknownFolderError(db),
    handler: async (request) => ({ data: await update(request) }),
  })

  app.route({
    ...contract.deleteTestCase,
    handler: async (request) => {
      const project = requireProject(request)
      const { test_case_id: id } = request.params
      const version = parseIfMatch(request.headers['if-match'])
      const numbers = [requireCaseNumber(id, project)]
      const deleted = await deleteTestCases(db, getActor(request), project, numbers, { version })
      if (deleted === 0) throw notFoundProblem('test case')
      return { message: `Test case ${id} was deleted. Its results in runs are kept.` }
    },
  })

  app.route({
    ...listTestCaseResults,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const page = parsePage(request.query)
      const number = requireCaseNumber(request.params.test_case_id, project)
      const { status, branch, after } = request.query
      if (status !== undefined || branch !== undefined || after !== undefined) {
        if (page.page > 1)
          throw invalidFieldProblem('/page', 'cannot be combined with filters and `after`: leave it out')
        if (!(await hasTestCase(db, project.id, number))) throw notFoundProblem('test case')
        const filter = { status, branch, after, limit: page.perPage }
        const { items, meta } = await searchTestCaseResults(db, project, number, filter)
        return sendJson(reply, `{"data":${items},"meta":${JSON.stringify(meta)}}`)
      }
      const items = await selectTestCaseResults(db, project, number, page)
      if (items === null) throw notFoundProblem('test case')
      return sendJson(reply, formatJsonPage(items, page))
    },
  })
}

/** Returns the number of the last test case of the previous page, or 0 for the first page. */
function parseCursor(after: string | null, { prefix }: ProjectRef): number {
  const number = after === null ? 0 : parseTestCaseNumber(after, prefix)
  if (number === null) throw invalidFieldProblem('/after', 'must be `next_after` of the previous page')
  return number
}

const getItemPath = (index: number) => `/test_cases/${index}`

/** Route options: an invalid body's problem also names an unknown folder. */
const withUnknownFolderError = (db: Database) =>
  withLookupErrors((request, errors) =>
    addUnknownFolderErrors(db, requireProject(request).id, [request.body], getBodyPath, errors),
  )

const withUnknownFolderErrors = (db: Database) =>
  withLookupErrors((request, errors) => {
    const { test_cases: items } = (request.body ?? {}) as { test_cases?: unknown }
    const { id } = requireProject(request)
    return addUnknownFolderErrors(db, id, Array.isArray(items) ? items : [], getItemPath, errors)
  })
