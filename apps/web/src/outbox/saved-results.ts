import { type Attempt, addAttempt, type OutboxEntry } from './outbox-entry.ts'

interface SavedResult extends Attempt {
  /** Null if the server did not return it. */
  readonly testedAt: string | null
}

/** Results that this tab has saved. The lists of the page may show them later than the next write to them. */
export interface SavedResults {
  add(entry: OutboxEntry, testedAt: string | null): void
  /** Gives a new entry the base of what was saved after the page read the result. */
  rebase(entry: OutboxEntry): OutboxEntry
}

const MAX_SAVED = 500

export function createSavedResults(): SavedResults {
  const saved = new Map<string, SavedResult>()
  return {
    add({ id, status, note, elapsed }, testedAt) {
      saved.delete(id)
      saved.set(id, { status, note, elapsed, testedAt })
      const [oldest] = saved.keys()
      if (saved.size > MAX_SAVED && oldest !== undefined) saved.delete(oldest)
    },
    rebase(entry) {
      const known = saved.get(entry.id)
      if (known === undefined) return entry
      if (known.testedAt === null) return { ...entry, attempts: addAttempt({ ...entry, ...known }).attempts }
      const isOlder = entry.base === null || Date.parse(entry.base) < Date.parse(known.testedAt)
      return isOlder ? { ...entry, base: known.testedAt } : entry
    },
  }
}
