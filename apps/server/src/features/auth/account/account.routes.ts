import * as contract from '@caseward/contract/session'
import type { UpdateMeBody } from '@caseward/contract/session'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { requirePrincipal, requireUserId } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { invalidFieldProblem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { getActor } from '../../audit/record-audit.ts'
import { requireRecentConfirmation } from '../confirmation/require-recent-confirmation.ts'
import { requireSession } from '../confirmation/confirm-session.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'
import { toEmailKey } from '../users/email-key.ts'
import { changePassword } from './change-password.ts'
import { deleteAccount } from './delete-account.ts'
import { presentMe } from './present-me.ts'
import { updateProfile } from './update-profile.ts'

/** `/v1/me`: the account of the token's or session's user. */
export function accountRoutes(app: App, deps: Deps): void {
  const { db, cookies, principalCache } = deps

  app.route({
    ...contract.getMe,
    handler: async (request) => ({ data: presentMe(await requireUser(request), deps) }),
  })

  app.route({
    ...contract.updateMe,
    handler: async (request, reply) => ({ data: presentMe(await updateAccount(request, reply, request.body), deps) }),
  })

  app.route({
    ...contract.deleteMe,
    onRequest: async (request) => {
      await requireSession(request)
      await requireRecentConfirmation(deps, request)
    },
    handler: async (request, reply) => {
      const { id, email } = await requireUser(request)
      if (toEmailKey(request.body.email) !== toEmailKey(email)) {
        throw invalidFieldProblem('/email', 'is not the email address of your account')
      }
      await deleteAccount(db, getActor(request), id).finally(principalCache.clear)
      cookies.clear(reply, 'session')
      return reply.code(204).send(null)
    },
  })

  async function requireUser(request: FastifyRequest): Promise<UserRow> {
    const user = await findUser(db, requireUserId(request))
    if (user === undefined) throw unauthenticatedProblem('Your account was deleted.')
    return user
  }

  async function updateAccount(request: FastifyRequest, reply: FastifyReply, body: UpdateMeBody): Promise<UserRow> {
    const { name, avatar_url, mention_emails, password: newPassword, current_password: currentPassword } = body
    const user = await requireUser(request)
    const otherChanges = { name, avatar_url, mention_emails }
    if (newPassword !== undefined) {
      // Otherwise the current password, which the change requires, confirms it as well.
      if (user.has_second_factor) await requireRecentConfirmation(deps, request)
      const principal = requirePrincipal(request)
      const actor = getActor(request)
      const change = { user, currentPassword, newPassword, principal, actor, otherChanges }
      return await changePassword(deps, request, reply, change)
    }
    const isUnchanged = Object.values(otherChanges).every((value) => value === undefined)
    return isUnchanged ? user : await updateProfile(db, getActor(request), user, otherChanges)
  }
}
