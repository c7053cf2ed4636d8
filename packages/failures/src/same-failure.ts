import { distance } from 'fastest-levenshtein'

import type { Failure } from './read-failure.ts'

/** Of messages of 400 characters, 40 may differ. */
const MIN_SIMILARITY = 0.9

/**
 * Whether two failures of one test have the same cause, as far as their texts tell: by signature; with equal kinds, by messages
 * that hardly differ; or if both have no text.
 */
export function isSameFailure(
  a: Pick<Failure, 'signature' | 'kind' | 'message'>,
  b: Pick<Failure, 'signature' | 'kind' | 'message'>,
): boolean {
  if (a.signature === b.signature) return true
  if (a.kind !== b.kind) return false
  const longer = Math.max(a.message.length, b.message.length)
  if (longer === 0) return true
  // Cheaper than the distance, which is at least that much.
  if (Math.abs(a.message.length - b.message.length) > (1 - MIN_SIMILARITY) * longer) return false
  return 1 - distance(a.message, b.message) / longer >= MIN_SIMILARITY
}
