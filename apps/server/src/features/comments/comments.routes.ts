import * as contract from '@caseward/contract/comments'
import type { CommentBody } from '@caseward/contract/comments'
import type { FastifyRequest } from 'fastify'

import { requirePrincipal, requireProject, requireRun, requireUserId } from '../../access/request.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { findResultPlace, findRunPlace, findTestCasePlace } from '../attachments/find-place.ts'
import { getActor } from '../audit/record-audit.ts'
import { addComment, deleteComment, updateComment } from './change-comments.ts'
import { selectComment, selectComments, selectCommentVersions } from './comments.queries.ts'
import { presentComments } from './present-comments.ts'

type FoundPlace = Awaited<ReturnType<typeof findRunPlace>>

export function commentsRoutes(app: App, deps: Deps): void {
  placeRoutes(app, deps)
  commentRoutes(app, deps)
}

/** Comments of a test case, run or result. */
function placeRoutes(app: App, deps: Deps): void {
  const { db } = deps

  async function list(
    { place, state }: FoundPlace,
    { after, per_page: limit = 20 }: { after?: string; per_page?: number },
  ) {
    const rows = await selectComments(db, place, { after, limit })
    const page = rows.slice(0, limit)
    const data = await presentComments(db, place, page, { hasAttachments: state.count > 0 })
    return { data, meta: { next_after: rows.length > limit ? (page.at(-1)?.id ?? null) : null } }
  }

  async function add(request: FastifyRequest, { place, state }: FoundPlace, body: CommentBody) {
    const row = await addComment(deps, place, body, requireUserId(request))
    const [data] = await presentComments(db, place, [row], { hasAttachments: state.count > 0 })
    if (data === undefined) throw new Error('The comment was not presented')
    return { data }
  }

  app.route({
    ...contract.listTestCaseComments,
    handler: async (request) =>
      await list(await findTestCasePlace(db, requireProject(request), request.params.test_case_id), request.query),
  })
  app.route({
    ...contract.createTestCaseComment,
    handler: async (request, reply) => {
      const found = await findTestCasePlace(db, requireProject(request), request.params.test_case_id)
      return reply.code(201).send(await add(request, found, request.body))
    },
  })
  app.route({
    ...contract.listRunComments,
    handler: async (request) => await list(await findRunPlace(db, requireRun(request)), request.query),
  })
  app.route({
    ...contract.createRunComment,
    handler: async (request, reply) => {
      const found = await findRunPlace(db, requireRun(request))
      return reply.code(201).send(await add(request, found, request.body))
    },
  })
  app.route({
    ...contract.listResultComments,
    handler: async (request) =>
      await list(await findResultPlace(db, requireRun(request), request.params.result_id), request.query),
  })
  app.route({
    ...contract.createResultComment,
    handler: async (request, reply) => {
      const found = await findResultPlace(db, requireRun(request), request.params.result_id)
      return reply.code(201).send(await add(request, found, request.body))
    },
  })
}

/** A single comment, wherever it is. */
function commentRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    ...contract.updateComment,
    handler: async (request) => {
      const { comment_id: id } = request.params
      const { place, row } = await updateComment(
        deps,
        requireProject(request),
        id,
        request.body,
        requireUserId(request),
      )
      const [data] = await presentComments(db, place, [row], { hasAttachments: true })
      if (data === undefined) throw new Error('The comment was not presented')
      return { data }
    },
  })

  app.route({
    ...contract.deleteComment,
    handler: async (request, reply) => {
      const principal = requirePrincipal(request)
      if (principal.kind === 'ci') throw new Error('The guard lets no CI token write comments')
      await deleteComment(deps, principal, getActor(request), requireProject(request), request.params.comment_id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.listCommentVersions,
    handler: async (request) => {
      const { id: projectId } = requireProject(request)
      const { comment_id: id } = request.params
      const found = isUuid(id) ? await selectComment(db, projectId, id) : null
      if (found === null) throw notFoundProblem('comment')
      const versions = await selectCommentVersions(db, projectId, id)
      return { data: versions.map(({ body, replaced_at }) => ({ body, replaced_at: presentTime(replaced_at) })) }
    },
  })
}
