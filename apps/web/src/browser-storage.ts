/** What this app uses of `localStorage`. */
export interface KeyValueStorage {
  readonly length: number
  key(index: number): string | null
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

/** Storage that never throws. */
export interface BrowserStorage {
  /** Returns the parsed JSON of a key; undefined if there is none, or it is unreadable. */
  read(key: string): unknown
  /** @returns whether it is stored; false if the storage is full or blocked */
  write(key: string, value: unknown): boolean
  remove(key: string): void
  /** Returns the keys with a prefix. */
  list(prefix: string): string[]
}

/**
 * Wraps `localStorage`, which throws when it is full, and in some browsers when cookies are blocked.
 * @param getStorage returns the storage; reading `localStorage` itself may throw
 */
export function createBrowserStorage(getStorage: () => KeyValueStorage): BrowserStorage {
  const attempt = <T>(access: (storage: KeyValueStorage) => T, fallback: T): T => {
    try {
      return access(getStorage())
    } catch {
      return fallback
    }
  }
  return {
    read: (key) =>
      attempt<unknown>((storage) => {
        const text = storage.getItem(key)
        return text === null ? undefined : (JSON.parse(text) as unknown)
      }, undefined),
    write: (key, value) =>
      attempt((storage) => {
        storage.setItem(key, JSON.stringify(value))
        return true
      }, false),
    remove: (key) => attempt((storage) => storage.removeItem(key), undefined),
    list: (prefix) =>
      attempt((storage) => {
        const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
        return keys.filter((key) => key.startsWith(prefix))
      }, []),
  }
}

/** The storage of this browser. */
export const browserStorage = createBrowserStorage(() => localStorage)
