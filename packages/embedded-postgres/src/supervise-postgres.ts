import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError, getErrorMessage, type EmbeddedLog } from './error.ts'
import type { Postmaster } from './postmaster.ts'

const FIRST_DELAY_MS = 100
const MAX_DELAY_MS = 10_000
/** After this time without a crash, the next restart is fast again. */
const HEALTHY_AFTER_MS = 60_000

export interface SupervisedPostgres {
  /** Whether PostgreSQL is down, and the last restart failed because the disk is full. */
  isDiskFull(): boolean
  close(): Promise<void>
}

/**
 * Starts PostgreSQL and restarts it whenever it dies, until `close` is called. The service keeps running meanwhile,
 * because the usual causes, a full disk or too little memory, can pass without a restart of the service.
 * @param start starts PostgreSQL, and stops it when the signal is aborted
 * @param stop cancels the first start
 * @throws the error of the first start
 */
export async function supervisePostgres(
  start: (signal: AbortSignal) => Promise<Postmaster>,
  log: EmbeddedLog,
  stop?: AbortSignal,
): Promise<SupervisedPostgres> {
  const closing = new AbortController()
  const { signal } = closing
  const waitUnlessClosing = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})

  stop?.throwIfAborted()
  const cancel = () => closing.abort()
  stop?.addEventListener('abort', cancel)
  let current: Postmaster | undefined = await start(signal)
  stop?.removeEventListener('abort', cancel)
  let isDiskFull = false
  const restartUntilClosed = async () => {
    let delayMs = FIRST_DELAY_MS
    for (;;) {
      const startedAt = Date.now()
      const reason = await current?.ended
      if (signal.aborted) return
      if (current) log.error({ postgresPid: current.pid }, `PostgreSQL ${reason}; starting it again`)
      if (current && Date.now() - startedAt > HEALTHY_AFTER_MS) delayMs = FIRST_DELAY_MS
      current = undefined
      await waitUnlessClosing(delayMs)
      if (signal.aborted) return
      delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)
      try {
        current = await start(signal)
        isDiskFull = false
        log.info({ postgresPid: current.pid }, 'PostgreSQL is running again')
      } catch (error) {
        isDiskFull = error instanceof EmbeddedPostgresError && error.isDiskFull
        if (!signal.aborted)
          log.error({ retryMs: delayMs }, `PostgreSQL did not start again. ${getErrorMessage(error)}`)
      }
    }
  }
  const closed = restartUntilClosed()

  return {
    isDiskFull: () => isDiskFull,
    async close() {
      closing.abort()
      await closed
    },
  }
}
