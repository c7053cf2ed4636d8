import * as contract from '@caseward/contract/tokens'
import type { NewToken, Token } from '@caseward/contract/tokens'

import type { Deps } from '../../deps.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { App } from '../../platform/http/app.ts'
import { requireUserId, requireProject, getUserId } from '../../access/request.ts'
import { parseTimestamp, presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import * as tokens from './tokens.queries.ts'

export function tokensRoutes(app: App, { db, principalCache: principals }: Deps): void {
  app.route({
    ...contract.listPersonalTokens,
    handler: async (request) => {
      const rows = await tokens.selectTokens(db, { kind: 'personal', userId: requireUserId(request) })
      return { data: rows.map(presentToken) }
    },
  })

  app.route({
    ...contract.createPersonalToken,
    handler: async (request, reply) => {
      const userId = requireUserId(request)
      const token = await tokens.insertToken(db, { kind: 'personal', userId }, readNewToken(request.body, userId))
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.revokePersonalToken,
    handler: async (request, reply) => {
      await revoke({ kind: 'personal', userId: requireUserId(request) }, request.params.token_id)
      return reply.code(204).send(null)
    },
  })

  app.route({
    ...contract.listCiTokens,
    handler: async (request) => {
      const rows = await tokens.selectTokens(db, { kind: 'ci', projectId: requireProject(request).id })
      return { data: rows.map(presentToken) }
    },
  })

  app.route({
    ...contract.createCiToken,
    handler: async (request, reply) => {
      const owner = { kind: 'ci', projectId: requireProject(request).id } as const
      const token = await tokens.insertToken(db, owner, readNewToken(request.body, getUserId(request)))
      return reply.code(201).send({ data: presentNewToken(token) })
    },
  })

  app.route({
    ...contract.revokeCiToken,
    handler: async (request, reply) => {
      await revoke({ kind: 'ci', projectId: requireProject(request).id }, request.params.token_id)
      return reply.code(204).send(null)
    },
  })

  async function revoke(owner: tokens.TokenOwner, id: string): Promise<void> {
    const found = isUuid(id) && (await tokens.deleteToken(db, owner, id))
    principals.clear()
    if (!found) throw notFoundProblem('token')
  }
}

function readNewToken(body: contract.CreateTokenBody, createdBy: string | null): tokens.NewTokenInput {
  const expiresAt = typeof body.expires_at === 'string' ? parseTimestamp(body.expires_at) : null
  if (expiresAt !== null && expiresAt <= new Date()) throw invalidFieldProblem('/expires_at', 'must lie in the future')
  return { name: body.name, access: body.access ?? 'write', expiresAt, createdBy }
}

type TokenRow = Awaited<ReturnType<typeof tokens.selectTokens>>[number]

function presentToken({ id, name, access, expires_at, last_used_at, created_at }: TokenRow): Token {
  return {
    id,
    name,
    access,
    expires_at: presentNullableTime(expires_at),
    last_used_at: presentNullableTime(last_used_at),
    created_at: presentTime(created_at),
  }
}

const presentNewToken = (row: TokenRow & { token: string }): NewToken => ({ ...presentToken(row), token: row.token })
