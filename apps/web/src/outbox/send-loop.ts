export interface SendLoopOptions {
  /** Whether anything may be sent now. */
  readonly maySend: () => boolean
  /** Sends what waits, and returns when nothing more can be sent. */
  readonly send: () => Promise<void>
  /** Called when `send` throws, which is a mistake of the app. */
  readonly onError: () => void
}

/** Runs `send` once at a time. */
export interface SendLoop {
  /** Sends now, or once more after the present time: what was written in the meantime is not forgotten. */
  start(): void
  isSending(): boolean
}

export function createSendLoop({ maySend, send, onError }: SendLoopOptions): SendLoop {
  let isSending = false
  let shouldSendAgain = false

  async function run(): Promise<void> {
    if (!maySend()) return
    if (isSending) {
      shouldSendAgain = true
      return
    }
    isSending = true
    try {
      await send()
    } catch {
      // It must not end saving.
      onError()
    } finally {
      isSending = false
    }
    if (!shouldSendAgain) return
    shouldSendAgain = false
    void run()
  }

  return { start: () => void run(), isSending: () => isSending }
}
