import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { hashSecret, generateTokenSecret } from '../../access/secret.ts'

/** The owner of a token, for which it acts. */
export type TokenOwner = { kind: 'personal'; userId: string } | { kind: 'ci'; projectId: string }

export interface NewTokenInput {
  name: string
  access: 'read' | 'write'
  expiresAt: Date | null
  createdBy: string | null
}

const listed = ['id', 'name', 'access', 'expires_at', 'last_used_at', 'created_at'] as const

/** Inserts a token and returns it with its secret, of which only the hash is stored. */
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
  return { ...row, token: secret }
}

const isOwnedBy = (owner: TokenOwner) =>
  owner.kind === 'personal' ? sql<boolean>`user_id = ${owner.userId}` : sql<boolean>`project_id = ${owner.projectId}`

export async function selectTokens(db: Database, owner: TokenOwner) {
  return await db.selectFrom('api_tokens').select(listed).where(isOwnedBy(owner)).orderBy('id', 'desc').execute()
}

/** Deletes all personal tokens of a user. */
export async function deletePersonalTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('api_tokens').where('user_id', '=', userId).execute()
}

/** Returns the deleted token; undefined when the owner has none with this id. */
export async function deleteToken(db: Database, owner: TokenOwner, id: string) {
  return await db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .where(isOwnedBy(owner))
    .returning(['name', 'access'])
    .executeTakeFirst()
}
