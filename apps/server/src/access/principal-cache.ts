import { LRUCache } from 'lru-cache'

import type { Database } from '../platform/database/connect.ts'
import { runAfterCommit } from '../platform/database/request-transaction.ts'
import type { Principal } from './principal.ts'
import {
  type AuthenticatedSession,
  type AuthenticatedToken,
  findActiveSession,
  findActiveToken,
  OWN_SIGN_IN_METHODS,
} from './principals.queries.ts'
import { hashSecret, hasInvalidChecksum } from './secret.ts'

/**
 * How long a principal is cached. A token revoked or a role changed by another server takes effect within a second;
 * one changed by this server takes effect at once, through {@link PrincipalCache.clear}.
 */
const CACHE_TTL_MS = 900
/** Counted as a size, so that nothing is reserved for them at the start. */
const CACHE_LIMIT = { maxSize: 10_000, sizeCalculation: () => 1 }
/** How long it is known that a token or session was valid. */
const RECENTLY_VALID_TTL_MS = 60 * 60 * 1000

type BeforeLookup = () => Promise<void>

interface Found {
  principal: Principal
  /** When the token or session ends; null when it does not. */
  expiresAt: Date | null
}

export interface PrincipalCache {
  /**
   * Finds the principal of a session; null when it is unknown, ended or expired. The key is the session's id.
   * @param beforeLookup called before the database is queried for a session that was not valid in the last hour; its error
   *   is passed on
   */
  findBySession(secret: string, beforeLookup: BeforeLookup): Promise<Principal | null>
  /** Returns the principal of a token that the connection has sent before, if it is cached: most requests need nothing else. */
  getByToken(secret: string, connection: object): Principal | undefined
  /**
   * Finds the principal of a token; null when it is unknown, mistyped, revoked or expired.
   * @param connection of the request: it usually sends the same token again, which is then not hashed again
   * @param beforeLookup as for a session
   */
  findByToken(secret: string, connection: object, beforeLookup: BeforeLookup): Promise<Principal | null>
  /** Counts a session that has just started as valid lately, so that invalid cookies of the same address do not refuse it. */
  rememberSession(secret: string): void
  /** Must be called after a change of tokens, sessions, members, projects or users' rights has been committed. */
  clear(): void
}

interface PrincipalSettings {
  /** The one token that this service did not generate: it may have no valid checksum. */
  adminToken: string | null
  signIn?: 'any' | 'single-sign-on'
}

export function createPrincipalCache(db: Database, settings: PrincipalSettings): PrincipalCache {
  const adminHash = settings.adminToken === null ? null : hashSecret(settings.adminToken)
  const cache = new LRUCache<string, Principal>({ ...CACHE_LIMIT, ttl: CACHE_TTL_MS, ttlResolution: 20 })
  const recentlyValid = new LRUCache<string, true>({ ...CACHE_LIMIT, ttl: RECENTLY_VALID_TTL_MS })
  // The result of a query that began before clear() must not be cached after it.
  let generation = 0

  /** @param find queries the database; null when the token or session is unknown or no longer valid */
  async function findByKey(key: string, find: () => Promise<Found | null>, beforeLookup: BeforeLookup) {
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    if (!recentlyValid.has(key)) await beforeLookup()
    const startGeneration = generation
    const found = await find()
    if (found === null) {
      recentlyValid.delete(key)
      return null
    }
    recentlyValid.set(key, true)
    const { principal, expiresAt } = found
    const remainingMs = expiresAt === null ? CACHE_TTL_MS : expiresAt.getTime() - Date.now()
    if (startGeneration === generation && remainingMs > 0) {
      cache.set(key, principal, { ttl: Math.min(CACHE_TTL_MS, remainingMs) })
    }
    return principal
  }

  async function findToken(hash: Buffer): Promise<Found | null> {
    const token = await findActiveToken(db, hash)
    return token === null ? null : { principal: toTokenPrincipal(token), expiresAt: token.expiresAt }
  }

  async function findSession(hash: Buffer): Promise<Found | null> {
    const session = await findActiveSession(db, hash)
    if (session === null) return null
    // A server that still has the old settings may have started it.
    if (OWN_SIGN_IN_METHODS.includes(session.method) && settings.signIn === 'single-sign-on') return null
    return { principal: toSessionPrincipal(session), expiresAt: session.expiresAt }
  }

  const lastTokens = new WeakMap<object, { secret: string; hash: Buffer; key: string; isMistyped: boolean }>()

  return {
    getByToken(secret, connection) {
      const token = lastTokens.get(connection)
      return token?.secret === secret && !token.isMistyped ? cache.get(token.key) : undefined
    },
    async findByToken(secret, connection, beforeLookup) {
      let token = lastTokens.get(connection)
      if (token?.secret !== secret) {
        const hash = hashSecret(secret)
        const isMistyped = hasInvalidChecksum(secret) && !(adminHash?.equals(hash) ?? false)
        token = { secret, hash, key: hash.toString('base64'), isMistyped }
        lastTokens.set(connection, token)
      }
      const { hash, key, isMistyped } = token
      return isMistyped ? null : await findByKey(key, () => findToken(hash), beforeLookup)
    },
    async findBySession(secret, beforeLookup) {
      const hash = hashSecret(secret)
      return await findByKey(toSessionKey(hash), () => findSession(hash), beforeLookup)
    },
    rememberSession(secret) {
      recentlyValid.set(toSessionKey(hashSecret(secret)), true)
    },
    clear() {
      runAfterCommit(() => {
        generation += 1
        cache.clear()
      })
    },
  }
}

const toSessionKey = (hash: Buffer) => `session ${hash.toString('base64')}`

function toTokenPrincipal({
  id: key,
  access,
  userId,
  projectId,
  roles,
  isInstanceAdmin,
  grants,
}: AuthenticatedToken): Principal {
  if (userId !== null) {
    return { kind: 'personal', key, access, userId, roles: new Map(Object.entries(roles)), isInstanceAdmin }
  }
  if (projectId !== null) return { kind: 'ci', key, access, projectId, grants }
  throw new Error(`Token ${key} has neither a user nor a project`)
}

function toSessionPrincipal({ id: key, roles, ...session }: AuthenticatedSession): Principal {
  const { userId, isInstanceAdmin, mustSetUpSecondFactor } = session
  const rights = { userId, roles: new Map(Object.entries(roles)), isInstanceAdmin }
  return { kind: 'session', key, access: 'write', mustSetUpSecondFactor, ...rights }
}
