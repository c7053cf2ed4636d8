import type { CreateTokenBody } from '@caseward/contract/tokens'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { insertToken, type NewTokenInput, type TokenOwner } from './tokens.queries.ts'

export async function createPersonalToken(db: Database, actor: AuditActor, userId: string, body: CreateTokenBody) {
  return await saveToken(db, actor, { kind: 'personal', userId }, parseNewToken(body, userId))
}

/** @throws {Problem} 404 when the project is gone */
export async function createCiToken(db: Database, actor: AuditActor, projectId: string, body: CreateTokenBody) {
  const input = parseNewToken(body, actor.userId)
  return await saveToken(db, actor, { kind: 'ci', projectId }, input).catch((error: unknown) => {
    throw violatesConstraint(error, 'api_tokens_project_id_fkey') ? notFoundProblem('project') : error
  })
}

/** Stores a new token, and that it was created. Returns it with its secret. */
export async function saveToken(db: Database, actor: AuditActor, owner: TokenOwner, input: NewTokenInput) {
  return await db.transaction().execute(async (tx) => {
    const token = await insertToken(tx, owner, input)
    await recordAudit(tx, actor, {
      action: 'token.create',
      subject: { kind: 'token', id: token.id, name: token.name },
      ...(owner.kind === 'ci' ? { projectId: owner.projectId } : {}),
      detail: { kind: owner.kind, access: token.access, expires_at: token.expires_at },
    })
    return token
  })
}

function parseNewToken(body: CreateTokenBody, createdBy: string | null): NewTokenInput {
  const expiresAt = typeof body.expires_at === 'string' ? parseTimestamp(body.expires_at) : null
  if (expiresAt !== null && expiresAt <= new Date()) throw invalidFieldProblem('/expires_at', 'must be in the future')
  return { name: body.name, access: body.access ?? 'write', expiresAt, createdBy }
}
