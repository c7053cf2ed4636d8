import type { Client } from '@caseward/client'
import { getMe } from '@caseward/client/endpoints'

import { addAttempt, type OutboxEntry } from './outbox-entry.ts'
import type { OutboxStore } from './outbox-store.ts'
import type { Pause } from './pause.ts'
import { resolveNewer } from './resolve-newer.ts'
import {
  type BatchOutcome,
  type EntryOutcome,
  MAX_BATCH_ENTRIES,
  pickBatch,
  sendBatch,
  toFailureOutcome,
} from './send-batch.ts'

export interface SendQueueOptions {
  readonly userId: string
  readonly client: Pick<Client, 'call'>
  readonly store: OutboxStore
  readonly pause: Pause
  /** Whether the tab has the focus. */
  readonly hasFocus: () => boolean
  /** How long to wait before the session is checked again. */
  readonly sessionDelayMs: number
  /** Whether the outbox was closed. */
  readonly isClosed: () => boolean
  readonly onStored: (entry: OutboxEntry, testedAt: string | null) => void
  readonly onChange: () => void
}

export interface SendQueue {
  /** Sends what waits, in one tab at a time. Returns when nothing waits, or a pause has begun. */
  sendUntilEmpty(): Promise<void>
  /** Has the session checked before the next request, because the user may have signed in as somebody else. */
  forgetUser(): void
}

/** Creates what sends the entries of an outbox. */
export function createSendQueue(options: SendQueueOptions): SendQueue {
  const { userId, client, store, pause, onChange } = options
  let batchLimit = MAX_BATCH_ENTRIES
  let hasVerifiedUser = false
  /** Entries with which the server failed. The others are sent first. */
  const setAside = new Set<string>()
  const mustEnd = () => options.isClosed() || pause.isStopped()

  async function sendUntilEmpty(): Promise<void> {
    while (!mustEnd()) {
      if (store.reload()) onChange()
      const batch = pickBatch(putLast(store.list().filter(isWaiting), setAside), batchLimit)
      if (batch.length === 0) {
        pause.end()
        setAside.clear()
        return onChange()
      }
      if (!(await canSend()) || mustEnd()) return
      // This or another tab may have written again in the meantime.
      const current = batch.flatMap(({ id }) => store.refresh(id) ?? []).filter(isWaiting)
      for (const entry of current) store.put(addAttempt(entry))
      if (!(await handleOutcome(current, await sendBatch(client, current)))) return
    }
  }

  /** Checks that the session in the browser's cookie is that of this user. */
  async function canSend(): Promise<boolean> {
    if (hasVerifiedUser) return true
    const reply = await client.call(getMe)
    if (reply.kind !== 'success') {
      const outcome = toFailureOutcome([], reply)
      // What cannot be retried, such as 403, does not occur here; if it does, it is temporary.
      if (outcome.kind === 'done') pause.beginRetry('Your account cannot be read.', null)
      else await handleOutcome([], outcome)
      onChange()
      return false
    }
    if (reply.data.data.id !== userId) {
      pause.begin('other-user', options.sessionDelayMs)
      onChange()
      return false
    }
    hasVerifiedUser = options.hasFocus()
    return true
  }

  /** @returns whether to go on with what waits */
  async function handleOutcome(batch: readonly OutboxEntry[], outcome: BatchOutcome): Promise<boolean> {
    if (outcome.kind === 'done') return await handleEntries(batch, outcome.outcomes)
    if (outcome.kind === 'session-ended') {
      hasVerifiedUser = false
      pause.begin('session-ended', options.sessionDelayMs)
    } else {
      if (outcome.hasFailed) {
        // One of them may be the reason: find out which, and send the others first.
        if (batch.length === 1) batch.forEach(({ id }) => setAside.add(id))
        batchLimit = Math.max(1, Math.floor(batch.length / 2))
      }
      pause.beginRetry(outcome.message, outcome.delayMs)
    }
    onChange()
    return false
  }

  async function handleEntries(
    batch: readonly OutboxEntry[],
    outcomes: ReadonlyMap<string, EntryOutcome>,
  ): Promise<boolean> {
    pause.end()
    for (const entry of batch) {
      const outcome = outcomes.get(entry.id)
      if (outcome !== undefined && !(await handleEntry(entry, outcome))) return false
    }
    if (batch.length > 1) batchLimit = Math.min(MAX_BATCH_ENTRIES, batchLimit * 2)
    onChange()
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
    else if (resolved.kind === 'rebase') change(sent, (entry) => ({ ...entry, base: resolved.base }))
    else if (resolved.kind === 'conflict') {
      const message = 'Someone has set another result in the meantime.'
      change(sent, (entry) => ({ ...entry, problem: { kind: 'newer-result', message, newer: resolved.newer } }))
    } else return await handleOutcome([sent], resolved)
    return true
  }

  function handleStored(sent: OutboxEntry, testedAt: string | null): void {
    options.onStored(sent, testedAt)
    const entry = store.refresh(sent.id)
    if (entry === undefined) return
    if (entry.revision === sent.revision) store.remove(sent.id)
    // Written again meanwhile: the values that were stored are among the attempts.
    else store.put({ ...entry, base: testedAt ?? entry.base })
  }

  /** Changes or removes an entry. One that was written again since it was sent is sent again first. */
  function change(sent: OutboxEntry, update: (entry: OutboxEntry) => OutboxEntry | null): void {
    const entry = store.refresh(sent.id)
    if (entry?.revision !== sent.revision) return
    const changed = update(entry)
    if (changed === null) store.remove(sent.id)
    else store.put(changed)
  }

  return {
    sendUntilEmpty,
    forgetUser() {
      hasVerifiedUser = false
    },
  }
}

const isWaiting = (entry: OutboxEntry): boolean => entry.problem === null

function putLast(entries: readonly OutboxEntry[], ids: ReadonlySet<string>): readonly OutboxEntry[] {
  if (ids.size === 0) return entries
  return [...entries.filter(({ id }) => !ids.has(id)), ...entries.filter(({ id }) => ids.has(id))]
}
