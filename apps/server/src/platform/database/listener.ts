import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type pg from 'pg'

import { withTimeout } from '../with-timeout.ts'
import { createClient, type Database } from './connect.ts'

/** Receives the notifications of one channel (`NOTIFY`) over a connection of its own. */
export interface Listener {
  /**
   * Resolves when notifications are received. Connects at the first call.
   * @throws when the database is unavailable
   */
  start(): Promise<void>
  stop(): Promise<void>
}

export interface ListenerOptions {
  channel: string
  onNotification(payload: string): void
  /** Called when a lost connection was replaced: what was sent meanwhile is missing. */
  onReconnect(): void
  onError(error: Error): void
}

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 5000
/** A connection whose other end has disappeared is noticed by a statement that is not answered. */
const CHECK_INTERVAL_MS = 20_000
const CHECK_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 2000

/** Creates a listener that replaces a lost connection until it is stopped. */
export function createListener(db: Database, options: ListenerOptions): Listener {
  let client: pg.Client | null = null
  let opening: Promise<void> | null = null
  let isStopped = false
  let hasGap = false

  async function open(): Promise<void> {
    const opened = createClient(db, 'caseward events')
    // Unhandled, the event would end the process; `end` follows it.
    opened.once('error', options.onError).on('error', () => {})
    opened.on('notification', ({ payload = '' }) => options.onNotification(payload))
    try {
      await opened.connect()
      await withTimeout(opened.query(`listen ${options.channel}`), CHECK_TIMEOUT_MS)
      if (isStopped) throw new Error('The listener is stopped')
    } catch (error) {
      destroy(opened)
      throw error
    }
    client = opened
    opened.once('end', lose)
    if (hasGap) options.onReconnect()
    hasGap = false
  }

  function start(): Promise<void> {
    if (client !== null) return Promise.resolve()
    opening ??= open().finally(() => (opening = null))
    return opening
  }

  function lose(): void {
    client = null
    hasGap = true
    if (!isStopped) void reconnect()
  }

  async function reconnect(): Promise<void> {
    let delayMs = FIRST_DELAY_MS
    while (!(await tryStart())) {
      await sleep(delayMs, undefined, { ref: false })
      delayMs = Math.min(2 * delayMs, LONGEST_DELAY_MS)
    }
  }

  /** Returns whether there is nothing left to do. */
  async function tryStart(): Promise<boolean> {
    await start().catch(() => {})
    return client !== null || isStopped
  }

  const check = async () => {
    const checked = client
    if (checked === null) return
    await withTimeout(checked.query('select'), CHECK_TIMEOUT_MS).catch(() => destroy(checked))
  }
  const checks = setInterval(() => void check(), CHECK_INTERVAL_MS).unref()

  return {
    start,
    async stop() {
      isStopped = true
      clearInterval(checks)
      await opening?.catch(() => {})
      if (client !== null) await withTimeout(client.end(), STOP_TIMEOUT_MS).catch(() => {})
    },
  }
}

/** Closes a connection without waiting for its other end, which `end` does. */
function destroy(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: Socket } }
  connection.stream.destroy()
}
