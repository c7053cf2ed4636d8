import * as contract from '@caseward/contract/email-changes'
import type { FastifyRequest } from 'fastify'

import { requireUserId, requireUserPrincipal } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { getActor } from '../../audit/record-audit.ts'
import { requireSession } from '../confirmation/confirm-session.ts'
import { requireRecentConfirmation } from '../confirmation/require-recent-confirmation.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'
import { cancelEmailChange, requestEmailChange } from './change-email.ts'
import { findEmailChange, type PendingEmailChange } from './email-changes.queries.ts'

/** `/v1/me/email`: the email address of the caller's account, and its change. */
export function emailChangesRoutes(app: App, deps: Deps): void {
  const { db } = deps

  app.route({
    ...contract.getEmail,
    handler: async (request) => {
      const { id, email } = await requireUser(request)
      return presentEmail(email, await findEmailChange(db, id))
    },
  })

  app.route({
    ...contract.requestEmailChange,
    // A leaked token must not be enough to take over the account with a password reset at another address.
    onRequest: async (request) => {
      await requireSession(request)
      await requireRecentConfirmation(deps, request)
    },
    handler: async (request) => {
      const user = await requireUser(request)
      const change = { email: request.body.email, caller: requireUserPrincipal(request) }
      return presentEmail(user.email, await requestEmailChange(db, getActor(request), user, change))
    },
  })

  app.route({
    ...contract.cancelEmailChange,
    handler: async (request, reply) => {
      await cancelEmailChange(db, getActor(request), requireUserId(request))
      return reply.code(204).send(null)
    },
  })

  async function requireUser(request: FastifyRequest): Promise<UserRow> {
    const user = await findUser(db, requireUserId(request))
    if (user === undefined) throw unauthenticatedProblem('Your account was deleted.')
    return user
  }
}

const presentEmail = (email: string, change: PendingEmailChange | undefined) => ({
  data: {
    email,
    pending: change === undefined ? null : { email: change.email, expires_at: presentTime(change.expires_at) },
  },
})
