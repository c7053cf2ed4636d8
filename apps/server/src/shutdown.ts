const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** The process exits after this time even when the shutdown hangs, for example because the database does. */
const SHUTDOWN_TIMEOUT_MS = 20_000
const PARENT_CHECK_INTERVAL_MS = 500

/**
 * Creates a signal that is aborted when the service must stop: on a signal (SIGHUP when the terminal closes), or when
 * the npm that runs it has exited. The abort reason names the cause. Further signals have no effect: Ctrl-C under
 * `npm start` arrives twice, and the second one must not interrupt the shutdown.
 */
export function createShutdownSignal(): AbortSignal {
  const controller = new AbortController()
  const shutDown = (reason: string) => {
    if (controller.signal.aborted) return
    setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS).unref()
    controller.abort(reason)
  }
  for (const signal of SIGNALS) process.on(signal, shutDown)
  if (process.env['npm_lifecycle_event'] !== undefined) onParentExit(() => shutDown('npm exited'))
  return controller.signal
}

/**
 * npm forwards a signal to the shell that runs a script, but the shell exits without forwarding it. An `exec` in the
 * script would replace the shell, but does not exist on Windows.
 */
function onParentExit(callback: () => void): void {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) callback()
  }, PARENT_CHECK_INTERVAL_MS).unref()
}
