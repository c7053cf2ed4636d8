import * as contract from '@caseward/contract/members'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireProject } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { changeRole, removeMember } from './change-members.ts'
import { selectMembers } from './members.queries.ts'
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
    ...contract.changeMemberRole,
    handler: async (request) => {
      const id = { projectId: requireProject(request).id, userId: request.params.user_id }
      const member = await changeRole(db, getActor(request), id, request.body.role).finally(principalCache.clear)
      return presentChangedMember(member)
    },
  })

  app.route({
    ...contract.removeMember,
    handler: async (request, reply) => {
      const id = { projectId: requireProject(request).id, userId: request.params.user_id }
      await removeMember(db, getActor(request), id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })
}
