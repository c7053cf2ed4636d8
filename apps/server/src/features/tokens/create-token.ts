import type { CreateTokenBody } from '@caseward/contract/tokens'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import { invalidFieldProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { insertToken, type NewTokenInput } from './tokens.queries.ts'

export async function createPersonalToken(db: Database, userId: string, body: CreateTokenBody) {
  return await insertToken(db, { kind: 'personal', userId }, parseNewToken(body, userId))
}

/** @throws {Problem} 404 when the project is gone */
export async function createCiToken(db: Database, projectId: string, body: CreateTokenBody, createdBy: string | null) {
  const input = parseNewToken(body, createdBy)
  return await insertToken(db, { kind: 'ci', projectId }, input).catch((error: unknown) => {
    throw violatesConstraint(error, 'api_tokens_project_id_fkey') ? notFoundProblem('project') : error
  })
}

function parseNewToken(body: CreateTokenBody, createdBy: string | null): NewTokenInput {
  const expiresAt = typeof body.expires_at === 'string' ? parseTimestamp(body.expires_at) : null
  if (expiresAt !== null && expiresAt <= new Date()) throw invalidFieldProblem('/expires_at', 'must be in the future')
  return { name: body.name, access: body.access ?? 'write', expiresAt, createdBy }
}
