import { createProgressBar, noProgressBar, type ProgressBar } from './progress-bar.ts'

/** What surrounds the command; a `process` is one. */
export type RuntimeEnvironment = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env' | 'cwd'>

export interface Terminal {
  /** Prints lines of the report to standard output; does nothing with `--json`. */
  print(lines: readonly string[]): void
  /** Writes text to standard output without changing it. */
  write(text: string): void
  /** Prints warnings and progress to standard error. */
  warn(lines: readonly string[]): void
  /** Prints an error to standard error, the first line marked as such. */
  error(lines: readonly string[]): void
  readonly progressBar: ProgressBar
  /** Colors text of the report. */
  readonly paint: Paint
}

/** Colors text if the stream is a terminal with colors. */
export type Paint = (color: 'red' | 'green' | 'yellow', text: string) => string

const colorCodes = { red: 31, green: 32, yellow: 33 } as const

/**
 * Colors and the progress bar are for people: they are off in files and pipes and on dumb terminals, the progress bar
 * also in CI. `NO_COLOR` (https://no-color.org) turns off the colors alone.
 * @param json whether standard output is for a program, so that the report is left out
 */
export function createTerminal({ stdout, stderr, env }: RuntimeEnvironment, json = false): Terminal {
  for (const stream of [stdout, stderr]) stream.on('error', ignoreClosedPipe)
  const isInteractive = (stream: NodeJS.WriteStream) => stream.isTTY && env['TERM'] !== 'dumb'
  const progressBar = isInteractive(stderr) && !isSet(env['CI']) ? createProgressBar(stderr) : noProgressBar
  const createPaint = (stream: NodeJS.WriteStream): Paint =>
    isInteractive(stream) && !isSet(env['NO_COLOR'])
      ? (color, text) => `\x1b[${colorCodes[color]}m${text}\x1b[39m`
      : (_, text) => text
  const paintError = createPaint(stderr)
  const warn = (lines: readonly string[]) => progressBar.hideDuring(() => stderr.write(joinLines(lines)))
  return {
    print: (lines) => {
      if (!json) progressBar.hideDuring(() => stdout.write(joinLines(lines)))
    },
    write: (text) => progressBar.hideDuring(() => stdout.write(text)),
    warn,
    error: (lines) =>
      warn(lines.map((line, index) => `${index === 0 ? paintError('red', 'error:') : '      '} ${line}`)),
    progressBar,
    paint: createPaint(stdout),
  }
}

/** `caseward upload … | head -1` closes the pipe early, which must not end the upload. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
