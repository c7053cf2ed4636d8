import type { BrowserStorage } from '../browser-storage.ts'
import { toAttempt } from './order-related.ts'
import { addAttempt, getEntryId, type OutboxEntry } from './outbox-entry.ts'

/** Values that were saved. */
type SavedResult = Pick<
  OutboxEntry,
  'id' | 'status' | 'note' | 'elapsed' | 'place' | 'resultStatus' | 'keepsStatus'
> & {
  /** Null if the server did not return it. */
  readonly testedAt: string | null
}

/**
 * Results that this user has saved in this browser. A page may show them later than the user sets them again, and a request
 * that seemed lost may store the same values once more: neither is a newer result of somebody else.
 */
export interface SavedResults {
  add(entry: OutboxEntry, testedAt: string | null): void
  /** Gives a new entry the base and the values of what was saved before. */
  rebase(entry: OutboxEntry): OutboxEntry
}

/** In this tab, and in storage for other tabs and after a reload. */
const MAX_SAVED = 500
const MAX_STORED = 20
/** Longer notes are not worth the room. */
const MAX_STORED_NOTE = 2000

const PREFIX = 'caseward:outbox-saved:'

/** Removes those of every user from storage. */
export function removeSavedResults(storage: BrowserStorage): void {
  for (const key of storage.list(PREFIX)) storage.remove(key)
}

/** A result that was saved as a whole has set its resultStatus, too. */
function addRelated(entry: OutboxEntry, whole: SavedResult | undefined): OutboxEntry {
  const attempt = whole === undefined ? undefined : toAttempt(entry, whole)
  return attempt === undefined ? entry : { ...entry, attempts: [attempt, ...entry.attempts] }
}

export function createSavedResults(userId: string, storage: BrowserStorage): SavedResults {
  const key = PREFIX + encodeURIComponent(userId)
  const saved = new Map<string, SavedResult>()

  function readStored(): readonly SavedResult[] {
    const stored = storage.read(key)
    return Array.isArray(stored) ? (stored as SavedResult[]) : []
  }

  return {
    add({ id, status, note, elapsed, place, resultStatus, keepsStatus }, testedAt) {
      const result: SavedResult = { id, status, note, elapsed, place, resultStatus, keepsStatus, testedAt }
      saved.delete(id)
      saved.set(id, result)
      const [oldest] = saved.keys()
      if (saved.size > MAX_SAVED && oldest !== undefined) saved.delete(oldest)
      const others = readStored().filter((other) => other.id !== id)
      const isShort = (note?.length ?? 0) <= MAX_STORED_NOTE
      storage.write(key, (isShort ? [...others, result] : others).slice(-MAX_STORED))
    },
    rebase(fresh) {
      // Another tab may have saved it since.
      const stored = readStored()
      const find = (id: string) => stored.find((other) => other.id === id) ?? saved.get(id)
      const entry = addRelated(
        fresh,
        fresh.place === undefined ? undefined : find(getEntryId({ ...fresh, place: undefined })),
      )
      const result = find(entry.id)
      if (result === undefined) return entry
      const { status, note, elapsed, testedAt } = result
      const { attempts } = addAttempt({ ...entry, status, note, elapsed })
      const isNewer = testedAt !== null && (entry.base === null || Date.parse(entry.base) < Date.parse(testedAt))
      return { ...entry, attempts, base: isNewer ? testedAt : entry.base }
    },
  }
}
