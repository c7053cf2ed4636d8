import * as contract from '@caseward/contract/tokens'

import type { Deps } from '../../deps.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { App } from '../../platform/http/app.ts'
import { requireUserId, requireProject, getUserId } from '../../access/request.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { createCiToken, createPersonalToken } from './create-token.ts'
import { presentNewToken, presentToken } from './present-token.ts'
import { deleteToken, selectTokens, type TokenOwner } from './tokens.queries.ts'

export function tokensRoutes(app: App, { db, principalCache }: Deps): void {
  app.route({
    ...contract.listPersonalTokens,
    handler: async (request) => {
      const rows = await selectTokens(db, { kind: 'personal', userId: requireUserId(request) })
      return { data: rows.map(presentToken) }
    },
  })

  app.route({
    ...contract.createPersonalToken,
    handler: async (request, reply) => {
      const token = await createPersonalToken(db, requireUserId(request), request.body)
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.revokePersonalToken,
    handler: async (request, reply) => {
      await revokeToken({ kind: 'personal', userId: requireUserId(request) }, request.params.token_id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.listCiTokens,
    handler: async (request) => {
      const rows = await selectTokens(db, { kind: 'ci', projectId: requireProject(request).id })
      return { data: rows.map(presentToken) }
    },
  })

  app.route({
    ...contract.createCiToken,
    handler: async (request, reply) => {
      const token = await createCiToken(db, requireProject(request).id, request.body, getUserId(request))
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.revokeCiToken,
    handler: async (request, reply) => {
      await revokeToken({ kind: 'ci', projectId: requireProject(request).id }, request.params.token_id)
      return reply.code(204).send(null)
    },
  })

  async function revokeToken(owner: TokenOwner, id: string): Promise<void> {
    const isDeleted = isUuid(id) && (await deleteToken(db, owner, id))
    principalCache.clear()
    if (!isDeleted) throw notFoundProblem('token')
  }
}
