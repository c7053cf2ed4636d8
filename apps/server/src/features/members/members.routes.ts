import * as contract from '@casebook/contract/members'
import type { ChangedMember, Member } from '@casebook/contract/members'

import type { Deps } from '../../deps.ts'
import { jsonPage, pageOf } from '../../http/pagination.ts'
import { type App, projectOf, sendJson } from '../../http/request.ts'
import { presentTime } from '../../http/timestamps.ts'
import { notFound } from '../../problems.ts'
import { changeRole, removeMember } from './change-members.ts'
import { type MemberRow, selectMembers } from './members.queries.ts'

export function membersRoutes(app: App, { db, principals }: Deps): void {
  app.route({
    ...contract.listMembers,
    handler: async (request, reply) => {
      const page = pageOf(request.query)
      const found = await selectMembers(db, projectOf(request).id, request.query, page)
      if (found === null) throw notFound('project')
      return sendJson(reply, jsonPage(found, page))
    },
  })

  app.route({
    ...contract.changeMemberRole,
    handler: async (request) => {
      const id = { projectId: projectOf(request).id, userId: request.params.user_id }
      const member = await changeRole(db, id, request.body.role).finally(principals.forget)
      return presentChangedMember(member)
    },
  })

  app.route({
    ...contract.removeMember,
    handler: async (request, reply) => {
      const id = { projectId: projectOf(request).id, userId: request.params.user_id }
      await removeMember(db, id).finally(principals.forget)
      return reply.code(204).send(null)
    },
  })
}

export function presentMember({ id, email, name, avatar_url, role, joined_at }: MemberRow): Member {
  return { id, email, name, avatar_url, role, joined_at: presentTime(joined_at) }
}

const presentChangedMember = (row: MemberRow): ChangedMember => ({
  ...presentMember(row),
  updated_at: presentTime(row.updated_at),
})
