import type { BrowserStorage } from '../browser-storage.ts'
import type { BlobStore } from './blob-store.ts'
import { getUploadPrefix, parseUpload, type UploadEntry } from './upload-entry.ts'

/** The files of a user that wait in this browser: what is known of them in `localStorage`, their contents beside it. */
export interface UploadStore {
  /** In the order in which they are sent. */
  list(): readonly UploadEntry[]
  /** Shows an entry at once. Fulfilled when it is stored; one that cannot be stored stays in memory. */
  add(entry: UploadEntry, content: Blob): Promise<void>
  /** Changes an entry. One that was removed meanwhile stays away. */
  put(entry: UploadEntry): void
  remove(id: string): void
  getContent(id: string): Promise<Blob | null>
  /** Reads what other tabs have changed. */
  reload(): void
  /** Number of entries that would be lost if the tab were closed. */
  countUnstored(): number
}

/** Above this, files are kept in memory only. */
const MAX_STORED_BYTES = 200 * 1024 * 1024

/** Creates the store of a user. */
export function createUploadStore(userId: string, storage: BrowserStorage, blobs: BlobStore): UploadStore {
  const prefix = getUploadPrefix(userId)
  let entries = new Map<string, UploadEntry>()
  /** Contents that are in memory only, or not stored yet. */
  const contents = new Map<string, Blob>()

  function reload(): void {
    const stored = storage
      .list(prefix)
      .map((key) => parseUpload(storage.read(key)))
      .filter((entry) => entry !== null)
    const kept = [...contents.keys()].flatMap((id) => entries.get(id) ?? [])
    entries = new Map([...stored, ...kept].map((entry) => [entry.id, entry]))
  }
  function countStoredBytes(): number {
    return [...entries.values()].reduce((sum, { id, byteCount }) => sum + (contents.has(id) ? 0 : byteCount), 0)
  }
  const isStored = (id: string) => !contents.has(id)

  reload()
  return {
    list: () => [...entries.values()].toSorted((a, b) => a.order - b.order),
    async add(entry, content) {
      const hasRoom = countStoredBytes() + entry.byteCount <= MAX_STORED_BYTES
      entries.set(entry.id, entry)
      contents.set(entry.id, content)
      if (!hasRoom || !(await blobs.put(entry.id, content))) return
      const current = entries.get(entry.id)
      if (current === undefined || !storage.write(prefix + entry.id, current)) return void blobs.remove(entry.id)
      contents.delete(entry.id)
    },
    put(entry) {
      if (!entries.has(entry.id)) return
      entries.set(entry.id, entry)
      if (isStored(entry.id)) storage.write(prefix + entry.id, entry)
    },
    remove(id) {
      entries.delete(id)
      contents.delete(id)
      storage.remove(prefix + id)
      void blobs.remove(id)
    },
    getContent: async (id) => contents.get(id) ?? (await blobs.get(id)),
    reload,
    countUnstored: () => contents.size,
  }
}
