import { writeSync } from 'node:fs'

const BUFFER_CHARACTERS = 4096
const WRITE_EVERY_MS = 500
/** A reader without room has some soon, or it hangs, and then lines are dropped in the end. */
const TRY_AGAIN_MS = 10
const KEEP_CHARACTERS = 1_000_000
/** How long a process that ends waits for a reader that is behind. */
const LAST_WAIT_MS = 1000
const NEWLINE = 10

export interface LogOutputOptions {
  /** A file descriptor. A pipe or a terminal must be non-blocking, or a reader that hangs keeps the service waiting. */
  fd: number
  /** False where somebody looks on. */
  isBuffered: boolean
  /** Lines were lost, the last of them for this reason, and now lines can be written again. */
  onDropped(lines: number, reason: string): void
}

/**
 * Writes lines to where the service must not depend on it: it neither throws nor waits. A reader that is behind gets the
 * last megabyte later; what a reader that is gone or a full disk does not take is dropped. Lines are gathered and
 * written together at least twice a second, and when the process exits: a write for every request would cost more than
 * the request's own line.
 */
export function openLogOutput({ fd, isBuffered, onDropped }: LogOutputOptions): { write(line: string): void } {
  let lines: string[] = []
  let characters = 0
  /** What an earlier write had no room for. */
  let rest = Buffer.alloc(0)
  let isWithinLine = false
  let trial: NodeJS.Timeout | null = null
  let dropped = 0
  let reason = ''

  function drop(count: number, why: string): void {
    dropped += count
    reason = why
  }

  function dropOldest(): void {
    const oldest = lines.splice(0, Math.ceil(lines.length / 2))
    characters -= oldest.reduce((sum, line) => sum + line.length, 0)
    drop(oldest.length, 'nobody reads them')
  }

  function drainBuffer(): Buffer<ArrayBuffer> {
    const text = lines.join('')
    lines = []
    characters = 0
    // What was dropped broke off within a line: the next begins on a line of its own.
    return Buffer.from(isWithinLine ? `\n${text}` : text)
  }

  function writeAll(): void {
    while (rest.length > 0 || lines.length > 0) {
      if (rest.length === 0) rest = drainBuffer()
      const count = writeSync(fd, rest)
      isWithinLine = rest[count - 1] !== NEWLINE
      rest = rest.subarray(count)
    }
  }

  function flush(): void {
    if (trial !== null) clearTimeout(trial)
    trial = null
    if (rest.length === 0 && lines.length === 0) return
    try {
      writeAll()
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') {
        trial = setTimeout(flush, TRY_AGAIN_MS).unref()
      } else {
        drop(
          rest.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0),
          code,
        )
        rest = Buffer.alloc(0)
      }
      return
    }
    if (dropped === 0) return
    const lost = dropped
    dropped = 0
    onDropped(lost, reason)
  }

  function flushOnExit(): void {
    const pause = new Int32Array(new SharedArrayBuffer(4))
    const end = Date.now() + LAST_WAIT_MS
    for (flush(); trial !== null && Date.now() < end; flush()) Atomics.wait(pause, 0, 0, TRY_AGAIN_MS)
  }

  if (isBuffered) setInterval(flush, WRITE_EVERY_MS).unref()
  process.once('exit', flushOnExit)
  return {
    write(line) {
      lines.push(line)
      characters += line.length
      if (characters > KEEP_CHARACTERS) dropOldest()
      else if (trial === null && (!isBuffered || characters >= BUFFER_CHARACTERS)) flush()
    },
  }
}
