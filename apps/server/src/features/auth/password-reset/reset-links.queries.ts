import { sql } from 'kysely'

import { hashSecret } from '../../../access/secret.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { generateSecret } from '../session/session.queries.ts'

/**
 * Creates a link for a requested reset; returns null when a link was used or the request has expired. A mail that is sent
 * twice has two links, and both work.
 */
export async function createResetLink(db: Database, userId: string) {
  const secret = generateSecret()
  // The lock keeps the link from outliving a change of the password, which ends all requests made before it.
  const { rows } = await sql<{ email: string; expires_at: Date }>`
    with requested as (
      select user_id, expires_at from password_resets where user_id = ${userId} and expires_at > now() for share
    ), link as (
      insert into password_reset_links (secret_hash, user_id, expires_at)
      select ${hashSecret(secret)}::bytea, user_id, expires_at from requested
    )
    select users.email, requested.expires_at from requested join users on users.id = requested.user_id`.execute(db)
  const [reset] = rows
  return reset === undefined ? null : { ...reset, secret }
}
