import * as contract from '@caseward/contract/admin'

import type { Deps } from '../../deps.ts'
import { type App, sendJson } from '../../platform/http/app.ts'
import { formatJsonCursorPage } from '../../platform/http/pagination.ts'
import { getActor } from '../audit/record-audit.ts'
import { requireRecentConfirmation } from '../auth/confirmation/require-recent-confirmation.ts'
import { changeSettings } from './change-settings.ts'
import { deleteUser, endUserSessions, resetSecondFactors, revokeUserTokens, updateUser } from './change-users.ts'
import { selectInstanceSettings } from './instance-settings.queries.ts'
import { selectUsers } from './instance-users.queries.ts'

/** `/v1/admin`: users and settings of the instance. */
export function adminRoutes(app: App, deps: Deps): void {
  const { db, principalCache } = deps

  app.route({
    ...contract.listUsers,
    handler: async (request, reply) => sendJson(reply, formatJsonCursorPage(await selectUsers(db, request.query))),
  })

  app.route({
    ...contract.updateUser,
    handler: async (request, reply) => {
      const { user_id: userId } = request.params
      if (request.body.is_instance_admin === true) await requireRecentConfirmation(deps, request)
      const user = await updateUser(db, getActor(request), userId, request.body).finally(principalCache.clear)
      return sendJson(reply, `{"data":${user}}`)
    },
  })

  app.route({
    ...contract.deleteUser,
    onRequest: (request) => requireRecentConfirmation(deps, request),
    handler: async (request, reply) => {
      await deleteUser(db, getActor(request), request.params.user_id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.endUserSessions,
    handler: async (request, reply) => {
      await endUserSessions(db, getActor(request), request.params.user_id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.revokeUserTokens,
    handler: async (request, reply) => {
      await revokeUserTokens(db, getActor(request), request.params.user_id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.resetSecondFactors,
    onRequest: (request) => requireRecentConfirmation(deps, request),
    handler: async (request, reply) => {
      await resetSecondFactors(db, getActor(request), request.params.user_id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.getInstanceSettings,
    handler: async () => ({ data: await selectInstanceSettings(db) }),
  })

  app.route({
    ...contract.updateInstanceSettings,
    handler: async (request) => {
      if (request.body.require_second_factor === false) await requireRecentConfirmation(deps, request)
      const change = changeSettings(db, getActor(request), request.body)
      return { data: await change.finally(principalCache.clear) }
    },
  })
}
