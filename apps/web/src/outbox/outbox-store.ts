import type { BrowserStorage } from '../browser-storage.ts'
import { type OutboxEntry, parseEntry } from './outbox-entry.ts'

/** The unsent writes of a user in this browser: in memory, and in storage that all tabs share. */
export interface OutboxStore {
  /** Returns all entries in the order in which they are sent. */
  list(): readonly OutboxEntry[]
  get(id: string): OutboxEntry | undefined
  /** Stores an entry before it returns. If the storage is full, it is kept in memory until there is room. */
  put(entry: OutboxEntry): void
  remove(id: string): void
  /** Reads what other tabs have changed. @returns whether anything has changed */
  reload(): boolean
  /** Reads what other tabs have changed in one entry. @returns the entry */
  refresh(id: string): OutboxEntry | undefined
  /** Number of entries that would be lost if the tab were closed. */
  countUnstored(): number
  /** Number of unsent writes of other users of this browser. They are sent when these users sign in. */
  countOthers(): number
}

const PREFIX = 'caseward:outbox:'

/** The keys in storage of a user's entries start with this. */
export const getOutboxPrefix = (userId: string): string => `${PREFIX}${encodeURIComponent(userId)}:`

/** Creates the store of a user. One key for each result, so that tabs do not overwrite each other's entries. */
export function createOutboxStore(userId: string, storage: BrowserStorage): OutboxStore {
  const prefix = getOutboxPrefix(userId)
  const unstored = new Set<string>()
  let entries = new Map<string, OutboxEntry>()

  function store(entry: OutboxEntry): void {
    if (storage.write(prefix + entry.id, entry)) unstored.delete(entry.id)
    else unstored.add(entry.id)
  }
  function reload(): boolean {
    const stored = storage
      .list(prefix)
      .map((key) => parseEntry(storage.read(key)))
      .filter((entry) => entry !== null && !unstored.has(entry.id)) as OutboxEntry[]
    const kept = [...unstored].flatMap((id) => entries.get(id) ?? [])
    const before = entries
    entries = new Map([...stored, ...kept].map((entry) => [entry.id, entry]))
    if (before.size !== entries.size) return true
    return [...entries.values()].some((entry) => hasChanged(before.get(entry.id), entry))
  }

  reload()
  return {
    list: () => [...entries.values()].toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)),
    get: (id) => entries.get(id),
    put(entry) {
      entries.set(entry.id, entry)
      store(entry)
    },
    remove(id) {
      entries.delete(id)
      unstored.delete(id)
      storage.remove(prefix + id)
      // There is room again.
      for (const other of unstored) {
        const entry = entries.get(other)
        if (entry !== undefined) store(entry)
      }
    },
    reload,
    refresh(id) {
      if (unstored.has(id)) return entries.get(id)
      const entry = parseEntry(storage.read(prefix + id))
      if (entry === null) entries.delete(id)
      else entries.set(id, entry)
      return entry ?? undefined
    },
    countUnstored: () => unstored.size,
    countOthers: () => storage.list(PREFIX).filter((key) => !key.startsWith(prefix)).length,
  }
}

/** Whether an entry shows anything else. */
const hasChanged = (before: OutboxEntry | undefined, entry: OutboxEntry): boolean =>
  before?.revision !== entry.revision || before.problem?.kind !== entry.problem?.kind
