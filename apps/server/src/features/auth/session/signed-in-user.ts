import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { UserPrincipal } from '../../../access/principal.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'

/** The user that a browser's session cookie belongs to. */
export interface SignedInUser {
  user: UserRow
  session: UserPrincipal
}

export async function findSignedInUser(
  { db, cookies, principalCache }: Deps,
  request: FastifyRequest,
): Promise<SignedInUser | null> {
  const secret = cookies.read(request, 'session')
  const session = secret === null ? null : await principalCache.findBySession(secret)
  if (session === null || session.kind === 'ci') return null
  const user = await findUser(db, session.userId)
  return user === undefined ? null : { user, session }
}
