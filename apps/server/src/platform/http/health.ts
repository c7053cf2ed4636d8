import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'
import { withTimeout } from '../with-timeout.ts'
import type { App } from './app.ts'

const hidden = { schema: { hide: true } }

/** A healthy database responds within milliseconds, and load balancers wait only a few seconds. */
const PING_TIMEOUT_MS = 2000

/** `/healthz`: the process runs. `/readyz`: it can serve requests, that is, the database responds. */
export function healthRoutes(app: App, db: Database): void {
  const pingDatabase = shareInFlight(() => sql`select 1`.execute(db))
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (request, reply) => {
    try {
      await withTimeout(pingDatabase(), PING_TIMEOUT_MS)
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ request_id: request.id, err: error }, 'not ready')
      return reply.code(503).send({ status: 'the database is unavailable' })
    }
  })
}

/** Shares one call among concurrent callers, so that pings to a database that hangs take one connection, not all. */
function shareInFlight(callback: () => Promise<unknown>): () => Promise<unknown> {
  let inFlight: Promise<unknown> | null = null
  return () => {
    inFlight ??= callback().finally(() => {
      inFlight = null
    })
    return inFlight
  }
}
