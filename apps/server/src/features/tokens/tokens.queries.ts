import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { notFoundProblem } from '../../platform/http/problems.ts'
import { hashSecret, generateTokenSecret } from '../../access/secret.ts'

/** Whom a token acts for: one user, or one project. */
export type TokenOwner = { kind: 'personal'; userId: string } | { kind: 'ci'; projectId: string }

export interface NewTokenInput {
  name: string
  access: 'read' | 'write'
  expiresAt: Date | null
  createdBy: string | null
}

const listed = ['id', 'name', 'access', 'expires_at', 'last_used_at', 'created_at'] as const

/**
 * Stores a token's hash and returns it with its secret, which exists nowhere else.
 * @throws {Problem} 404 when the project is gone
 */
export async function insertToken(
  db: Database,
  owner: TokenOwner,
  input: NewTokenInput,
  secret = generateTokenSecret(owner.kind),
) {
  const row = await db
    .insertInto('api_tokens')
    .values({
      id: uuidv7(),
      kind: owner.kind,
      user_id: owner.kind === 'personal' ? owner.userId : null,
      project_id: owner.kind === 'ci' ? owner.projectId : null,
      name: input.name,
      access: input.access,
      secret_hash: hashSecret(secret),
      created_by: input.createdBy,
      expires_at: input.expiresAt,
    })
    .returning(listed)
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw violatesConstraint(error, 'api_tokens_project_id_fkey') ? notFoundProblem('project') : error
    })
  return { ...row, token: secret }
}

const ownedBy = (owner: TokenOwner) =>
  owner.kind === 'personal' ? sql<boolean>`user_id = ${owner.userId}` : sql<boolean>`project_id = ${owner.projectId}`

export async function selectTokens(db: Database, owner: TokenOwner) {
  return await db.selectFrom('api_tokens').select(listed).where(ownedBy(owner)).orderBy('id', 'desc').execute()
}

/** Deletes a token; false when its owner has none of this id. */
export async function deleteToken(db: Database, owner: TokenOwner, id: string): Promise<boolean> {
  const deleted = await db.deleteFrom('api_tokens').where('id', '=', id).where(ownedBy(owner)).executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
