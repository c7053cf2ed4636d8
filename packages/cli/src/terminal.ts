import { createProgressBar, noProgressBar, type ProgressBar } from './commands/upload/progress-bar.ts'

/** What the command has around it; a `process` is one. */
export type RuntimeEnvironment = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'>

export interface Terminal {
  /** Lines of the report, on standard output; none where a program reads that. */
  print(lines: readonly string[]): void
  /** Text on standard output as it is, to its end. */
  write(text: string): void
  /** Lines on what went wrong or is waited for, on standard error. */
  warn(lines: readonly string[]): void
  readonly bar: ProgressBar
  /** Colours of the report, and of warnings. */
  readonly paint: { readonly print: Paint; readonly warn: Paint }
}

/** Puts text into a colour, where the stream shows colours. */
export type Paint = (color: 'red' | 'green' | 'yellow', text: string) => string

const codes = { red: 31, green: 32, yellow: 33 } as const

/**
 * Lines go out plain, and without a progress bar, unless a person watches: not into a file or a pipe, not under CI, not
 * on a dumb terminal. `NO_COLOR` (no-color.org) turns off the colours alone.
 * @param json a program reads standard output: the report's lines are for people, and left out
 */
export function createTerminal({ stdout, stderr, env }: RuntimeEnvironment, json = false): Terminal {
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe)
  const isWatched = (stream: NodeJS.WriteStream) => stream.isTTY && env['TERM'] !== 'dumb'
  const bar = isWatched(stderr) && !isSet(env['CI']) ? createProgressBar(stderr) : noProgressBar
  const paintFor = (stream: NodeJS.WriteStream): Paint =>
    isWatched(stream) && !isSet(env['NO_COLOR'])
      ? (color, text) => `\x1b[${codes[color]}m${text}\x1b[39m`
      : (_, text) => text
  return {
    print: (lines) => {
      if (!json) bar.around(() => stdout.write(asText(lines)))
    },
    write: (text) => bar.around(() => stdout.write(text)),
    warn: (lines) => bar.around(() => stderr.write(asText(lines))),
    bar,
    paint: { print: paintFor(stdout), warn: paintFor(stderr) },
  }
}

/** `caseward upload … | head -1`: that nobody reads on must not end the upload. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

function asText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

/** Text from a file or a server as one line, without anything that a terminal would take for a command. */
export function toTerminalText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what must go
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim()
}

/** Such as `1 result`, `2 results`. */
export function pluralize(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
