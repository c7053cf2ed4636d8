import type { Attempt, OutboxEntry } from './outbox-entry.ts'

/**
 * Puts a write to a combination after the unsent ones to its result, and the other way around: the later one counts. What
 * those make of it is no newer result of somebody else.
 * @param entries all unsent ones
 */
export function orderRelated(entry: OutboxEntry, entries: readonly OutboxEntry[], order: number): OutboxEntry {
  const related = entries.filter(
    (other) => other.resultId === entry.resultId && other.runId === entry.runId && other.id !== entry.id,
  )
  if (related.length === 0) return entry
  const attempts = related.flatMap((other) => toAttempt(entry, other) ?? [])
  return { ...entry, order, attempts: [...attempts, ...entry.attempts] }
}

/** What another write to the same result makes of what an entry is about; undefined for nothing. */
export function toAttempt(
  entry: Pick<OutboxEntry, 'place'>,
  other: Pick<OutboxEntry, 'place' | 'status' | 'keepsStatus' | 'resultStatus'>,
): Attempt | undefined {
  if (entry.place === undefined) {
    return other.resultStatus === undefined ? undefined : { status: other.resultStatus }
  }
  return other.place === undefined && other.keepsStatus !== true ? { status: other.status } : undefined
}
