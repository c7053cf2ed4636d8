import type { CommandOutput } from './run-command.ts'

const PROGRESS_INTERVAL_MS = 200
/** Erases the line: https://www.xfree86.org/current/ctlseqs.html (EL). */
const ERASE_LINE = '\r\u001b[K'

/** Returns the output of a command, and a signal that is aborted by Ctrl-C or SIGTERM. A second one ends the process. */
export function openTerminal(): { output: CommandOutput; signal: AbortSignal } {
  const { stdout, stderr } = process
  let shownAt = 0
  const eraseProgress = () => {
    if (shownAt > 0) stderr.write(ERASE_LINE)
    shownAt = 0
  }
  const output: CommandOutput = {
    print(text) {
      eraseProgress()
      stdout.write(`${text}\n`)
    },
    printError(text) {
      eraseProgress()
      stderr.write(`${text}\n`)
    },
    showProgress(text) {
      if (!stderr.isTTY || performance.now() - shownAt < PROGRESS_INTERVAL_MS) return
      shownAt = performance.now()
      stderr.write(`${ERASE_LINE}${text.slice(0, (stderr.columns || 80) - 1)}`)
    },
  }
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(new Error(`stopped by ${signal}`)))
  }
  return { output, signal: controller.signal }
}
