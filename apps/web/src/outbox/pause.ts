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

/** Why nothing is sent now. */
export interface PauseState {
  readonly phase: 'retrying' | 'session-ended' | 'other-user' | 'stopped'
  /** When sending goes on, in milliseconds since 1970; null if the user has stopped it. */
  readonly retryAt: number | null
  readonly message: string | null
}

/** The pauses between attempts to send. */
export interface Pause {
  get(): PauseState | null
  /** Waits, then sends again. Does nothing if the user has stopped sending. */
  begin(phase: PauseState['phase'], delayMs: number, message?: string): void
  /** Waits longer after each failure in succession. @param delayMs what the server asks for; null if it does not */
  beginRetry(message: string, delayMs: number | null): void
  /** Ends the pause, and forgets earlier failures. Does nothing if the user has stopped sending. */
  end(): void
  /** Sends after a delay without a pause. */
  schedule(delayMs: number): void
  /** Stops sending until `resume`. */
  stop(): void
  resume(): void
  isStopped(): boolean
  /** Clears the timer, and never sets one again until `open`. */
  close(): void
  open(): void
}

export function createPause(delays: Pick<OutboxDelays, 'firstRetry' | 'longestRetry'>, send: () => void): Pause {
  let state: PauseState | null = null
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isClosed = false
  const isStopped = () => state?.phase === 'stopped'

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(send, delayMs)
  }
  function begin(phase: PauseState['phase'], delayMs: number, message: string | null = null): void {
    if (isStopped()) return
    state = { phase, retryAt: Date.now() + delayMs, message }
    schedule(delayMs)
  }
  function clear(): void {
    clearTimeout(timer)
    state = null
    failures = 0
  }

  return {
    get: () => state,
    begin,
    beginRetry(message, delayMs) {
      const longest = Math.min(delays.longestRetry, delays.firstRetry * 2 ** failures)
      failures += 1
      begin('retrying', delayMs ?? longest * (0.5 + Math.random() / 2), message)
    },
    end() {
      if (!isStopped()) clear()
    },
    schedule,
    stop() {
      clearTimeout(timer)
      state = { phase: 'stopped', retryAt: null, message: null }
    },
    resume: clear,
    isStopped,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
    open() {
      isClosed = false
    },
  }
}
