import sonicBoom from 'sonic-boom'

const BUFFER_BYTES = 4096
const FLUSH_INTERVAL_MS = 500
const MAX_PENDING_BYTES = 1_000_000
/** When to write again after the reader had no room. */
const RETRY_MS = 10
/** How long an exiting process waits for a slow reader. */
const EXIT_TIMEOUT_MS = 1000

export interface LogOutputOptions {
  /** A file descriptor. A pipe or terminal must be non-blocking, or a reader that hangs blocks the service. */
  fd: number
  /** Whether lines are collected and written together. False for a terminal. */
  isBuffered: boolean
  /** Called when lines can be written again after some were dropped. */
  onDropped(count: number, reason: string): void
}

/**
 * Writes log lines without ever throwing or blocking. Up to one megabyte waits for a slow reader or a full disk; more
 * lines are dropped. Lines are written together at least twice a second and at exit, because a write for each request
 * costs more than formatting its line.
 */
export function openLogOutput({ fd, isBuffered, onDropped }: LogOutputOptions): { write(line: string): void } {
  const output = new sonicBoom.SonicBoom({
    fd,
    // An asynchronous write may be unfinished at exit. A synchronous one does not block, as `fd` is non-blocking.
    sync: true,
    minLength: isBuffered ? BUFFER_BYTES : 1,
    maxLength: MAX_PENDING_BYTES,
    periodicFlush: FLUSH_INTERVAL_MS,
    // By default sonic-boom blocks until the reader has room.
    retryEAGAIN: () => false,
  })
  let errorCode: string | null = null
  let droppedCount = 0
  let dropReason = ''
  let retryTimer: NodeJS.Timeout | null = null

  output.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    errorCode = code
    if (code === 'EAGAIN') retryTimer ??= setTimeout(retry, RETRY_MS).unref()
  })
  output.on('drop', () => {
    droppedCount += 1
    dropReason = errorCode === 'EAGAIN' ? 'the reader is too slow' : (errorCode ?? 'too many lines at once')
  })
  output.on('drain', () => {
    errorCode = null
    reportDropped()
  })

  function reportDropped(): void {
    if (droppedCount === 0) return
    const count = droppedCount
    droppedCount = 0
    onDropped(count, dropReason)
  }

  function retry(): void {
    retryTimer = null
    output.flush()
  }

  // Not flushSync(): it never returns when the reader is gone or the disk is full.
  function flushOnExit(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4))
    const deadline = Date.now() + EXIT_TIMEOUT_MS
    do {
      errorCode = null
      output.flush()
      // One flush may leave a last part that is smaller than the buffer.
      if (errorCode === null) output.flush()
    } while (errorCode === 'EAGAIN' && Date.now() < deadline && Atomics.wait(pause, 0, 0, RETRY_MS))
    if (errorCode !== null) return
    // The event `drain` would come after the exit.
    reportDropped()
    output.flush()
  }

  process.once('exit', flushOnExit)
  return { write: (line) => void output.write(line) }
}
