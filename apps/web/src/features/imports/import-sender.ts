import type { Import } from '@caseward/client/endpoints'

import type { TabLock } from '../../tab-lock.ts'
import { createWaitingFile, type WaitingFile, type WaitingFiles } from './waiting-file.ts'

/** What the page shows of a file that is being sent. */
export interface SendingState {
  readonly name: string | null
  readonly isSending: boolean
  /** From 0 to 1. */
  readonly share: number
  readonly failure: SendFailure | null
  /** The import that the file has become; null before, and when nobody was on the page. */
  readonly importId: string | null
}

export interface SendFailure {
  readonly message: string
  /** Whether the file is kept, to be sent again. */
  readonly canRetry: boolean
}

export interface SendOptions {
  readonly onProgress: (share: number) => void
  /** Called with the upload that the server has begun, to go on with it later. */
  readonly onBegin: (fileUploadId: string) => void
  readonly signal: AbortSignal
}

/** Sends the files of a project to import, one at a time, also while another page is open. */
export interface ImportSender {
  /** Keeps a file in this browser and sends it, in place of one that is being sent. */
  send(file: File): void
  /** Goes on with the file that an earlier visit has left, or that could not be sent. */
  resume(): void
  /** Gives up the file. */
  cancel(): void
  /** Forgets what a file has become. */
  clear(): void
  /** Whether a file would be lost if the tab were closed. */
  hasUnstored(): boolean
  getSnapshot(): SendingState
  subscribe(listener: () => void): () => void
}

export interface SenderOptions {
  readonly projectId: string
  readonly files: WaitingFiles
  /** Two tabs do not send one file at the same time. */
  readonly lock: TabLock
  readonly send: (file: WaitingFile, content: Blob, options: SendOptions) => Promise<Import>
  /** Tells the server that a file is given up. */
  readonly onCancel: (fileUploadId: string) => void
  readonly describe: (error: unknown) => SendFailure
}

const toGone = ({ name }: WaitingFile) => `This browser has removed “${name}” to free space. Choose it again.`
const IDLE: SendingState = { name: null, isSending: false, share: 0, failure: null, importId: null }

export function createImportSender({ projectId, files, lock, send, onCancel, describe }: SenderOptions): ImportSender {
  let state = IDLE
  let current: { readonly file: WaitingFile; readonly stop: AbortController } | null = null
  /** The content of a file that the browser could not store. */
  let unstored: { readonly file: WaitingFile; readonly content: Blob } | null = null
  const listeners = new Set<() => void>()
  function update(changes: Partial<SendingState>): void {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }
  const findFile = () => unstored?.file ?? files.find(projectId)

  async function sendFile(file: WaitingFile, content: Blob | null, stop: AbortController): Promise<void> {
    const { id } = file
    try {
      if (content !== null && !(await files.add(file, content))) unstored = { file, content }
      await lock.run(
        `import:${id}`,
        async () => {
          // Another tab may have sent it meanwhile.
          const waiting = findFile()
          if (stop.signal.aborted || waiting?.id !== id) return
          const bytes = unstored?.content ?? (await files.getContent(id))
          if (bytes === null) return fail(id, { message: toGone(file), canRetry: false })
          const { id: importId } = await send(waiting, bytes, {
            onProgress: (share) => current?.file.id === id && update({ share }),
            onBegin(fileUploadId) {
              files.begin(waiting, fileUploadId)
              if (unstored !== null) unstored = { ...unstored, file: { ...waiting, fileUploadId } }
            },
            signal: stop.signal,
          })
          forget(id)
          if (!stop.signal.aborted) update({ importId: listeners.size > 0 ? importId : null })
        },
        stop.signal,
      )
      if (!stop.signal.aborted) update({ isSending: false })
    } catch (error) {
      if (!stop.signal.aborted) fail(id, describe(error))
    } finally {
      if (current?.stop === stop) current = null
    }
  }
  function fail(id: string, failure: SendFailure): void {
    if (!failure.canRetry) forget(id)
    update({ isSending: false, failure })
  }
  function start(file: WaitingFile, content: Blob | null): void {
    const stop = new AbortController()
    current = { file, stop }
    update({ ...IDLE, name: file.name, isSending: true })
    void sendFile(file, content, stop)
  }
  function forget(id: string): void {
    if (unstored?.file.id === id) unstored = null
    files.remove(id)
  }
  function giveUp(): void {
    current?.stop.abort()
    current = null
    for (let file = findFile(); file !== null; file = findFile()) {
      if (file.fileUploadId !== null) onCancel(file.fileUploadId)
      forget(file.id)
    }
  }
  return {
    send(file) {
      giveUp()
      if (file.size === 0) {
        update({ ...IDLE, name: file.name, failure: { message: `“${file.name}” is empty.`, canRetry: false } })
        return
      }
      start(createWaitingFile(projectId, file.name), file)
    },
    resume() {
      if (current !== null) return
      const file = findFile()
      if (file !== null) start(file, null)
    },
    cancel() {
      giveUp()
      update(IDLE)
    },
    clear: () => update(IDLE),
    hasUnstored: () => unstored !== null,
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
