import { sql } from 'kysely'

import type { Database } from '../platform/database/connect.ts'
import type { Role, TokenGrant } from './principal.ts'

/** A token as authentication needs it, with the roles of its user by project. */
export interface AuthenticatedToken {
  id: string
  access: 'read' | 'write'
  grants: TokenGrant[]
  userId: string | null
  projectId: string | null
  expiresAt: Date | null
  roles: Record<string, Role>
  isInstanceAdmin: boolean
}

/**
 * Finds a valid token by the hash of its secret, and records its use at most once a minute, so that most requests
 * update no row. The personal tokens of a disabled user are not valid.
 */
export async function findActiveToken(db: Database, secretHash: Buffer): Promise<AuthenticatedToken | null> {
  const { rows } = await sql<AuthenticatedToken>`
    with used as (
      update api_tokens set last_used_at = now()
      where secret_hash = ${secretHash} and (last_used_at is null or last_used_at < now() - interval '1 minute')
        and (expires_at is null or expires_at > now())
    )
    select t.id, t.access, t.grants, t.user_id as "userId", t.project_id as "projectId", t.expires_at as "expiresAt",
      coalesce(
        (select json_object_agg(m.project_id, m.role) from memberships m where m.user_id = t.user_id), '{}'
      ) as roles,
      coalesce(u.is_instance_admin, false) as "isInstanceAdmin"
    from api_tokens t left join users u on u.id = t.user_id
    where t.secret_hash = ${secretHash} and (t.expires_at is null or t.expires_at > now())
      and u.disabled_at is null`.execute(db)
  return rows[0] ?? null
}

/**
 * How a session began: `passkey` is a passkey alone, without a password, and `link` is a link that the operator of the server
 * created.
 */
export type SessionMethod = 'password' | 'passkey' | 'single_sign_on' | 'link'

/** How sessions begin that a server does not accept where it requires single sign-on. */
export const OWN_SIGN_IN_METHODS: readonly SessionMethod[] = ['password', 'passkey']

/** A session as authentication needs it, with the roles of its user by project. */
export interface AuthenticatedSession {
  id: string
  method: SessionMethod
  userId: string
  expiresAt: Date
  roles: Record<string, Role>
  isInstanceAdmin: boolean
  /** Whether the instance requires a second factor that the user does not have. */
  mustSetUpSecondFactor: boolean
}

/** A session that is not used for this long ends before it expires. */
const IDLE_DAYS = 14

/** SQL condition on a row of `sessions`: it is neither expired nor unused for too long. */
export const SESSION_IS_ACTIVE = `expires_at > now() and last_seen_at > now() - ${IDLE_DAYS} * interval '1 day'`
export const isSessionActive = sql.raw<boolean>(SESSION_IS_ACTIVE)

/**
 * SQL condition on rows of `sessions` and `users`: the instance requires a second factor, and the user has none. The sign-in
 * provider is responsible for the second factor of its users.
 */
export const isMissingSecondFactor = sql.raw<boolean>(`(
  not users.has_second_factor and sessions.method <> 'single_sign_on'
  and (select require_second_factor from instance_settings)
)`)

/**
 * Finds an active session by the hash of its secret, and records its use at most once a minute. The sessions of a
 * disabled user are not active.
 */
export async function findActiveSession(db: Database, secretHash: Buffer): Promise<AuthenticatedSession | null> {
  const { rows } = await sql<AuthenticatedSession>`
    with used as (
      update sessions set last_seen_at = now()
      where secret_hash = ${secretHash} and last_seen_at < now() - interval '1 minute' and ${isSessionActive}
    )
    select sessions.id, method, user_id as "userId", expires_at as "expiresAt",
      coalesce(
        (select json_object_agg(m.project_id, m.role) from memberships m where m.user_id = sessions.user_id), '{}'
      ) as roles,
      users.is_instance_admin as "isInstanceAdmin",
      ${isMissingSecondFactor} as "mustSetUpSecondFactor"
    from sessions join users on users.id = sessions.user_id
    where secret_hash = ${secretHash} and ${isSessionActive} and users.disabled_at is null`.execute(db)
  return rows[0] ?? null
}
