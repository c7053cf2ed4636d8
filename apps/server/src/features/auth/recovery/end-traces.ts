import type { Database } from '../../../platform/database/connect.ts'
import { updateReviewSince } from './review.queries.ts'
import { type EndedTraces, type Trace, traces, type Way } from './traces.ts'

interface EndOptions {
  userId: string
  /** The session that stays: that of the caller. */
  sessionId?: string | null
  /** The secret of the browser that stays known: that of the caller. */
  browser?: string | null
}

/**
 * Ends, or lists for review, what somebody else may have left in an account, for one of the ways to take it back. Every such
 * way calls it; `traces.ts` says what it does with what, and why.
 * @param tx transaction that has locked the user
 */
export async function endTraces(
  tx: Database,
  way: Way,
  { userId, sessionId = null, browser = null }: EndOptions,
): Promise<EndedTraces> {
  const owner = { userId, sessionId, browser }
  const all: readonly Trace[] = Object.values(traces)
  const ended: EndedTraces = { sessionCount: 0, revokedInvitations: [], revokedShareCount: 0 }
  for (const { ways, end } of all) {
    if (ways[way] === 'ends') Object.assign(ended, await end?.(tx, owner))
  }
  const listed = all.filter(({ ways }) => ways[way] === 'lists')
  for (const { mark } of listed) await mark?.(tx, owner)
  if (listed.length > 0) await updateReviewSince(tx, userId)
  return ended
}
