import type { FastifyReply } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { hashSecret } from '../../../access/secret.ts'
import { consumeRateLimit } from '../../../platform/http/rate-limit.ts'

/**
 * Counts an attempt on an account, whatever the client's address and whether or not the account exists.
 * @throws {Problem} 429
 */
export async function limitSignInAttempts({ rateLimits }: Deps, email: string, reply: FastifyReply): Promise<void> {
  // Hashed because the buckets may be in a shared Redis.
  const key = hashSecret(email.toLowerCase()).toString('base64')
  await consumeRateLimit(rateLimits['sign-in-account'], key, reply)
}
