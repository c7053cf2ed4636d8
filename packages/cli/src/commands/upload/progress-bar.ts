/** What a terminal's output stream tells and takes. */
export interface BarStream {
  write(text: string): unknown
  readonly columns?: number | undefined
}

/** How far a job is. */
export interface Progress {
  readonly filesDone: number
  readonly files: number
  readonly bytesDone: number
  readonly bytes: number
  /** The file that is under way. */
  readonly current: string
}

export interface ProgressBar {
  /** Draws the bar, in place of an earlier one. */
  show(progress: Progress): void
  /** Takes the bar away for as long as `write` writes lines, and draws it again below them. */
  around(write: () => void): void
  /** Takes the bar away for good. */
  end(): void
}

const CLEAR_LINE = '\r\x1b[2K'
const CELLS = 24

/** One line of at most `columns - 1` characters; a full line would make some terminals wrap. */
export function renderBar(progress: Progress, elapsedSeconds: number, columns: number): string {
  const { filesDone, files, bytesDone, bytes, current } = progress
  const done = bytes === 0 ? filesDone / files : bytesDone / bytes
  const filled = Math.round(Math.min(1, done) * CELLS)
  const bar = '█'.repeat(filled) + '░'.repeat(CELLS - filled)
  const waiting = elapsedSeconds < 3 ? '' : ` (${elapsedSeconds} s)`
  const line = `${bar} ${filesDone}/${files} ${current}${waiting}`
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`
}

/** A progress bar on the last line of a terminal. It counts the seconds of the file under way by itself. */
export function createProgressBar(stream: BarStream): ProgressBar {
  let shown: Progress | null = null
  let since = Date.now()
  const draw = () => {
    if (shown === null) return
    const elapsedSeconds = Math.floor((Date.now() - since) / 1000)
    stream.write(CLEAR_LINE + renderBar(shown, elapsedSeconds, stream.columns ?? 80))
  }
  const clock = setInterval(draw, 1000)
  clock.unref()
  return {
    show(progress) {
      if (progress.current !== shown?.current) since = Date.now()
      shown = progress
      draw()
    },
    around(write) {
      if (shown !== null) stream.write(CLEAR_LINE)
      write()
      draw()
    },
    end() {
      clearInterval(clock)
      if (shown !== null) stream.write(CLEAR_LINE)
      shown = null
    },
  }
}

/** For where there is no terminal: lines only. */
export const noProgressBar: ProgressBar = {
  show: () => {},
  around: (write) => write(),
  end: () => {},
}
