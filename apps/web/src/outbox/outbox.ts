import type { Client } from '@caseward/client'

import type { BrowserStorage } from '../browser-storage.ts'
import type { TabLock } from '../tab-lock.ts'
import { orderRelated } from './order-related.ts'
import { createRevision, getEntryId, mergeWrite, type OutboxEntry, type ResultWrite } from './outbox-entry.ts'
import { buildSnapshot, type OutboxSnapshot } from './outbox-snapshot.ts'
import { createOutboxStore, getOutboxPrefix } from './outbox-store.ts'
import { createPause, type OutboxDelays } from './pause.ts'
import { createSavedResults } from './saved-results.ts'
import { createSendLoop } from './send-loop.ts'
import { createSendQueue } from './send-queue.ts'
import { type BrowserEvents, watchBrowser } from './watch-browser.ts'

export interface Outbox {
  /** Stores writes before it returns, then sends them. Writes to one result are merged. */
  write(...writes: readonly ResultWrite[]): void
  getSnapshot(): OutboxSnapshot
  subscribe(listener: () => void): () => void
  /** Sends everything that waits now, also after `stop`. */
  retryNow(): void
  /** Stops sending until `retryNow`. */
  stop(): void
  /** Sends a refused write again. */
  retry(id: string): void
  /** Sends the refused writes of a run again, after it was reopened. */
  retryRun(runId: string): void
  /** Overwrites the newer result of a `newer-result` problem. */
  keepOwn(id: string): void
  /** Gives up a write. */
  discard(id: string): void
  /** Number of unsent writes of other users of this browser. */
  countOthers(): number
  /** Sends what an earlier visit left, and reacts to the browser. @returns a function that stops it, when the user leaves the app */
  start(): () => void
}

export interface OutboxOptions {
  readonly userId: string
  /** Must not retry by itself. */
  readonly client: Pick<Client, 'call'>
  readonly storage: BrowserStorage
  readonly lock: TabLock
  readonly events: BrowserEvents
  /** Whether the tab has the focus. While it keeps it, nobody can sign in as another user in this browser. */
  readonly hasFocus: () => boolean
  /** Called when a write was stored, before the page forgets it: update what the page shows of the server. */
  readonly onSaved?: (entry: OutboxEntry, testedAt: string | null) => void
  readonly delays?: Partial<OutboxDelays>
}

const defaultDelays: OutboxDelays = { firstRetry: 1000, longestRetry: 30_000, session: 5000, takeover: 5000 }

/** Creates the outbox of a user. Everything is written to storage first, so that closing the tab loses nothing. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { userId } = options
  const delays = { ...defaultDelays, ...options.delays }
  let savedAt: number | null = null
  const ownStore = createOutboxStore(userId, options.storage)
  const store = { ...ownStore, reload: reloadStore }
  const saved = createSavedResults(userId, options.storage)
  const listeners = new Set<() => void>()
  let isClosed = false
  let lastOrder = 0
  const pause = createPause(delays, () => loop.start())
  let snapshot = buildSnapshot(store, pause.get(), savedAt)

  /** What is no longer there was sent by another tab, whose event may come later. */
  function reloadStore(): boolean {
    const before = ownStore.list().length
    const hasChanged = ownStore.reload()
    if (ownStore.list().length < before) savedAt = Date.now()
    return hasChanged
  }
  function notify(): void {
    snapshot = buildSnapshot(store, pause.get(), savedAt)
    listeners.forEach((listener) => listener())
  }
  const queue = createSendQueue({
    userId,
    client: options.client,
    store,
    pause,
    hasFocus: options.hasFocus,
    sessionDelayMs: delays.session,
    isClosed: () => isClosed,
    onStored(entry, testedAt) {
      savedAt = Date.now()
      saved.add(entry, testedAt)
      options.onSaved?.(entry, testedAt)
    },
    onChange: notify,
  })
  const loop = createSendLoop({
    maySend: () => !isClosed && !pause.isStopped(),
    send: () => options.lock.run(`outbox:${userId}`, queue.sendUntilEmpty),
    onError() {
      pause.beginRetry('Saving failed in this page.', null)
      notify()
    },
  })

  function sendNow(): void {
    pause.end()
    notify()
    loop.start()
  }
  /** Sends refused entries again, because the user has decided so. */
  function sendAgain(
    isMeant: (entry: OutboxEntry) => boolean,
    update: (entry: OutboxEntry) => OutboxEntry = (entry) => entry,
  ): void {
    store.reload()
    for (const entry of store.list().filter(isMeant)) {
      store.put({ ...update(entry), problem: null, revision: createRevision() })
    }
    sendNow()
  }
  function onWake(): void {
    queue.forgetUser()
    if (store.reload()) notify()
    if (snapshot.waitingCount > 0) sendNow()
  }
  function onStorage(key: string | null): void {
    if (key !== null && !key.startsWith(getOutboxPrefix(userId))) return
    if (!store.reload()) return
    notify()
    if (snapshot.waitingCount > 0 && pause.get() === null && !loop.isSending()) pause.schedule(delays.takeover)
  }

  return {
    write(...writes) {
      store.reload()
      for (const write of writes) {
        lastOrder = Math.max(Date.now(), lastOrder + 1)
        const existing = store.get(getEntryId(write))
        const merged = mergeWrite(existing, write, lastOrder)
        store.put(orderRelated(existing === undefined ? saved.rebase(merged) : merged, store.list(), lastOrder))
      }
      notify()
      // A pause after a failure goes on: the next write would fail, too.
      if (pause.get() === null) loop.start()
    },
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    retryNow() {
      pause.resume()
      sendNow()
    },
    stop() {
      pause.stop()
      notify()
    },
    retry: (id) => sendAgain((entry) => entry.id === id),
    retryRun: (runId) => sendAgain((entry) => entry.runId === runId && entry.problem?.kind === 'run-completed'),
    keepOwn: (id) =>
      sendAgain(
        (entry) => entry.id === id,
        (entry) => ({ ...entry, base: entry.problem?.newer?.tested_at ?? entry.base, attempts: [] }),
      ),
    discard(id) {
      store.remove(id)
      notify()
    },
    countOthers: store.countOthers,
    start() {
      isClosed = false
      pause.open()
      const stopWatching = watchBrowser(options.events, { onWake, onLeave: queue.forgetUser, onStorage })
      if (snapshot.waitingCount > 0) loop.start()
      return () => {
        isClosed = true
        pause.close()
        stopWatching()
      }
    },
  }
}
