/** The output stream of a terminal. */
export interface BarStream {
  write(text: string): unknown
  readonly columns?: number | undefined
}

/** The progress of an upload. */
export interface Progress {
  readonly filesDone: number
  readonly files: number
  readonly bytesDone: number
  readonly bytes: number
  /** The file that is being sent. */
  readonly current: string
}

export interface ProgressBar {
  /** Draws the bar, in place of an earlier one. */
  show(progress: Progress): void
  /** Removes the bar while `write` prints lines, and draws it again below them. */
  hideDuring(write: () => void): void
  /** Removes the bar permanently. */
  end(): void
}

const CLEAR_LINE = '\r\x1b[2K'
const CELLS = 24
/** A file that takes longer shows its seconds, so that a slow server does not look like a frozen command. */
const LONG_WAIT_SECONDS = 3

/** Returns one line of at most `columns - 1` characters; a full line would make some terminals wrap. */
export function renderBar(progress: Progress, elapsedSeconds: number, columns: number): string {
  const { filesDone, files, bytesDone, bytes, current } = progress
  const done = bytes === 0 ? filesDone / files : bytesDone / bytes
  const filled = Math.round(Math.min(1, done) * CELLS)
  const bar = '█'.repeat(filled) + '░'.repeat(CELLS - filled)
  const waiting = elapsedSeconds < LONG_WAIT_SECONDS ? '' : ` (${elapsedSeconds} s)`
  const line = `${bar} ${filesDone}/${files} ${current}${waiting}`
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`
}

/** Creates a progress bar on the last line of a terminal, redrawn every second. */
export function createProgressBar(stream: BarStream): ProgressBar {
  let progress: Progress | null = null
  let since = Date.now()
  const draw = () => {
    if (progress === null) return
    const elapsedSeconds = Math.floor((Date.now() - since) / 1000)
    stream.write(CLEAR_LINE + renderBar(progress, elapsedSeconds, stream.columns ?? 80))
  }
  const timer = setInterval(draw, 1000)
  timer.unref()
  return {
    show(next) {
      if (next.current !== progress?.current) since = Date.now()
      progress = next
      draw()
    },
    hideDuring(write) {
      if (progress !== null) stream.write(CLEAR_LINE)
      write()
      draw()
    },
    end() {
      clearInterval(timer)
      if (progress !== null) stream.write(CLEAR_LINE)
      progress = null
    },
  }
}

/** Draws nothing: for output that is not a terminal. */
export const noProgressBar: ProgressBar = {
  show: () => {},
  hideDuring: (write) => write(),
  end: () => {},
}
