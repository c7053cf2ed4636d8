import * as contract from '@casebook/contract/invitations'
import type { Invitation, InvitationPreview, SentInvitation } from '@casebook/contract/invitations'

import type { Deps } from '../../deps.ts'
import { jsonPage, pageOf } from '../../http/pagination.ts'
import { type App, personOf, projectOf, sendJson } from '../../http/request.ts'
import { presentTime } from '../../http/timestamps.ts'
import { invalid, notFound } from '../../problems.ts'
import { presentMember } from '../members/members.routes.ts'
import { type Accepting, acceptInvitation, openLink } from './accept-invitation.ts'
import { type InvitationLink, joinUrl } from './invitation-links.queries.ts'
import { type InvitationRow, selectInvitations } from './invitations.queries.ts'
import { inviteMember, resendInvitation, revokeInvitation, type Sent } from './invite-member.ts'

export function invitationsRoutes(app: App, { db, principals, publicUrl, hasMailServer }: Deps): void {
  const showLink = !hasMailServer

  app.route({
    ...contract.inviteMember,
    handler: async (request, reply) => {
      const { email, role } = request.body
      const invited = { projectId: projectOf(request).id, email, role, invitedBy: personOf(request) }
      return reply.code(201).send(presentSent(await inviteMember(db, invited, { showLink })))
    },
  })

  app.route({
    ...contract.listInvitations,
    handler: async (request, reply) => {
      const page = pageOf(request.query)
      const found = await selectInvitations(db, projectOf(request).id, request.query, page)
      if (found === null) throw notFound('project')
      return sendJson(reply, jsonPage(found, page))
    },
  })

  app.route({
    ...contract.revokeInvitation,
    handler: async (request, reply) => {
      await revokeInvitation(db, { projectId: projectOf(request).id, id: request.params.invitation_id })
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.resendInvitation,
    handler: async (request) => {
      const id = { projectId: projectOf(request).id, id: request.params.invitation_id }
      return presentSent(await resendInvitation(db, id, { showLink }))
    },
  })

  app.route({
    ...contract.readInvitationLink,
    handler: async (request) => presentLink(await openLink(db, request.params.secret)),
  })

  app.route({
    ...contract.acceptInvitation,
    handler: async (request) => {
      const accepting = request.principal === null ? readNewcomer(request.body) : { userId: personOf(request) }
      const { project, member } = await acceptInvitation(db, request.params.secret, accepting)
      principals.forget()
      return { project, member: presentMember(member) }
    },
  })

  const presentSent = ({ invitation, secret }: Sent): SentInvitation => ({
    ...presentInvitation(invitation),
    ...(secret === null ? {} : { join_url: joinUrl(publicUrl(), secret) }),
  })
}

function readNewcomer(body: { name?: string; password?: string } | null | undefined): Accepting {
  const { name, password } = body ?? {}
  if (name !== undefined && password !== undefined) return { name, password }
  const message = 'is required of who is not signed in'
  throw invalid([
    ...(name === undefined ? [{ path: '/name', message }] : []),
    ...(password === undefined ? [{ path: '/password', message }] : []),
  ])
}

const presentInvitation = ({ expires_at, created_at, ...invitation }: InvitationRow): Invitation => ({
  ...invitation,
  expires_at: presentTime(expires_at),
  created_at: presentTime(created_at),
})

const presentLink = (link: InvitationLink): InvitationPreview => ({
  project: { id: link.project_id, name: link.project_name },
  email: link.email,
  role: link.role,
  invited_by: { name: link.inviter_name },
  expires_at: presentTime(link.expires_at),
})
