import type { UserPrincipal } from '../../../access/principal.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unauthenticatedProblem } from '../../../platform/http/problems.ts'
import { lockToken } from '../../tokens/tokens.queries.ts'
import { lockSession } from './session.queries.ts'

/**
 * Checks that the session or token of a request has not ended: the guard may have used a cached one. Until the transaction
 * ends, ending it waits, so that it leaves nothing unknown behind. For what gives access later, such as tokens.
 * @throws {Problem} 401
 */
export async function requireActiveCaller(tx: Database, { kind, key }: UserPrincipal): Promise<void> {
  const isActive = kind === 'session' ? await lockSession(tx, key) : await lockToken(tx, key)
  if (!isActive) throw callerEndedProblem()
}

export const callerEndedProblem = () =>
  unauthenticatedProblem('Your token or session has just been revoked or has ended.')
