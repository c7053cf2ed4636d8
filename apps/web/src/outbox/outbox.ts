import type { Client } from '@caseward/client'
import { getMe } from '@caseward/client/endpoints'

import type { BrowserStorage } from '../browser-storage.ts'
import type { TabLock } from '../tab-lock.ts'
import {
  addAttempt,
  createRevision,
  getEntryId,
  mergeWrite,
  type OutboxEntry,
  type ResultWrite,
} from './outbox-entry.ts'
import { createOutboxStore, getOutboxPrefix } from './outbox-store.ts'
import { resolveNewer } from './resolve-newer.ts'
import { createSavedResults } from './saved-results.ts'
import {
  type BatchOutcome,
  type EntryOutcome,
  MAX_BATCH_ENTRIES,
  pickBatch,
  sendBatch,
  toFailureOutcome,
} from './send-batch.ts'

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

/** In milliseconds. */
export interface OutboxDelays {
  /** Before the first retry. It doubles with each further one; half of it is random. */
  readonly firstRetry: number
  readonly longestRetry: number
  /** Before the session is checked again. */
  readonly session: number
  /** Before a tab sends the writes of another one, which may have been closed. */
  readonly takeover: number
}

const defaultDelays: OutboxDelays = { firstRetry: 1000, longestRetry: 30_000, session: 5000, takeover: 5000 }

/** Creates the outbox of a user. Everything is written to storage first, so that closing the tab loses nothing. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { userId, client, storage, events } = options
  const delays = { ...defaultDelays, ...options.delays }
  const store = createOutboxStore(userId, storage)
  const saved = createSavedResults()
  const listeners = new Set<() => void>()

  let halt: Pick<OutboxSnapshot, 'phase' | 'retryAt' | 'message'> | null = null
  let savedAt: number | null = null
  let snapshot = buildSnapshot()
  let lastOrder = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSending = false
  let shouldSendAgain = false
  let isClosed = false
  let failures = 0
  let batchLimit = MAX_BATCH_ENTRIES
  let hasVerifiedUser = false
  /** Entries with which the server failed. The others are sent first. */
  const setAside = new Set<string>()

  function buildSnapshot(): OutboxSnapshot {
    const entries = store.list()
    const waitingCount = entries.filter((entry) => entry.problem === null).length
    return {
      entries: new Map(entries.map((entry) => [entry.id, entry])),
      phase: waitingCount === 0 ? 'idle' : (halt?.phase ?? 'saving'),
      waitingCount,
      refused: entries.filter((entry) => entry.problem !== null),
      savedAt,
      retryAt: halt?.retryAt ?? null,
      message: halt?.message ?? null,
      unstoredCount: store.countUnstored(),
    }
  }
  function notify(): void {
    snapshot = buildSnapshot()
    listeners.forEach((listener) => listener())
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void sendAll(), delayMs)
  }
  function pause(phase: OutboxSnapshot['phase'], delayMs: number, message: string | null = null): void {
    halt = { phase, retryAt: Date.now() + delayMs, message }
    schedule(delayMs)
    notify()
  }
  function pauseAfterFailure(message: string, delayMs: number | null): void {
    const longest = Math.min(delays.longestRetry, delays.firstRetry * 2 ** failures)
    failures += 1
    pause('retrying', delayMs ?? longest * (0.5 + Math.random() / 2), message)
  }

  async function sendAll(): Promise<void> {
    if (isClosed || halt?.phase === 'stopped') return
    clearTimeout(timer)
    if (isSending) {
      shouldSendAgain = true
      return
    }
    isSending = true
    try {
      await options.lock.run(`outbox:${userId}`, sendUntilEmpty)
    } catch {
      // A mistake in this file must not end saving.
      pauseAfterFailure('Saving failed in this page.', null)
    } finally {
      isSending = false
    }
    if (!shouldSendAgain) return
    shouldSendAgain = false
    void sendAll()
  }

  /** Runs in one tab at a time. Returns when nothing waits, or sending is paused. */
  async function sendUntilEmpty(): Promise<void> {
    for (;;) {
      if (store.reload()) notify()
      if (isClosed || halt?.phase === 'stopped') return
      const waiting = store.list().filter((entry) => entry.problem === null)
      const batch = pickBatch(putLast(waiting, setAside), batchLimit)
      if (batch.length === 0) {
        halt = null
        setAside.clear()
        return notify()
      }
      if (!(await canSend())) return
      // The user may have written again, or stopped, in the meantime.
      const current = batch.flatMap(({ id }) => store.get(id) ?? []).filter((entry) => entry.problem === null)
      if (isClosed || (halt?.phase as string) === 'stopped') return
      for (const entry of current) store.put(addAttempt(entry))
      if (!(await handleOutcome(current, await sendBatch(client, current)))) return
    }
  }

  /** Checks that the session in the browser's cookie is that of this user. */
  async function canSend(): Promise<boolean> {
    if (hasVerifiedUser) return true
    const reply = await client.call(getMe)
    if (reply.kind !== 'success') {
      await handleOutcome([], toFailureOutcome([], reply))
      // 403 and the like cannot occur here; if they do, they are temporary.
      if (halt === null) pauseAfterFailure('The account cannot be read.', null)
      return false
    }
    if (reply.data.data.id !== userId) {
      pause('other-user', delays.session)
      return false
    }
    hasVerifiedUser = options.hasFocus()
    return true
  }

  /** @returns whether to go on with what waits */
  async function handleOutcome(batch: readonly OutboxEntry[], outcome: BatchOutcome): Promise<boolean> {
    if (outcome.kind === 'session-ended') {
      hasVerifiedUser = false
      pause('session-ended', delays.session)
      return false
    }
    if (outcome.kind === 'retry') {
      if (outcome.hasFailed) {
        // One of them may be the reason: find out which, and send the others first.
        if (batch.length === 1) batch.forEach(({ id }) => setAside.add(id))
        batchLimit = Math.max(1, Math.floor(batch.length / 2))
      }
      pauseAfterFailure(outcome.message, outcome.delayMs)
      return false
    }
    failures = 0
    halt = null
    for (const entry of batch) {
      const entryOutcome = outcome.outcomes.get(entry.id)
      if (entryOutcome !== undefined && !(await handleEntry(entry, entryOutcome))) return false
    }
    if (batch.length > 1) batchLimit = Math.min(MAX_BATCH_ENTRIES, batchLimit * 2)
    notify()
    return true
  }

  async function handleEntry(sent: OutboxEntry, outcome: EntryOutcome): Promise<boolean> {
    if (outcome.kind === 'alone') batchLimit = 1
    if (outcome.kind === 'stored') handleStored(sent, outcome.testedAt)
    if (outcome.kind === 'refused') change(sent, (entry) => ({ ...entry, problem: outcome.problem }))
    if (outcome.kind !== 'newer') return true
    const resolved = await resolveNewer(client, userId, store.get(sent.id) ?? sent, outcome.current)
    if (resolved.kind === 'agreed') change(sent, () => null)
    else if (resolved.kind === 'stored') handleStored(sent, resolved.testedAt)
    else if (resolved.kind === 'rebase') change(sent, (entry) => ({ ...entry, base: resolved.base, attempts: [] }))
    else if (resolved.kind === 'conflict') {
      const message = 'Somebody has set another result in the meantime.'
      change(sent, (entry) => ({ ...entry, problem: { kind: 'newer-result', message, newer: resolved.newer } }))
    } else return await handleOutcome([sent], resolved)
    return true
  }

  function handleStored(sent: OutboxEntry, testedAt: string | null): void {
    store.reload()
    savedAt = Date.now()
    saved.add(sent, testedAt)
    const current = store.get(sent.id)
    options.onSaved?.(sent, testedAt)
    if (current === undefined) return
    if (current.revision === sent.revision) store.remove(sent.id)
    // Written again meanwhile: the values that were stored are among the attempts.
    else store.put({ ...current, base: testedAt ?? current.base })
  }

  function updateEntry(id: string, update: (entry: OutboxEntry) => OutboxEntry): void {
    const entry = store.get(id)
    if (entry !== undefined) store.put(update(entry))
  }
  /** Changes or removes an entry. One that was written again since it was sent is sent again first. */
  function change(sent: OutboxEntry, update: (entry: OutboxEntry) => OutboxEntry | null): void {
    store.reload()
    const entry = store.get(sent.id)
    if (entry?.revision !== sent.revision) return
    const changed = update(entry)
    if (changed === null) store.remove(sent.id)
    else store.put(changed)
  }
  function sendNow(): void {
    if (halt?.phase !== 'stopped') halt = null
    failures = 0
    notify()
    void sendAll()
  }
  function clearProblem(entry: OutboxEntry): OutboxEntry {
    return { ...entry, problem: null, revision: createRevision() }
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
      if (halt === null) void sendAll()
    },
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    retryNow() {
      halt = null
      sendNow()
    },
    stop() {
      halt = { phase: 'stopped', retryAt: null, message: null }
      clearTimeout(timer)
      notify()
    },
    retry(id) {
      updateEntry(id, clearProblem)
      sendNow()
    },
    retryRun(runId) {
      for (const entry of store.list()) {
        if (entry.runId === runId && entry.problem?.kind === 'run-completed') store.put(clearProblem(entry))
      }
      sendNow()
    },
    keepOwn(id) {
      updateEntry(id, (entry) => ({
        ...clearProblem(entry),
        base: entry.problem?.newer?.tested_at ?? entry.base,
        attempts: [],
      }))
      sendNow()
    },
    discard(id) {
      store.remove(id)
      notify()
    },
    countOthers: store.countOthers,
    start() {
      const onWake = () => {
        hasVerifiedUser = false
        if (store.reload()) notify()
        if (snapshot.waitingCount > 0) sendNow()
      }
      const onLeave = () => {
        hasVerifiedUser = false
      }
      const onStorage = (event: Event) => {
        const { key } = event as Event & { key: string | null }
        if (key !== null && !key.startsWith(getOutboxPrefix(userId))) return
        const before = snapshot.waitingCount
        if (!store.reload()) return
        // The other tab has sent them.
        if (store.list().length < before) savedAt = Date.now()
        notify()
        if (snapshot.waitingCount > 0 && halt === null && !isSending) schedule(delays.takeover)
      }
      const handlers: readonly [string, (event: Event) => void][] = [
        ['online', onWake],
        ['focus', onWake],
        ['pageshow', onWake],
        ['blur', onLeave],
        ['visibilitychange', onLeave],
        ['storage', onStorage],
      ]
      isClosed = false
      for (const [name, handler] of handlers) events.addEventListener(name, handler)
      if (snapshot.waitingCount > 0) void sendAll()
      return () => {
        isClosed = true
        clearTimeout(timer)
        for (const [name, handler] of handlers) events.removeEventListener(name, handler)
      }
    },
  }
}

function putLast(entries: readonly OutboxEntry[], ids: ReadonlySet<string>): readonly OutboxEntry[] {
  if (ids.size === 0) return entries
  return [...entries.filter(({ id }) => !ids.has(id)), ...entries.filter(({ id }) => ids.has(id))]
}
