import { setTimeout as sleep } from 'node:timers/promises'
import { getErrorMessage, type EmbeddedLog } from './error.ts'
import type { Postmaster } from './postmaster.ts'

const firstPauseMs = 100
const longestPauseMs = 10_000
/** After so long a time it counts as healthy again. */
const healthyMs = 60_000

/**
 * Starts PostgreSQL, and again whenever it dies, until closed. The service stays up meanwhile and answers 503 for what needs
 * the database: ending it would gain nothing, and the likely reasons, a full disk or memory run out, pass without it.
 *
 * @param start starts one and, when the signal is aborted, stops it
 * @param stop ends the first start
 * @throws what the first start throws
 */
export async function supervisePostgres(
  start: (signal: AbortSignal) => Promise<Postmaster>,
  log: EmbeddedLog,
  stop?: AbortSignal,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController()
  const { signal } = closing
  const pauseOrClose = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})

  stop?.throwIfAborted()
  const giveUp = () => closing.abort()
  stop?.addEventListener('abort', giveUp)
  let current: Postmaster | undefined = await start(signal)
  stop?.removeEventListener('abort', giveUp)
  const untilClosed = async () => {
    let pauseMs = firstPauseMs
    for (;;) {
      const since = Date.now()
      const how = await current?.ended
      if (signal.aborted) return
      if (current) log.error({ postgresPid: current.pid }, `PostgreSQL ${how}; starting it again`)
      if (current && Date.now() - since > healthyMs) pauseMs = firstPauseMs
      current = undefined
      await pauseOrClose(pauseMs)
      if (signal.aborted) return
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      try {
        current = await start(signal)
        log.info({ postgresPid: current.pid }, 'PostgreSQL is running again')
      } catch (error) {
        if (!signal.aborted)
          log.error({ retryMs: pauseMs }, `PostgreSQL did not start again. ${getErrorMessage(error)}`)
      }
    }
  }
  const closed = untilClosed()

  return {
    async close() {
      closing.abort()
      await closed
    },
  }
}
