import type { Client } from '@caseward/client'
import { getResult, listResultCombinations } from '@caseward/client/endpoints'

import { isSameResult, type NewerResult, type OutboxEntry } from './outbox-entry.ts'
import { type BatchOutcome, toFailureOutcome } from './send-batch.ts'

/** What to do with an entry whose result has changed on the server. */
export type NewerOutcome =
  | { readonly kind: 'stored'; readonly testedAt: string | null }
  /** Somebody else has set the same. */
  | { readonly kind: 'agreed' }
  /** The newer result is an earlier write of this user, whose response was lost. Send the entry again, with this base. */
  | { readonly kind: 'rebase'; readonly base: string | null }
  | { readonly kind: 'conflict'; readonly newer: NewerResult }

/**
 * Finds out whose result is newer. A write whose response was lost makes its own repetition look like a conflict.
 * @param current the newer result; null if it must be read
 * @returns the outcome, or the failure of the request
 */
export async function resolveNewer(
  client: Pick<Client, 'call'>,
  userId: string,
  entry: OutboxEntry,
  current: NewerResult | null,
): Promise<NewerOutcome | BatchOutcome> {
  if (current !== null) return decide(userId, entry, current)
  const params = { run_id: entry.runId, result_id: entry.resultId }
  if (entry.place !== undefined) {
    const reply = await client.call(listResultCombinations, { params })
    if (reply.kind !== 'success') return toFailureOutcome([entry], reply)
    const combination = reply.data.data.find(({ place }) => place === entry.place)
    // It was removed meanwhile: sent again, it is refused as missing.
    return combination === undefined ? { kind: 'rebase', base: null } : decide(userId, entry, combination)
  }
  const reply = await client.call(getResult, { params })
  return reply.kind === 'success' ? decide(userId, entry, reply.data.data) : toFailureOutcome([entry], reply)
}

function decide(userId: string, entry: OutboxEntry, result: NewerResult): NewerOutcome {
  const { status, note, elapsed, tested_by, tested_at } = result
  const newer = { status, note, elapsed, tested_by, tested_at }
  const isFromUser = tested_by === userId
  // Whether its steps are the same is unknown: send them again over an own result, and ask about one of somebody else.
  if (entry.steps !== undefined) {
    const isOwn = isFromUser && [entry, ...entry.attempts].some((attempt) => isSameResult(attempt, newer))
    return isOwn ? { kind: 'rebase', base: tested_at } : { kind: 'conflict', newer }
  }
  if (isFromUser && isSameResult(entry, newer)) return { kind: 'stored', testedAt: tested_at }
  // Two people agree. Whose duration counts is not worth a question.
  if (!isFromUser && isSameResult({ ...entry, elapsed: undefined }, newer)) return { kind: 'agreed' }
  const isOwnWrite = isFromUser && entry.attempts.some((attempt) => isSameResult(attempt, newer))
  return isOwnWrite ? { kind: 'rebase', base: tested_at } : { kind: 'conflict', newer }
}
