import type { RateLimitGroup } from '@caseward/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Database } from '../platform/database/connect.ts'
import { getClientKey } from '../platform/http/client-address.ts'
import { consumeRateLimit } from '../platform/http/rate-limit.ts'
import type { Cookies } from './cookies.ts'
import type { RateLimits } from './rate-limits.ts'
import { hashSecret } from './secret.ts'

export interface ClientKeyDeps {
  db: Database
  cookies: Cookies
}

/**
 * Returns what requests without a token or session count for: the browser, if any user has signed in in it before, and
 * otherwise the IP address. The users of an office share an address, and one of them must not use up the limit of all.
 */
export async function findClientKey({ db, cookies }: ClientKeyDeps, request: FastifyRequest): Promise<string> {
  const secret = cookies.read(request, 'browser')
  return secret !== null && (await isBrowserKnown(db, secret)) ? toBrowserKey(secret) : getClientKey(request.ip)
}

/** The key of a browser in rate limits. Hashed, because they may be in a shared Redis. */
export const toBrowserKey = (secret: string): string => `browser ${hashSecret(secret).toString('base64')}`

async function isBrowserKnown(db: Database, secret: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_browsers')
    .select('user_id')
    .where('secret_hash', '=', hashSecret(secret))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts a request without a token or session. @throws {Problem} 429 */
export async function limitRequests(
  deps: ClientKeyDeps & { rateLimits: RateLimits },
  group: RateLimitGroup | 'single-sign-on' | 'sign-in-links',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await consumeRateLimit(deps.rateLimits[group], await findClientKey(deps, request), reply)
}
