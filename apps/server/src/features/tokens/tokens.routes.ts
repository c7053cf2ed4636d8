import * as contract from '@caseward/contract/tokens'

import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { requireUserId, requireProject } from '../../access/request.ts'
import { getActor } from '../audit/record-audit.ts'
import { createCiToken, createPersonalToken } from './create-token.ts'
import { presentNewToken, presentToken } from './present-token.ts'
import { revokeToken } from './revoke-token.ts'
import { selectTokens } from './tokens.queries.ts'

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
      const token = await createPersonalToken(db, getActor(request), requireUserId(request), request.body)
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.revokePersonalToken,
    handler: async (request, reply) => {
      const owner = { kind: 'personal', userId: requireUserId(request) } as const
      await revokeToken(db, getActor(request), owner, request.params.token_id).finally(principalCache.clear)
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
      const token = await createCiToken(db, getActor(request), requireProject(request).id, request.body)
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.revokeCiToken,
    handler: async (request, reply) => {
      const owner = { kind: 'ci', projectId: requireProject(request).id } as const
      await revokeToken(db, getActor(request), owner, request.params.token_id).finally(principalCache.clear)
      return reply.code(204).send(null)
    },
  })
}
