import type { FastifyReply, FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { findSession } from '../../../access/find-session.ts'
import type { UserPrincipal } from '../../../access/principal.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'

/** The user that a browser's session cookie belongs to. */
export interface SignedInUser {
  user: UserRow
  session: UserPrincipal
}

/** @throws {Problem} 429 as for {@link findSession} */
export async function findSignedInUser(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedInUser | null> {
  const session = await findSession(request, reply, deps)
  if (session === null) return null
  const user = await findUser(deps.db, session.userId)
  return user === undefined ? null : { user, session }
}
