import { distance } from 'fastest-levenshtein'

import type { Failure } from './read-failure.ts'

type NamedFailure = Pick<Failure, 'signature' | 'kind' | 'message'>
type ComparedFailure = NamedFailure & Pick<Failure, 'isWeak'> & { readonly exactMessage: string | null }

/** Of messages of 400 characters, 40 may differ. */
const MIN_SIMILARITY = 0.9

/**
 * Whether two failures of one test have the same cause, as far as their texts tell: by signature; with equal kinds, by messages
 * that hardly differ; or if both have no text.
 */
export function isSameFailure(a: NamedFailure, b: NamedFailure): boolean {
  if (a.signature === b.signature) return true
  if (a.kind !== b.kind) return false
  const longer = Math.max(a.message.length, b.message.length)
  if (longer === 0) return true
  if (listCodes(a.message) !== listCodes(b.message)) return false
  // Cheaper than the distance, which is at least that much.
  if (Math.abs(a.message.length - b.message.length) > (1 - MIN_SIMILARITY) * longer) return false
  return 1 - distance(a.message, b.message) / longer >= MIN_SIMILARITY
}

/** Few letters that tell causes apart: signals, codes of errors and of HTTP, and whether the time was over. */
const CODE = /\b(?:SIG[A-Z]{2,10}|ERR_\w{1,60}|E[A-Z]{3,20}\d?|timeout|timed out|[1-5]\d\d)\b/g

const listCodes = (message: string): string => [...new Set(message.match(CODE))].toSorted().join(' ')

/**
 * Whether two failures of one test are the same for certain enough to excuse one by the other. What says too little, such as
 * `expected:<1> but was:<2>`, has the same signature with other values, which are another failure.
 * An exact message is null only of failures that say enough.
 */
export function isExcusedBy(a: ComparedFailure, b: ComparedFailure): boolean {
  return isSameFailure(a, b) && (!(a.isWeak || b.isWeak) || a.exactMessage === b.exactMessage)
}
