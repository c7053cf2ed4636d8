import type { REVIEW_REASONS } from '@caseward/contract/tokens'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import type { TokenGrant } from '../../access/principal.ts'
import { hashSecret, generateTokenSecret } from '../../access/secret.ts'

/** The owner of a token, for which it acts. */
export type TokenOwner = { kind: 'personal'; userId: string } | { kind: 'ci'; projectId: string }

export interface NewTokenInput {
  name: string
  access: 'read' | 'write'
  expiresAt: Date | null
  /** What a CI token may do besides. */
  grants?: readonly TokenGrant[]
  createdBy: string | null
  /** The token that creates this one, and with which it ends; null for a token that is created in a browser. */
  createdWith?: string | null
}

const listed = [
  'id',
  'name',
  'access',
  'expires_at',
  'last_used_at',
  'created_by',
  'created_with',
  'created_at',
] as const
const grants = sql<TokenGrant[]>`grants`.as('grants')

const isValid = sql<boolean>`(expires_at is null or expires_at > now())`

/**
 * Inserts a token and returns it with its secret, of which only the hash is stored. It expires at the latest with the token
 * that creates it; if that token was revoked meanwhile, this violates `api_tokens_created_with_fkey`.
 */
export async function insertToken(
  db: Database,
  owner: TokenOwner,
  { name, access, expiresAt, grants: newGrants = [], createdBy, createdWith = null }: NewTokenInput,
  secret = generateTokenSecret(owner.kind),
) {
  const latestExpiry = sql`(select expires_at from api_tokens where id = ${createdWith}::uuid)`
  const row = await db
    .insertInto('api_tokens')
    .values({
      id: uuidv7(),
      kind: owner.kind,
      user_id: owner.kind === 'personal' ? owner.userId : null,
      project_id: owner.kind === 'ci' ? owner.projectId : null,
      name,
      access,
      grants: [...newGrants],
      secret_hash: hashSecret(secret),
      created_by: createdBy,
      created_with: createdWith,
      // least() ignores null, which stands for no expiry.
      expires_at: sql<Date | null>`least(${expiresAt}::timestamptz, ${latestExpiry})`,
    })
    .returning(listed)
    .returning(['kind', grants])
    .executeTakeFirstOrThrow()
  return { ...row, token: secret }
}

const isOwnedBy = (owner: TokenOwner) =>
  owner.kind === 'personal' ? sql<boolean>`user_id = ${owner.userId}` : sql<boolean>`project_id = ${owner.projectId}`

export async function selectPersonalTokens(db: Database, userId: string) {
  return await db.selectFrom('api_tokens').select(listed).where('user_id', '=', userId).orderBy('id', 'desc').execute()
}

/**
 * A user who is no longer an admin, or whose account is disabled, may still know the token that they created. Somebody else may
 * have created it with an account that its user has secured since.
 */
const reviewReason = sql<(typeof REVIEW_REASONS)[number] | null>`
  case
    when not ${isValid} then null
    when not exists (
      select from memberships m join users u on u.id = m.user_id
      where m.project_id = api_tokens.project_id and m.user_id = api_tokens.created_by and m.role = 'admin'
        and u.disabled_at is null
    ) then 'creator_left'
    when review_since is not null then 'creator_secured_account'
  end`

/** Selects the CI tokens of a project, or those that one user created. */
export async function selectCiTokens(db: Database, projectId: string, { createdBy }: { createdBy?: string } = {}) {
  const tokens = db
    .selectFrom('api_tokens')
    .select(listed)
    .select(grants)
    .select(reviewReason.as('review_reason'))
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
  return await (createdBy === undefined ? tokens : tokens.where('created_by', '=', createdBy)).execute()
}

/** Records that a CI token needs no review; returns undefined when the project has none with this id. */
export async function clearTokenReview(tx: Database, projectId: string, id: string) {
  return await tx
    .updateTable('api_tokens')
    .set({ review_since: null })
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .returning(listed)
    .returning([grants, reviewReason.as('review_reason')])
    .executeTakeFirst()
}

/** Marks the valid CI tokens that a user created, so that the admins of their projects see that they should be replaced. */
export async function markCiTokensForReview(tx: Database, userId: string): Promise<void> {
  await tx
    .updateTable('api_tokens')
    .set({ review_since: sql<Date>`now()` })
    .where('kind', '=', 'ci')
    .where('created_by', '=', userId)
    .where(isValid)
    .execute()
}

/** Keeps a token from being revoked until the transaction ends; returns false when it was. */
export async function lockToken(tx: Database, id: string): Promise<boolean> {
  const token = await tx.selectFrom('api_tokens').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return token !== undefined
}

/** Returns whether a user created CI tokens of a project that are still valid. */
export async function hasCiTokensCreatedBy(
  db: Database,
  { projectId, userId }: { projectId: string; userId: string },
): Promise<boolean> {
  const token = await db
    .selectFrom('api_tokens')
    .select('id')
    .where('project_id', '=', projectId)
    .where('created_by', '=', userId)
    .where(isValid)
    .limit(1)
    .executeTakeFirst()
  return token !== undefined
}

export async function countValidTokens(db: Database, owner: TokenOwner): Promise<number> {
  const { count } = await db
    .selectFrom('api_tokens')
    .select(sql<number>`count(*)`.as('count'))
    .where(isOwnedBy(owner))
    .where(isValid)
    .executeTakeFirstOrThrow()
  return count
}

/** Deletes the expired tokens of an owner, except for the `keep` that expired last. */
export async function deleteExpiredTokens(db: Database, owner: TokenOwner, keep: number): Promise<void> {
  await sql`
    delete from api_tokens where id in (
      select id from api_tokens where ${isOwnedBy(owner)} and expires_at <= now() order by expires_at desc offset ${keep}
    )`.execute(db)
}

/**
 * Deletes a token and, with it, the tokens that were created with it, at any depth (`on delete cascade`). Returns it;
 * undefined when the owner has no token with this id.
 */
export async function deleteToken(db: Database, owner: TokenOwner, id: string) {
  return await db
    .deleteFrom('api_tokens')
    .where('id', '=', id)
    .where(isOwnedBy(owner))
    .returning(['name', 'access'])
    .executeTakeFirst()
}

/** Deletes all personal tokens of a user and, with them, the tokens that were created with them. */
export async function deletePersonalTokens(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('api_tokens').where('user_id', '=', userId).execute()
}
