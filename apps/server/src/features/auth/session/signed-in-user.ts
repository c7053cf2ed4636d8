import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import type { Principal } from '../../../access/principal.ts'
import { findUser, type UserRow } from '../users/users.queries.ts'

/** Whoever is signed in with this browser. */
export interface SignedInUser {
  user: UserRow
  session: Principal
}

export async function findSignedInUser(
  { db, cookies, principalCache: principals }: Deps,
  request: FastifyRequest,
): Promise<SignedInUser | null> {
  const secret = cookies.read(request, 'session')
  const session = secret === null ? null : await principals.findBySession(secret)
  if (session === null || session.kind === 'ci') return null
  const user = await findUser(db, session.userId)
  return user === undefined ? null : { user, session }
}

/** Where one may be sent after signing in: a page of ours, never an address that somebody else made up. */
export const getSafeRedirectPath = (next: unknown): string =>
  typeof next === 'string' && /^\/(?:account|(?:join|runs)\/[\w-]{1,100})$/.test(next) ? next : '/account'
