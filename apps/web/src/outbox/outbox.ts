import type { Client } from '@caseward/client'

import type { BrowserStorage } from '../browser-storage.ts'
import type { TabLock } from '../tab-lock.ts'
import { createRevision, getEntryId, mergeWrite, type OutboxEntry, type ResultWrite } from './outbox-entry.ts'
import { createOutboxStore, getOutboxPrefix } from './outbox-store.ts'
import { createPause, type OutboxDelays } from './pause.ts'
import { createSavedResults } from './saved-results.ts'
import { createSendQueue } from './send-queue.ts'

/** What the page shows of the outbox. */
export interface OutboxSnapshot {
  /** Every unsent write by its id (`<run>/<result>`). Lists show these values in place of the server's. */
  readonly entries: ReadonlyMap<string, OutboxEntry>
  /**
   * - `idle`: nothing waits
   * - `saving`: a request is under way, or about to be
   * - `retrying`: the last request failed, the next one is at `retryAt`
   * - `session-ended`, `other-user`: nothing is sent until this user signs in
   * - `stopped`: by the user
   */
  readonly phase: 'idle' | 'saving' | 'retrying' | 'session-ended' | 'other-user' | 'stopped'
  /** Number of writes that will be sent without a decision of the user. */
  readonly waitingCount: number
  /** Writes that the server refused. The user decides. */
  readonly refused: readonly OutboxEntry[]
  /** When something was last saved, in milliseconds since 1970. */
  readonly savedAt: number | null
  /** With `retrying`: in milliseconds since 1970. */
  readonly retryAt: number | null
  /** With `retrying`: why. */
  readonly message: string | null
  /** Number of writes that would be lost if the tab were closed now: ask before that. */
  readonly unstoredCount: number
}

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
  /** Dispatches `online`, `focus`, `blur`, `pageshow`, `visibilitychange` and `storage`. */
  readonly events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  /** Whether the tab has the focus. While it keeps it, nobody can sign in as another user in this browser. */
  readonly hasFocus: () => boolean
  /** Called when a write was stored, before the page forgets it: update what the page shows of the server. */
  readonly onSaved?: (entry: OutboxEntry, testedAt: string | null) => void
  readonly delays?: Partial<OutboxDelays>
}

const defaultDelays: OutboxDelays = { firstRetry: 1000, longestRetry: 30_000, session: 5000, takeover: 5000 }

/** Creates the outbox of a user. Everything is written to storage first, so that closing the tab loses nothing. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { userId, events } = options
  const delays = { ...defaultDelays, ...options.delays }
  const store = createOutboxStore(userId, options.storage)
  const saved = createSavedResults(userId, options.storage)
  const listeners = new Set<() => void>()
  const pause = createPause(delays, () => void sendAll())
  let savedAt: number | null = null
  let snapshot = buildSnapshot()
  let lastOrder = 0
  let isSending = false
  let shouldSendAgain = false
  let isClosed = false

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

  function buildSnapshot(): OutboxSnapshot {
    const entries = store.list()
    const refused = entries.filter((entry) => entry.problem !== null)
    const waitingCount = entries.length - refused.length
    const state = pause.get()
    return {
      entries: new Map(entries.map((entry) => [entry.id, entry])),
      phase: waitingCount === 0 ? 'idle' : (state?.phase ?? 'saving'),
      waitingCount,
      refused,
      savedAt,
      retryAt: state?.retryAt ?? null,
      message: state?.message ?? null,
      unstoredCount: store.countUnstored(),
    }
  }
  function notify(): void {
    snapshot = buildSnapshot()
    listeners.forEach((listener) => listener())
  }

  async function sendAll(): Promise<void> {
    if (isClosed || pause.isStopped()) return
    if (isSending) {
      shouldSendAgain = true
      return
    }
    isSending = true
    try {
      await options.lock.run(`outbox:${userId}`, queue.sendUntilEmpty)
    } catch {
      // A mistake of the app must not end saving.
      pause.beginRetry('Saving failed in this page.', null)
      notify()
    } finally {
      isSending = false
    }
    if (!shouldSendAgain) return
    shouldSendAgain = false
    void sendAll()
  }
  function sendNow(): void {
    pause.end()
    notify()
    void sendAll()
  }
  /** Changes entries for which the user has decided, and sends them. */
  function send(update: (entry: OutboxEntry) => OutboxEntry, isMeant: (entry: OutboxEntry) => boolean): void {
    store.reload()
    for (const entry of store.list().filter(isMeant)) {
      store.put({ ...update(entry), problem: null, revision: createRevision() })
    }
    sendNow()
  }

  return {
    write(...writes) {
      store.reload()
      for (const write of writes) {
        lastOrder = Math.max(Date.now(), lastOrder + 1)
        const existing = store.get(getEntryId(write))
        const merged = mergeWrite(existing, write, lastOrder)
        store.put(existing === undefined ? saved.rebase(merged) : merged)
      }
      notify()
      // A pause after a failure goes on: the next write would fail, too.
      if (pause.get() === null) void sendAll()
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
    retry: (id) =>
      send(
        (entry) => entry,
        (entry) => entry.id === id,
      ),
    retryRun: (runId) =>
      send(
        (entry) => entry,
        (entry) => entry.runId === runId && entry.problem?.kind === 'run-completed',
      ),
    keepOwn: (id) =>
      send(
        (entry) => ({ ...entry, base: entry.problem?.newer?.tested_at ?? entry.base, attempts: [] }),
        (entry) => entry.id === id,
      ),
    discard(id) {
      store.remove(id)
      notify()
    },
    countOthers: store.countOthers,
    start() {
      const onWake = () => {
        queue.forgetUser()
        if (store.reload()) notify()
        if (snapshot.waitingCount > 0) sendNow()
      }
      const onStorage = (event: Event) => {
        const { key } = event as Event & { key: string | null }
        if (key !== null && !key.startsWith(getOutboxPrefix(userId))) return
        const before = store.list().length
        if (!store.reload()) return
        // The other tab has sent them.
        if (store.list().length < before) savedAt = Date.now()
        notify()
        if (snapshot.waitingCount > 0 && pause.get() === null && !isSending) pause.schedule(delays.takeover)
      }
      const handlers: readonly [string, (event: Event) => void][] = [
        ['online', onWake],
        ['focus', onWake],
        ['pageshow', onWake],
        ['blur', queue.forgetUser],
        ['visibilitychange', queue.forgetUser],
        ['storage', onStorage],
      ]
      isClosed = false
      pause.open()
      for (const [name, handler] of handlers) events.addEventListener(name, handler)
      if (snapshot.waitingCount > 0) void sendAll()
      return () => {
        isClosed = true
        pause.close()
        for (const [name, handler] of handlers) events.removeEventListener(name, handler)
      }
    },
  }
}
