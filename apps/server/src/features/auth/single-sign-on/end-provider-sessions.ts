import type { FastifyRequest } from 'fastify'

import type { Deps } from '../../../deps.ts'
import { recordAudits, SYSTEM_ACTOR } from '../../audit/record-audit.ts'
import { deleteLoggedOutSessions, insertUsedLogoutToken } from './logout.queries.ts'
import { LogoutTokenError, type ProviderLogout } from './logout-token.ts'

/**
 * Ends what a logout token names: the sessions that began with one session of the provider, or all of its user, and
 * the sign-ins with it that are not complete. Other sessions of the account, and tokens, stay.
 * @throws {LogoutTokenError} when the token was used before
 */
export async function endProviderSessions(
  { db, principalCache }: Pick<Deps, 'db' | 'principalCache'>,
  { ip: address }: Pick<FastifyRequest, 'ip'>,
  logout: ProviderLogout,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await insertUsedLogoutToken(tx, logout))) throw new LogoutTokenError('The token was used before (jti)')
    const userIds = await deleteLoggedOutSessions(tx, logout)
    const counts = new Map<string, number>()
    for (const userId of userIds) counts.set(userId, (counts.get(userId) ?? 0) + 1)
    if (counts.size === 0) return
    const entries = [...counts].map(([id, count]) => ({
      action: 'session.end_by_provider' as const,
      subject: { kind: 'user' as const, id },
      detail: { issuer: logout.issuer, count },
    }))
    await recordAudits(tx, { ...SYSTEM_ACTOR, address }, entries)
  })
  principalCache.clear()
}
