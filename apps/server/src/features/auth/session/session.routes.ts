import * as contract from '@caseward/contract/session'
import type { Session } from '@caseward/contract/session'

import { requirePrincipal, requireUserId } from '../../../access/request.ts'
import type { Deps } from '../../../deps.ts'
import type { App } from '../../../platform/http/app.ts'
import { notFoundProblem } from '../../../platform/http/problems.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { presentMe } from '../account/present-me.ts'
import { getActor } from '../../audit/record-audit.ts'
import { secondFactorRequiredProblem } from '../second-factors/complete-sign-in.ts'
import { endSession } from './browser-session.ts'
import { formatBrowser } from './format-browser.ts'
import { requireSameOrigin } from './require-same-origin.ts'
import { endOtherSessions, revokeSession } from './revoke-session.ts'
import { selectSessions, type SessionRow } from './session.queries.ts'
import { signIn } from './sign-in.ts'

/** `/v1/session`, sign-in and sign-out, and `/v1/sessions`, all sessions of a user. */
export function sessionRoutes(app: App, deps: Deps): void {
  const { db, cookies, principalCache } = deps

  app.route({
    ...contract.signIn,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      const { user, isComplete } = await signIn(deps, request, reply, request.body)
      if (!isComplete) throw await secondFactorRequiredProblem(db, user.id)
      return reply.code(201).send({ data: presentMe(user, deps) })
    },
  })

  app.route({
    ...contract.signOut,
    handler: async (request, reply) => {
      const secret = cookies.read(request, 'session')
      if (secret === null || requirePrincipal(request).kind !== 'session') throw notFoundProblem('session')
      await endSession(deps, secret, reply)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.listSessions,
    handler: async (request) => {
      const rows = await selectSessions(db, requireUserId(request))
      return { data: rows.map((row) => presentSession(row, requirePrincipal(request).key)) }
    },
  })

  app.route({
    ...contract.endOtherSessions,
    handler: async (request, reply) => {
      const { kind, key } = requirePrincipal(request)
      const own =
        kind === 'session' ? { ownId: key, browser: cookies.read(request, 'browser') } : { ownId: null, browser: null }
      await endOtherSessions(db, getActor(request), requireUserId(request), own).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.revokeSession,
    handler: async (request, reply) => {
      const userId = requireUserId(request)
      await revokeSession(db, getActor(request), userId, request.params.session_id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })
}

const presentSession = (row: SessionRow, currentId: string): Session => ({
  id: row.id,
  current: row.id === currentId,
  user_agent: row.user_agent,
  browser: formatBrowser(row.user_agent),
  created_at: presentTime(row.created_at),
  last_seen_at: presentTime(row.last_seen_at),
  expires_at: presentTime(row.expires_at),
})
