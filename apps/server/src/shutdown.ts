const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
/** The process exits this long after the delay even when the shutdown hangs, for example because the database does. */
const SHUTDOWN_TIMEOUT_MS = 20_000
const PARENT_CHECK_INTERVAL_MS = 500

export interface ShutdownSignals {
  /**
   * Aborted when the service is told to stop: on a signal (SIGHUP when the terminal closes), or when the npm that runs it
   * has exited. The abort reason names the cause.
   */
  stopSignal: AbortSignal
  /** Aborted when the service must stop accepting requests. */
  closeSignal: AbortSignal
}

/**
 * Handles the signals that stop the service, as {@link createShutdown} says.
 * @param delayMs how long `closeSignal` follows `stopSignal` after SIGTERM
 */
export function handleShutdownSignals(delayMs: number): ShutdownSignals {
  const { shutDown, ...signals } = createShutdown(delayMs)
  signals.stopSignal.addEventListener('abort', () => {
    setTimeout(() => process.exit(1), delayMs + SHUTDOWN_TIMEOUT_MS).unref()
  })
  for (const signal of SIGNALS) process.on(signal, shutDown)
  if (process.env['npm_lifecycle_event'] !== undefined) onParentExit(() => shutDown('npm exited'))
  return signals
}

/**
 * Decides what each signal does.
 *
 * Service managers send SIGTERM, and load balancers need the delay to notice that this server stops. Ctrl-C in a terminal
 * (SIGINT) has no delay, and a second signal ends it. Further signals have no effect: Ctrl-C under `npm start` arrives
 * twice, and the second one must not interrupt the requests in flight.
 */
export function createShutdown(delayMs: number): ShutdownSignals & { shutDown(reason: string): void } {
  const stop = new AbortController()
  const close = new AbortController()
  const shutDown = (reason: string) => {
    if (stop.signal.aborted) {
      close.abort(reason)
      return
    }
    stop.abort(reason)
    if (reason === 'SIGTERM') setTimeout(() => close.abort(reason), delayMs).unref()
    else close.abort(reason)
  }
  return { stopSignal: stop.signal, closeSignal: close.signal, shutDown }
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
