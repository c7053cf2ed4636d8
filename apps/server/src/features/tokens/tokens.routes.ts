import * as contract from '@caseward/contract/tokens'

import type { Deps } from '../../deps.ts'
import type { App } from '../../platform/http/app.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { requireProject, requireUserId, requireUserPrincipal } from '../../access/request.ts'
import { getActor } from '../audit/record-audit.ts'
import { requireRecentConfirmation } from '../auth/confirmation/require-recent-confirmation.ts'
import { createCiToken, createPersonalToken, parseCiTokenInput, parseTokenInput } from './create-token.ts'
import { keepCiToken } from './keep-token.ts'
import { presentCiToken, presentNewToken, presentToken } from './present-token.ts'
import { revokePersonalTokens, revokeToken } from './revoke-token.ts'
import { selectCiTokens, selectPersonalTokens } from './tokens.queries.ts'

export function tokensRoutes(app: App, deps: Deps): void {
  const { db, principalCache } = deps

  app.route({
    ...contract.listPersonalTokens,
    handler: async (request) => {
      const rows = await selectPersonalTokens(db, requireUserId(request))
      return { data: rows.map(presentToken) }
    },
  })

  app.route({
    ...contract.createPersonalToken,
    onRequest: (request) => requireRecentConfirmation(deps, request),
    handler: async (request, reply) => {
      const input = parseTokenInput(request.body)
      const token = await createPersonalToken(db, getActor(request), requireUserPrincipal(request), input)
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.revokePersonalTokens,
    handler: async (request, reply) => {
      const userId = requireUserId(request)
      await revokePersonalTokens(db, getActor(request), userId).finally(principalCache.clear)
      return reply.code(204).send(null)
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
      const { created_by: createdBy } = request.query
      const filter = createdBy === undefined ? {} : { createdBy }
      // An id of the wrong form belongs to no user.
      const isKnown = createdBy === undefined || isUuid(createdBy)
      const rows = isKnown ? await selectCiTokens(db, requireProject(request).id, filter) : []
      return { data: rows.map(presentCiToken) }
    },
  })

  app.route({
    ...contract.createCiToken,
    onRequest: (request) => requireRecentConfirmation(deps, request),
    handler: async (request, reply) => {
      const { id } = requireProject(request)
      const creator = requireUserPrincipal(request)
      const token = await createCiToken(db, getActor(request), id, creator, parseCiTokenInput(request.body))
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.keepCiToken,
    handler: async (request) => {
      const { id } = requireProject(request)
      return { data: presentCiToken(await keepCiToken(db, getActor(request), id, request.params.token_id)) }
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
