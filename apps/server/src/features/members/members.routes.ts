import * as contract from '@caseward/contract/members'
import type { FastifyReply } from 'fastify'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireProject, requireUserId } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { changeRole, removeMember } from './change-members.ts'
import { type MembershipId, selectMembers } from './members.queries.ts'
import { selectPeople } from './people.queries.ts'
import { presentChangedMember } from './present-member.ts'

export function membersRoutes(app: App, { db, principalCache }: Deps): void {
  app.route({
    ...contract.listMembers,
    handler: async (request, reply) => {
      const page = parsePage(request.query)
      const members = await selectMembers(db, requireProject(request).id, request.query, page)
      if (members === null) throw notFoundProblem('project')
      return sendJson(reply, formatJsonPage(members, page))
    },
  })

  app.route({
    ...contract.listPeople,
    handler: async (request, reply) =>
      sendJson(reply, `{"data":${await selectPeople(db, requireProject(request).id)}}`),
  })

  app.route({
    ...contract.changeMemberRole,
    handler: async (request, reply) => {
      const id = { projectId: requireProject(request).id, userId: request.params.user_id }
      const change = changeRole(db, getActor(request), id, request.body.role)
      const { member, hasCiTokensToReview } = await change.finally(principalCache.clear)
      if (hasCiTokensToReview) linkCiTokens(reply, id)
      return presentChangedMember(member)
    },
  })

  app.route({
    ...contract.leaveProject,
    handler: async (request, reply) => {
      const id = { projectId: requireProject(request).id, userId: requireUserId(request) }
      await removeMember(db, getActor(request), id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.removeMember,
    handler: async (request, reply) => {
      const id = { projectId: requireProject(request).id, userId: request.params.user_id }
      const removal = removeMember(db, getActor(request), id)
      const { hasCiTokensToReview } = await removal.finally(principalCache.clear)
      if (hasCiTokensToReview) linkCiTokens(reply, id)
      return reply.code(204).send(null)
    },
  })
}

/** Links the list of the CI tokens that a former admin created (RFC 8288): the specification defines the body. */
function linkCiTokens(reply: FastifyReply, { projectId, userId }: MembershipId): void {
  const url = `/v1/projects/${projectId}/tokens?created_by=${userId}`
  void reply.header('link', `<${url}>; rel="related"; title="CI tokens to review"`)
}
