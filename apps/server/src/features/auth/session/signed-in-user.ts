import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { secondFactorSetupRequiredProblem } from '../../../access/permissions.ts'
import { findSession } from '../../../access/find-session.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'

/**
 * Returns the user that a browser's session cookie belongs to; null without a valid one.
 * @throws {Problem} 403 `second_factor_setup_required`; 429 as for {@link findSession}
 */
export async function findSignedInUser(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UserRow | null> {
  const session = await findSession(request, reply, deps)
  if (session?.kind === 'session' && session.mustSetUpSecondFactor) throw secondFactorSetupRequiredProblem()
  return session === null ? null : ((await findUser(deps.db, session.userId)) ?? null)
}
