const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** When a stop hangs (a database that no longer answers, say), the process ends all the same. */
const STOP_MS = 20_000
const LOOK_FOR_PARENT_MS = 500

/**
 * Aborted, with what asked for it as the reason, when the service is to stop: at a signal (SIGHUP when the terminal or
 * the connection to it is gone), or when the npm that runs it is gone. It listens on after the first: Ctrl-C under
 * `npm start` comes twice, and the second must not cut the stop short.
 */
export function createShutdownSignal(): AbortSignal {
  const stopping = new AbortController()
  const stop = (reason: string) => {
    if (stopping.signal.aborted) return
    setTimeout(() => process.exit(1), STOP_MS).unref()
    stopping.abort(reason)
  }
  for (const signal of SIGNALS) process.on(signal, stop)
  if (process.env['npm_lifecycle_event'] !== undefined) onParentExit(() => stop('npm is gone'))
  return stopping.signal
}

/**
 * npm passes a signal on to the shell in which it runs a script, and that shell dies of it without passing it on. (An
 * `exec` in the script would replace the shell, but Windows knows none.)
 */
function onParentExit(tell: () => void): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) tell()
  }, LOOK_FOR_PARENT_MS).unref()
}
