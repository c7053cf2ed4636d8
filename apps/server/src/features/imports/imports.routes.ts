import * as contract from '@caseward/contract/imports'
import type { FastifyRequest } from 'fastify'

import { requireProject, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import { runAfterCommit } from '../../platform/database/request-transaction.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { getActor } from '../audit/record-audit.ts'
import { hasTestCase } from '../test-cases/has-test-case.queries.ts'
import { requireCaseNumber } from '../test-cases/require-case-number.ts'
import * as change from './change-imports.ts'
import type { ImportRunner } from './import-runner.ts'
import { selectImports } from './imports.queries.ts'
import { listRecords, presentImports } from './present-import.ts'
import { resolveConflicts } from './resolve-conflicts.ts'
import { selectCaseSources } from './source-links.queries.ts'
import { sendReport } from './write-report.ts'

const DEFAULT_PER_PAGE = 20

export function importsRoutes(app: App, { db }: Deps, runner: ImportRunner): void {
  const read = async (projectId: string, id: string) => {
    const [data] = await presentImports(db, projectId, [await change.requireImport(db, projectId, id)])
    if (data === undefined) throw new Error('The import was not presented')
    return { data }
  }

  const startWork = async (request: FastifyRequest, id: string) => {
    runAfterCommit(() => runner.wake())
    return await read(requireProject(request).id, id)
  }

  app.route({
    ...contract.createImport,
    handler: async (request, reply) => {
      const { id: projectId } = requireProject(request)
      const id = await change.createImport(db, projectId, requireUserId(request), request.body)
      const created = await read(projectId, id)
      runAfterCommit(() => runner.wake())
      return reply.code(201).send(created)
    },
  })

  app.route({
    ...contract.listImports,
    handler: async (request) => {
      const { id: projectId } = requireProject(request)
      const { after = null, per_page: limit = DEFAULT_PER_PAGE } = request.query
      const rows = await selectImports(db, projectId, { after, limit: limit + 1 })
      const page = rows.slice(0, limit)
      const data = await presentImports(db, projectId, page)
      return { data, meta: { next_after: rows.length > limit ? (page.at(-1)?.id ?? null) : null } }
    },
  })

  app.route({
    ...contract.getImport,
    handler: async (request) => await read(requireProject(request).id, request.params.import_id),
  })

  app.route({
    ...contract.listImportRecords,
    handler: async (request) => {
      const project = requireProject(request)
      const { id } = await change.requireImport(db, project.id, request.params.import_id)
      const { after = 0, per_page: limit = DEFAULT_PER_PAGE, ...filter } = request.query
      const rows = await listRecords(db, project, id, { ...filter, after, limit: limit + 1 })
      const data = rows.slice(0, limit)
      return { data, meta: { next_after: rows.length > limit ? (data.at(-1)?.seq ?? null) : null } }
    },
  })

  app.route({
    ...contract.planImport,
    handler: async (request, reply) => {
      const { id: projectId } = requireProject(request)
      const { import_id: id } = request.params
      await change.replanImport(db, projectId, id, requireUserId(request), request.body)
      return reply.code(202).send(await startWork(request, id))
    },
  })

  app.route({
    ...contract.applyImport,
    handler: async (request, reply) => {
      const { import_id: id } = request.params
      const by = { actor: getActor(request), userId: requireUserId(request) }
      await change.startApplying(db, by, requireProject(request).id, id, request.body.plan)
      return reply.code(202).send(await startWork(request, id))
    },
  })

  app.route({
    ...contract.cancelImport,
    handler: async (request, reply) => {
      await change.cancelImport(db, requireProject(request).id, request.params.import_id)
      return reply.code(202).send(await startWork(request, request.params.import_id))
    },
  })

  app.route({
    ...contract.resumeImport,
    handler: async (request, reply) => {
      await change.resumeImport(db, requireProject(request).id, request.params.import_id, requireUserId(request))
      return reply.code(202).send(await startWork(request, request.params.import_id))
    },
  })

  app.route({
    ...contract.undoImport,
    handler: async (request, reply) => {
      const by = { actor: getActor(request), userId: requireUserId(request) }
      await change.startUndoing(db, by, requireProject(request).id, request.params.import_id)
      return reply.code(202).send(await startWork(request, request.params.import_id))
    },
  })

  app.route({
    ...contract.resolveConflicts,
    handler: async (request) => {
      const project = requireProject(request)
      const { import_id: id } = request.params
      const { use, record_ids: recordIds = null } = request.body
      const author = { userId: requireUserId(request), tokenId: null, via: 'import' as const, summary: null }
      await resolveConflicts(db, project, id, { author, actor: getActor(request) }, { use, recordIds })
      return await read(project.id, id)
    },
  })

  app.route({
    ...contract.getImportReport,
    handler: async (request, reply) => {
      const project = requireProject(request)
      const { format = 'json' } = request.query
      const { data } = await read(project.id, request.params.import_id)
      return await sendReport(reply, db, project, data, format)
    },
  })

  app.route({
    ...contract.deleteImport,
    handler: async (request, reply) => {
      await change.deleteImport(db, getActor(request), requireProject(request).id, request.params.import_id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.getCaseSource,
    handler: async (request) => {
      const project = requireProject(request)
      const number = requireCaseNumber(request.params.test_case_id, project)
      if (!(await hasTestCase(db, project.id, number))) throw notFoundProblem('test case')
      const sources = await selectCaseSources(db, project.id, number)
      return {
        data: sources.map(({ imported_at: at, details, ...source }) => ({
          ...source,
          imported_at: presentTime(at),
          details: details ?? {},
        })),
      }
    },
  })
}
