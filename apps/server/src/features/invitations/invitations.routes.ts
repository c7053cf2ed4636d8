import * as contract from '@caseward/contract/invitations'
import type { SentInvitation } from '@caseward/contract/invitations'

import type { Deps } from '../../deps.ts'
import { formatJsonPage, parsePage } from '../../platform/http/pagination.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { requireProject, requireUserId, requireUserPrincipal } from '../../access/request.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { getActor } from '../audit/record-audit.ts'
import { requirePasswordsAllowed } from '../auth/session/require-passwords-allowed.ts'
import { presentMember } from '../members/present-member.ts'
import { type Invitee, acceptInvitation, requireValidLink } from './accept-invitation.ts'
import { getJoinUrl } from './invitation-links.queries.ts'
import { selectInvitations } from './invitations.queries.ts'
import { inviteMember, resendInvitation, revokeInvitation, type InvitationWithSecret } from './change-invitations.ts'
import { presentInvitation, presentPreview } from './present-invitation.ts'

export function invitationsRoutes(app: App, deps: Deps): void {
  const { db, principalCache, getPublicUrl, hasMailServer } = deps
  const showLink = !hasMailServer

  app.route({
    ...contract.inviteMember,
    handler: async (request, reply) => {
      const { email, role } = request.body
      const newInvitation = { projectId: requireProject(request).id, email, role }
      const options = { senderId: requireUserId(request), caller: requireUserPrincipal(request), showLink }
      const invitation = await inviteMember(db, getActor(request), newInvitation, options)
      return reply.code(201).send(presentSentInvitation(invitation))
    },
  })

  app.route({
    ...contract.listInvitations,
    handler: async (request, reply) => {
      const page = parsePage(request.query)
      const found = await selectInvitations(db, requireProject(request).id, request.query, page)
      if (found === null) throw notFoundProblem('project')
      return sendJson(reply, formatJsonPage(found, page))
    },
  })

  app.route({
    ...contract.revokeInvitation,
    handler: async (request, reply) => {
      const id = { projectId: requireProject(request).id, id: request.params.invitation_id }
      await revokeInvitation(db, getActor(request), id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.resendInvitation,
    handler: async (request) => {
      const id = { projectId: requireProject(request).id, id: request.params.invitation_id }
      const options = { senderId: requireUserId(request), caller: requireUserPrincipal(request), showLink }
      return presentSentInvitation(await resendInvitation(db, getActor(request), id, options))
    },
  })

  app.route({
    ...contract.getInvitationPreview,
    handler: async (request) => presentPreview(await requireValidLink(db, request.params.secret)),
  })

  app.route({
    ...contract.acceptInvitation,
    handler: async (request) => {
      if (request.principal === null) requirePasswordsAllowed(deps)
      const invitee = request.principal === null ? parseNewUser(request.body) : { userId: requireUserId(request) }
      const { project, member } = await acceptInvitation(db, request, request.params.secret, invitee)
      principalCache.clear()
      return { project, member: presentMember(member) }
    },
  })

  const presentSentInvitation = ({ invitation, secret }: InvitationWithSecret): SentInvitation => ({
    ...presentInvitation(invitation),
    ...(secret === null ? {} : { join_url: getJoinUrl(getPublicUrl(), secret) }),
  })
}

/** Name and password are required only here: the validation does not know whether the caller is signed in. */
function parseNewUser(body: { name?: string; password?: string } | null | undefined): Invitee {
  const { name, password } = body ?? {}
  if (name !== undefined && password !== undefined) return { name, password }
  const message = 'is required unless you are signed in'
  throw invalidProblem([
    ...(name === undefined ? [{ path: '/name', message }] : []),
    ...(password === undefined ? [{ path: '/password', message }] : []),
  ])
}
