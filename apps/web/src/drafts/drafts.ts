import { type BrowserStorage, browserStorage } from '../browser-storage.ts'

/** Text that was typed and not saved, such as a note or a field of a test case. */
export interface Draft {
  readonly text: string
  /** When it was typed, in milliseconds since 1970. */
  readonly typedAt: number
  /** The version of the item that the text was typed into, such as `version` or `tested_at`; null if it has none. */
  readonly base: string | null
}

export interface Drafts {
  /** Returns the draft of an item; null if there is none, or it has expired. */
  read(item: string): Draft | null
  /**
   * Stores a draft before it returns, so that it survives a crash. If the storage is full, the oldest drafts are dropped.
   * @returns whether it is stored
   */
  save(item: string, text: string, base?: string | null): boolean
  remove(item: string): void
  /** Returns the items with drafts whose names begin with these parts, oldest first. */
  list(...parts: readonly string[]): string[]
  /** @param listener called when a draft was saved or removed in this tab */
  subscribe(listener: () => void): () => void
}

/** Drafts of a user together: `localStorage` has about 5 million characters, and the outbox needs most of them. */
const MAX_CHARACTERS = 1_000_000
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000

/** Names the item of a draft: `draftItem('note', runId, resultId)`. */
export const draftItem = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('/')

/** Returns the parts that an item was named with. */
export const splitDraftItem = (item: string): string[] => item.split('/').map(decodeURIComponent)

/**
 * Creates the drafts of a user in this browser. Other users do not see them.
 * @param now returns milliseconds since 1970
 */
export function createDrafts(userId: string, storage: BrowserStorage = browserStorage, now = Date.now): Drafts {
  const prefix = `caseward:draft:${encodeURIComponent(userId)}:`

  const listeners = new Set<() => void>()
  const notify = () => listeners.forEach((listener) => listener())

  /** Returns the drafts that are valid, oldest first, and removes all others. */
  function list(): { key: string; draft: Draft }[] {
    const drafts: { key: string; draft: Draft }[] = []
    for (const key of storage.list(prefix)) {
      const draft = parseDraft(storage.read(key))
      if (draft === null || now() - draft.typedAt > MAX_AGE_MS) storage.remove(key)
      else drafts.push({ key, draft })
    }
    return drafts.toSorted((a, b) => a.draft.typedAt - b.draft.typedAt)
  }

  /** Removes the oldest drafts of other items until `characters` are left. */
  function makeRoom(ownKey: string, characters: number): void {
    const others = list().filter(({ key }) => key !== ownKey)
    let size = others.reduce((sum, { draft }) => sum + draft.text.length, 0)
    for (const { key, draft } of others) {
      if (size <= characters) return
      storage.remove(key)
      size -= draft.text.length
    }
  }

  // What has expired is removed once per visit.
  list()
  return {
    read(item) {
      const draft = parseDraft(storage.read(prefix + item))
      return draft !== null && now() - draft.typedAt <= MAX_AGE_MS ? draft : null
    },
    save(item, text, base = null) {
      if (text.length > MAX_CHARACTERS) return false
      const key = prefix + item
      const draft: Draft = { text, typedAt: now(), base }
      makeRoom(key, MAX_CHARACTERS - text.length)
      let isStored = storage.write(key, draft)
      if (!isStored) {
        // Something else fills the storage: the newest draft is the one that matters.
        makeRoom(key, 0)
        isStored = storage.write(key, draft)
      }
      notify()
      return isStored
    },
    remove(item) {
      storage.remove(prefix + item)
      notify()
    },
    list(...parts) {
      const start = `${prefix}${draftItem(...parts)}/`
      return list().flatMap(({ key }) => (key.startsWith(start) ? [key.slice(prefix.length)] : []))
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

function parseDraft(value: unknown): Draft | null {
  if (typeof value !== 'object' || value === null) return null
  const { text, typedAt, base } = value as Partial<Record<keyof Draft, unknown>>
  if (typeof text !== 'string' || typeof typedAt !== 'number') return null
  return { text, typedAt, base: typeof base === 'string' ? base : null }
}
