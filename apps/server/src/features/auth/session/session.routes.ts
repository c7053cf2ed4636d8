import * as contract from '@caseward/contract/session'
import type { Me, Session, UpdateMeBody } from '@caseward/contract/session'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { isUuid } from '../../../platform/http/ids.ts'
import type { App } from '../../../platform/http/app.ts'
import { requireUserId, requirePrincipal } from '../../../access/request.ts'
import { presentTime } from '../../../platform/http/timestamps.ts'
import { notFoundProblem, unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'
import { updateAccount } from '../account/account.queries.ts'
import { changePassword } from '../account/change-password.ts'
import { deleteSession, selectSessions, type SessionRow } from './session.queries.ts'
import { endSession, requireSameOrigin, signIn } from './sign-in.ts'

export function sessionRoutes(app: App, deps: Deps): void {
  const { db, cookies, principalCache: principals } = deps

  app.route({
    ...contract.signIn,
    onRequest: requireSameOrigin(deps),
    handler: async (request, reply) => {
      const user = await signIn(deps, request, reply, request.body)
      return reply.code(201).send({ data: presentMe(user) })
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
    ...contract.getMe,
    handler: async (request) => ({ data: presentMe(await requireUser(request)) }),
  })

  app.route({
    ...contract.updateMe,
    handler: async (request, reply) => ({ data: presentMe(await update(request, reply, request.body)) }),
  })

  app.route({
    ...contract.listSessions,
    handler: async (request) => {
      const rows = await selectSessions(db, requireUserId(request))
      return { data: rows.map((row) => presentSession(row, requirePrincipal(request).key)) }
    },
  })

  app.route({
    ...contract.revokeSession,
    handler: async (request, reply) => {
      const { session_id: id } = request.params
      const found = isUuid(id) && (await deleteSession(db, requireUserId(request), id))
      principals.clear()
      if (!found) throw notFoundProblem('session')
      return reply.code(204).send(null)
    },
  })

  async function requireUser(request: FastifyRequest): Promise<UserRow> {
    const user = await findUser(db, requireUserId(request))
    if (user === undefined) throw unauthenticatedProblem('Your account was deleted.')
    return user
  }

  async function update(request: FastifyRequest, reply: FastifyReply, body: UpdateMeBody): Promise<UserRow> {
    const { name, avatar_url, password, current_password: current } = body
    const user = await requireUser(request)
    const change = { name, avatar_url }
    if (password !== undefined) {
      return await changePassword(deps, reply, {
        user,
        current,
        password,
        principal: requirePrincipal(request),
        otherChanges: change,
      })
    }
    return name === undefined && avatar_url === undefined ? user : await updateAccount(db, user.id, change)
  }
}

export const presentMe = ({ id, email, name, avatar_url, password_hash, created_at, updated_at }: UserRow): Me => ({
  id,
  email,
  name,
  avatar_url,
  has_password: password_hash !== null,
  created_at: presentTime(created_at),
  updated_at: presentTime(updated_at),
})

const presentSession = (row: SessionRow, currentId: string): Session => ({
  id: row.id,
  current: row.id === currentId,
  user_agent: row.user_agent,
  created_at: presentTime(row.created_at),
  last_seen_at: presentTime(row.last_seen_at),
  expires_at: presentTime(row.expires_at),
})
