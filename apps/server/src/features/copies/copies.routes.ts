import * as contract from '@caseward/contract/copies'
import type { FastifyRequest } from 'fastify'

import { checkProjectPermission } from '../../access/permissions.ts'
import { getLoadOwnerId } from '../../access/principal.ts'
import type { ProjectRef } from '../../access/project-cache.ts'
import { requireProject, requireUserId, requireUserPrincipal } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { selectExistingNumbers } from '../test-cases/has-test-case.queries.ts'
import { requireCaseNumber } from '../test-cases/require-case-number.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { selectFilesOf } from './copied-cases.queries.ts'
import { discardContents, type WrittenContents, writeContents } from './copied-contents.ts'
import { copyTestCases, type CopyRequest, unknownOriginalsProblem } from './copy-test-cases.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request copies, with contents that were written for another project; null before that is known. */
    copyRequest: CopyRequest | null
  }
}

type CopyBody = contract.CopyTestCaseBody & Partial<contract.CopyTestCasesBody>

/** Copies have a scope of their own because contents that were written for them are removed if they are not needed. */
export function copiesRoutes(parent: App, deps: Deps): void {
  void parent.register(async (app: App) => {
    app.decorateRequest('copyRequest', null)
    app.addHook('onResponse', async ({ copyRequest, log }) => {
      if (copyRequest === null) return
      await discardContents(deps, copyRequest.contents).catch((error: unknown) => {
        log.warn({ err: error }, 'could not remove a content that is not needed: a job will')
      })
    })

    /** Checks what is known before anything is written. Contents are written here, where no transaction waits for them. */
    const prepare = async (request: FastifyRequest): Promise<void> => {
      const source = requireProject(request)
      const body = request.body as CopyBody
      const target = await requireTarget(deps, request, body.project_id)
      const numbers = await findNumbers(deps, request, source, body)
      const { folder_id: folderId, count = 1 } = body
      const contents = await copyContents(deps, request, { source, target, numbers })
      request.copyRequest = { source, target, numbers, count, folderId, contents }
    }

    const copy = async (request: FastifyRequest) => {
      const { copyRequest } = request
      if (copyRequest === null) throw new Error('The request was not prepared')
      return { data: await copyTestCases(deps.db, requireUserId(request), copyRequest) }
    }

    app.route({
      ...contract.copyTestCase,
      preHandler: prepare,
      handler: async (request, reply) => reply.code(201).send(await copy(request)),
    })
    app.route({
      ...contract.copyTestCases,
      preHandler: prepare,
      handler: async (request, reply) => reply.code(201).send(await copy(request)),
    })
  })
}

/**
 * Returns the project of the copies.
 * @throws {Problem} 404 for one that the caller cannot see; 403 without the permission to edit its test cases
 */
async function requireTarget(
  { projectCache }: Pick<Deps, 'projectCache'>,
  request: FastifyRequest,
  projectId: string | undefined,
): Promise<ProjectRef> {
  const project = requireProject(request)
  if (projectId === undefined || projectId === project.id) return project
  const principal = requireUserPrincipal(request)
  const target = await projectCache.findProject(projectId)
  if (target === null || !principal.roles.has(target.id)) throw notFoundProblem('project')
  const problem = checkProjectPermission(principal, 'test-cases:edit', target.id, request.method)
  if (problem !== null) throw problem
  return target
}

/** @throws {Problem} 404 for an unknown test case in the path; 400 with every unknown one in the body */
async function findNumbers(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  source: ProjectRef,
  { test_case_ids: ids }: CopyBody,
): Promise<number[]> {
  const { test_case_id: id } = request.params as { test_case_id?: string }
  const numbers =
    id === undefined
      ? (ids ?? []).map((item) => parseTestCaseNumber(item, source.prefix))
      : [requireCaseNumber(id, source)]
  const known = numbers.filter((number) => number !== null)
  const existing = await selectExistingNumbers(db, source.id, known)
  const unknown = numbers.flatMap((number, index) => (number !== null && existing.has(number) ? [] : [index]))
  if (unknown.length > 0) throw id === undefined ? unknownOriginalsProblem(unknown) : notFoundProblem('test case')
  return [...new Set(known)]
}

/** Writes the contents of files that another project does not have. */
async function copyContents(
  deps: Deps,
  request: FastifyRequest,
  { source, target, numbers }: Pick<CopyRequest, 'source' | 'target' | 'numbers'>,
): Promise<WrittenContents> {
  if (source.id === target.id) return new Map()
  const files = await selectFilesOf(deps.db, source.id, numbers)
  const ownerId = getLoadOwnerId(requireUserPrincipal(request))
  return await writeContents(deps, { sourceId: source.id, targetId: target.id, ownerId }, files)
}
