import type { FastifyReply, FastifyRequest } from 'fastify'

import { hashSecret, isShareSecret } from '../../access/secret.ts'
import type { Deps } from '../../deps.ts'
import { getClientKey } from '../../platform/http/client-address.ts'
import { forbiddenProblem, goneProblem, Problem } from '../../platform/http/problems.ts'
import { consumeRateLimit } from '../../platform/http/rate-limit.ts'
import { type OpenedShare, selectShareByDigest } from './shares.queries.ts'

/**
 * Finds the share of an address. The address of the client counts, as no cookie is read.
 * @throws {Problem} 404 for an unknown secret; 410 when the share has ended; 403 when shares are turned off; 429
 */
export async function openShare(
  { db, rateLimits, allowsShares }: Pick<Deps, 'db' | 'rateLimits' | 'allowsShares'>,
  group: 'shared-pages' | 'shared-files',
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
): Promise<OpenedShare> {
  await consumeRateLimit(rateLimits[group], getClientKey(request.ip), reply)
  // A guess with a wrong checksum needs no query. Every other secret takes the same one, whatever becomes of it.
  const share = isShareSecret(secret) ? await selectShareByDigest(db, hashSecret(secret)) : undefined
  if (share === undefined) throw shareNotFoundProblem()
  if (share.state === 'expired')
    throw goneProblem('share_ended', `This report could be opened until its time was over. ${ASK}`)
  if (share.state === 'revoked') throw goneProblem('share_ended', `This report is no longer shared. ${ASK}`)
  if (!allowsShares || share.setting === 'off') {
    throw forbiddenProblem(`Shared reports are turned off here at the moment. ${ASK}`, 'shares_disabled')
  }
  return share
}

export const shareNotFoundProblem = () =>
  new Problem(
    404,
    'share_not_found',
    'There is no report at this address. Check that the address is complete, or ask whoever sent it whether the report was deleted.',
  )

const ASK = 'Ask whoever sent you the address for a new one.'
