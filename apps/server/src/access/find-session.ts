import type { FastifyReply, FastifyRequest } from 'fastify'

import { limitFailedLookups } from '../platform/http/rate-limit.ts'
import type { Cookies } from './cookies.ts'
import type { PrincipalCache } from './principal-cache.ts'
import type { UserPrincipal } from './principal.ts'
import type { RateLimits } from './rate-limits.ts'

interface SessionDeps {
  principalCache: PrincipalCache
  cookies: Cookies
  rateLimits: RateLimits
}

/**
 * Returns the principal of the session cookie; null without a valid one. Cookies of sessions that are not valid count
 * against a limit of their IP address, as invalid tokens do: each one costs a query.
 * @throws {Problem} 429
 */
export async function findSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { principalCache, cookies, rateLimits: { 'invalid-sessions': limiter } }: SessionDeps,
): Promise<UserPrincipal | null> {
  const secret = cookies.read(request, 'session')
  if (secret === null) return null
  return await limitFailedLookups(limiter, request, reply, async (checkLimit) => {
    const principal = await principalCache.findBySession(secret, checkLimit)
    return principal?.kind === 'ci' ? null : principal
  })
}
