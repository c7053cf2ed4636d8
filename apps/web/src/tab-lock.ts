import { type BrowserStorage, browserStorage } from './browser-storage.ts'
import { createRevision } from './outbox/outbox-entry.ts'

/** Lets one tab of this browser at a time do something. */
export interface TabLock {
  /**
   * Runs a task while this tab has the lock. Waits for other tabs.
   * @param signal ends waiting; the promise then rejects with its reason
   */
  run<T>(name: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Uses the browser's locks, which exist on HTTPS and localhost only. Elsewhere, a lease in `localStorage`. */
export function createTabLock(locks: LockManager | undefined, storage: BrowserStorage = browserStorage): TabLock {
  return locks === undefined ? createLeaseLock(storage) : createBrowserLock(locks)
}

function createBrowserLock(locks: LockManager): TabLock {
  return {
    run: async (name, task, signal) => await locks.request(name, signal === undefined ? {} : { signal }, task),
  }
}

interface Lease {
  readonly owner: string
  /** In milliseconds since 1970. */
  readonly until: number
}

/** A tab that was closed or crashed keeps the lock for this time. Background tabs run timers once per second or minute. */
const LEASE_MS = 10_000
const RENEW_MS = 2000
const RETRY_MS = 200
/** Two tabs that take a free lease in the same moment both see the last one after this time. */
const SETTLE_MS = 40

/**
 * A lease is not safe against a tab that was stopped for longer than its lease. What is done with this lock must tolerate
 * that two tabs do it at once.
 */
function createLeaseLock(storage: BrowserStorage): TabLock {
  const owner = createRevision()
  const read = (key: string) => storage.read(key) as Partial<Lease> | undefined
  const isOwn = (key: string) => read(key)?.owner === owner
  const take = (key: string) => storage.write(key, { owner, until: Date.now() + LEASE_MS } satisfies Lease)

  async function acquire(key: string, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      if ((read(key)?.until ?? 0) < Date.now()) {
        // Without storage there are no other tabs that send the same.
        if (!take(key)) return
        await sleep(SETTLE_MS * (1 + Math.random()))
        if (isOwn(key)) return
      }
      await sleep(RETRY_MS)
    }
  }
  /** Tasks of this tab wait for each other, as tabs do. */
  const queues = new Map<string, Promise<unknown>>()

  return {
    async run(name, task, signal) {
      const key = `caseward:lock:${name}`
      const runAlone = async () => {
        await acquire(key, signal)
        const renewal = setInterval(() => isOwn(key) && take(key), RENEW_MS)
        try {
          return await task()
        } finally {
          clearInterval(renewal)
          if (isOwn(key)) storage.remove(key)
        }
      }
      const previous = queues.get(name) ?? Promise.resolve()
      const current = previous.then(runAlone, runAlone)
      queues.set(name, current)
      return await current
    },
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
