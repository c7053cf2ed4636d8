import { LRUCache } from 'lru-cache'

import type { Database } from '../platform/database/connect.ts'
import { findActiveSession } from '../features/auth/session/session.queries.ts'
import { hashSecret, hasInvalidChecksum } from './secret.ts'
import { findActiveToken } from '../features/tokens/tokens.queries.ts'

export type Role = 'admin' | 'member' | 'viewer'

/** Who makes a request, and what is known of their rights. */
export type Principal =
  | { kind: 'personal'; key: string; userId: string; access: 'read' | 'write'; roles: ReadonlyMap<string, Role> }
  | { kind: 'session'; key: string; userId: string; access: 'write'; roles: ReadonlyMap<string, Role> }
  | { kind: 'ci'; key: string; projectId: string; access: 'read' | 'write' }

/**
 * How long what was read of a token is believed. A token revoked, or a role changed, on another server takes effect
 * within a second; on this one at once, through {@link PrincipalCache.clear}.
 */
const CACHE_TTL_MS = 900
const REMEMBERED = 10_000

export interface PrincipalCache {
  /** Who a browser's session belongs to; null for one that is unknown, ended or expired. Its key is the session's id. */
  findBySession(secret: string): Promise<Principal | null>
  /**
   * Who a token belongs to; null for one that is unknown, mistyped, revoked or expired.
   * @param connection that it came by: nearly always it sends the same token again, which need not be hashed anew
   */
  findByToken(secret: string, connection: object): Promise<Principal | null>
  /** Forgets everybody. To be called after any change of tokens, sessions, members or projects has been committed. */
  clear(): void
}

export function createPrincipalCache(db: Database, { adminToken }: { adminToken: string | null }): PrincipalCache {
  // The one token that we did not make: it may look like ours and still have no right checksum.
  const adminHash = adminToken === null ? null : hashSecret(adminToken)
  const known = new LRUCache<string, Principal>({ max: REMEMBERED, ttl: CACHE_TTL_MS, ttlResolution: 20 })
  // A look-up that began before a change must not be remembered after it.
  let generation = 0

  async function loadByToken(hash: Buffer, key: string): Promise<Principal | null> {
    const startedIn = generation
    const holder = await findActiveToken(db, hash)
    return holder === null ? null : store(key, toPrincipal(holder), holder.expiresAt, startedIn)
  }

  async function loadBySession(hash: Buffer, key: string): Promise<Principal | null> {
    const startedIn = generation
    const holder = await findActiveSession(db, hash)
    if (holder === null) return null
    const { id, userId, roles, expiresAt } = holder
    const principal = {
      kind: 'session',
      key: id,
      userId,
      access: 'write',
      roles: new Map(Object.entries(roles)),
    } as const
    return store(key, principal, expiresAt, startedIn)
  }

  function store(key: string, principal: Principal, expiresAt: Date | null, startedIn: number): Principal {
    const msLeft = expiresAt === null ? CACHE_TTL_MS : expiresAt.getTime() - Date.now()
    if (startedIn === generation && msLeft > 0) known.set(key, principal, { ttl: Math.min(CACHE_TTL_MS, msLeft) })
    return principal
  }

  const lastSent = new WeakMap<object, { secret: string; hash: Buffer; key: string }>()

  return {
    async findByToken(secret, connection) {
      let sent = lastSent.get(connection)
      if (sent?.secret !== secret) {
        const hash = hashSecret(secret)
        sent = { secret, hash, key: hash.toString('base64') }
        lastSent.set(connection, sent)
      }
      const { hash, key } = sent
      const found = known.get(key)
      if (found !== undefined) return found
      return hasInvalidChecksum(secret) && !(adminHash?.equals(hash) ?? false) ? null : await loadByToken(hash, key)
    },
    async findBySession(secret) {
      const hash = hashSecret(secret)
      const key = `session ${hash.toString('base64')}`
      return known.get(key) ?? (await loadBySession(hash, key))
    },
    clear() {
      generation += 1
      known.clear()
    },
  }
}

function toPrincipal(holder: NonNullable<Awaited<ReturnType<typeof findActiveToken>>>): Principal {
  const { id: key, access } = holder
  if (holder.userId !== null) {
    return { kind: 'personal', key, access, userId: holder.userId, roles: new Map(Object.entries(holder.roles)) }
  }
  if (holder.projectId !== null) return { kind: 'ci', key, access, projectId: holder.projectId }
  throw new Error(`Token ${holder.id} belongs to nobody`)
}
