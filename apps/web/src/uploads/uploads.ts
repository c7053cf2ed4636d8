import type { Attachment } from '@caseward/client/endpoints'

import type { BrowserStorage } from '../browser-storage.ts'
import { createRevision } from '../outbox/outbox-entry.ts'
import { createPause, type OutboxDelays, type PauseState } from '../outbox/pause.ts'
import { createSendLoop } from '../outbox/send-loop.ts'
import { type BrowserEvents, watchBrowser } from '../outbox/watch-browser.ts'
import type { TabLock } from '../tab-lock.ts'
import type { BlobStore } from './blob-store.ts'
import type { SendUpload } from './send-upload.ts'
import { createUploadStore } from './upload-store.ts'
import { type FilePlace, getUploadPrefix, type UploadEntry } from './upload-entry.ts'

/** What pages show of the files that are not on the server yet. */
export interface UploadsSnapshot {
  /** In the order in which they are sent. */
  readonly entries: readonly UploadEntry[]
  /** The share that is sent, from 0 to 1, of the files that are being sent. */
  readonly progress: ReadonlyMap<string, number>
  readonly phase: 'idle' | 'sending' | PauseState['phase']
  /** With `retrying`: why. */
  readonly message: string | null
  /** Files that are only in the memory of this tab: ask before it is closed. */
  readonly unstoredCount: number
}

export interface Uploads {
  /**
   * Keeps files in this browser, and sends them.
   * @param comment item of the draft of the comment that shows them
   */
  add(place: FilePlace, files: readonly File[], comment?: string): readonly UploadEntry[]
  /** Gives up a file, also while it is being sent. */
  cancel(id: string): void
  /** Sends a refused file again. */
  retry(id: string): void
  /** Sends everything that waits now. */
  retryNow(): void
  /** Returns the content of a file that waits, for its picture; null if it is gone. */
  getContent(id: string): Promise<Blob | null>
  getSnapshot(): UploadsSnapshot
  subscribe(listener: () => void): () => void
  /** Sends what an earlier visit left. @returns a function that stops it */
  start(): () => void
}

export interface UploadsOptions {
  readonly userId: string
  readonly storage: BrowserStorage
  readonly blobs: BlobStore
  readonly lock: TabLock
  readonly events: BrowserEvents
  readonly send: SendUpload
  /** Tells the server that a file is given up. */
  readonly onCancel: (entry: UploadEntry) => void
  /** Whether the session in the browser's cookie is that of this user. */
  readonly checkUser: () => Promise<'same' | 'other' | 'ended' | 'unknown'>
  /** Results are sent first: while one waits, no file is. */
  readonly mayBegin: () => boolean
  readonly hasFocus: () => boolean
  readonly onAttached: (entry: UploadEntry, attachment: Attachment, content: Blob) => void
  readonly onForbidden: () => void
  readonly delays?: Partial<OutboxDelays>
}

const GONE = 'This browser has removed the file to free space. Discard it, and attach it again.'
/** Files that are sent at the same time. */
const MAX_CONCURRENT = 2
const defaultDelays: OutboxDelays = { firstRetry: 1000, longestRetry: 30_000, session: 5000, takeover: 5000 }

/** Creates the files of a user that wait. They are stored before they are sent, so that closing the tab loses nothing. */
export function createUploads(options: UploadsOptions): Uploads {
  const { userId } = options
  const delays = { ...defaultDelays, ...options.delays }
  const store = createUploadStore(userId, options.storage, options.blobs)
  const listeners = new Set<() => void>()
  const sending = new Map<string, AbortController>()
  const progress = new Map<string, number>()
  /** With these the server failed: the others are sent first. */
  const setAside = new Set<string>()
  let isClosed = true
  let hasVerifiedUser = false
  const pause = createPause(delays, () => loop.start())
  let snapshot = buildSnapshot()

  function buildSnapshot(): UploadsSnapshot {
    const entries = store.list()
    const isWaiting = entries.some(({ problem }) => problem === null)
    const state = pause.get()
    return {
      entries,
      progress: new Map(progress),
      phase: isWaiting ? (state?.phase ?? 'sending') : 'idle',
      message: state?.message ?? null,
      unstoredCount: store.countUnstored(),
    }
  }
  function notify(): void {
    snapshot = buildSnapshot()
    listeners.forEach((listener) => listener())
  }

  const mayGoOn = () => !isClosed && pause.get() === null && options.mayBegin()
  const loop = createSendLoop({
    maySend: () => !isClosed && !pause.isStopped() && options.mayBegin(),
    send: () => options.lock.run(`uploads:${userId}`, sendAll),
    onError() {
      pause.beginRetry('Sending failed in this page.', null)
      notify()
    },
  })

  async function sendAll(): Promise<void> {
    pause.end()
    store.reload()
    notify()
    if (store.list().every(({ problem }) => problem !== null) || !(await canSend())) return
    await Promise.all(Array.from({ length: MAX_CONCURRENT }, sendNext))
    if (pause.get() === null) setAside.clear()
    notify()
  }
  async function sendNext(): Promise<void> {
    while (mayGoOn()) {
      const waiting = store.list().filter(({ id, problem }) => problem === null && !sending.has(id))
      const entry = waiting.find(({ id }) => !setAside.has(id)) ?? waiting[0]
      if (entry === undefined) return
      await sendOne(entry)
    }
  }

  async function canSend(): Promise<boolean> {
    if (hasVerifiedUser) return true
    const found = await options.checkUser()
    if (found === 'ended') pause.begin('session-ended', delays.session)
    if (found === 'other') pause.begin('other-user', delays.session)
    if (found === 'unknown') pause.beginRetry('The server does not answer.', null)
    hasVerifiedUser = found === 'same' && options.hasFocus()
    if (found !== 'same') notify()
    return found === 'same'
  }

  async function sendOne(entry: UploadEntry): Promise<void> {
    const abort = new AbortController()
    sending.set(entry.id, abort)
    try {
      const content = await store.getContent(entry.id)
      if (content === null) return change(entry.id, { problem: GONE })
      setProgress(entry.id, 0)
      const onProgress = (share: number) => setProgress(entry.id, share)
      const onBegin = (fileUploadId: string) => change(entry.id, { fileUploadId })
      const outcome = await options.send(entry, content, { onProgress, onBegin, signal: abort.signal })
      if (outcome.kind === 'attached') {
        options.onAttached(entry, outcome.attachment, content)
        store.remove(entry.id)
      } else if (outcome.kind === 'refused') {
        change(entry.id, { problem: outcome.message })
        if (outcome.isForbidden) options.onForbidden()
      } else if (outcome.kind === 'session-ended') {
        hasVerifiedUser = false
        pause.begin('session-ended', delays.session)
        // Whoever asks for the session shows that it has ended.
        void options.checkUser()
      } else if (outcome.kind === 'retry') {
        if (outcome.hasFailed) setAside.add(entry.id)
        pause.beginRetry(outcome.message, outcome.delayMs)
      }
    } finally {
      sending.delete(entry.id)
      progress.delete(entry.id)
      notify()
    }
  }
  function change(id: string, changes: Partial<UploadEntry>): void {
    const entry = store.list().find((candidate) => candidate.id === id)
    if (entry !== undefined) store.put({ ...entry, ...changes })
  }
  function setProgress(id: string, share: number): void {
    progress.set(id, share)
    notify()
  }

  /** Sends it when it is stored, or cannot be. */
  async function keep(entry: UploadEntry, file: File): Promise<void> {
    await store.add(entry, file)
    notify()
    if (pause.get() === null) loop.start()
  }
  function sendNow(): void {
    pause.resume()
    notify()
    loop.start()
  }
  function onWake(): void {
    hasVerifiedUser = false
    store.reload()
    notify()
    if (snapshot.phase !== 'idle') sendNow()
  }

  return {
    add(place, files, comment) {
      const order = Date.now()
      const added = files.map((file, index) => ({
        id: createRevision(),
        place,
        name: file.name,
        byteCount: file.size,
        mediaType: file.type,
        order: order + index / 1000,
        key: createRevision(),
        problem: null,
        fileUploadId: null,
        comment: comment ?? null,
      }))
      for (const [index, file] of files.entries()) if (added[index] !== undefined) void keep(added[index], file)
      notify()
      return added
    },
    cancel(id) {
      sending.get(id)?.abort()
      const entry = store.list().find((candidate) => candidate.id === id)
      store.remove(id)
      if (entry !== undefined) options.onCancel(entry)
      notify()
    },
    retry(id) {
      change(id, { problem: null, key: createRevision() })
      sendNow()
    },
    retryNow: sendNow,
    getContent: store.getContent,
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start() {
      isClosed = false
      pause.open()
      const stopWatching = watchBrowser(options.events, {
        onWake,
        onLeave: () => (hasVerifiedUser = false),
        onStorage(key) {
          if (key !== null && !key.startsWith(getUploadPrefix(userId))) return
          store.reload()
          notify()
        },
      })
      store.reload()
      notify()
      loop.start()
      return () => {
        isClosed = true
        pause.close()
        stopWatching()
      }
    },
  }
}
