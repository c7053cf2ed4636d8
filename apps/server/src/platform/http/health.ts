import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'
import { isDiskFull } from '../database/failures.ts'
import { writeTemporaryFile } from '../database/write-temporary-file.ts'
import { withTimeout } from '../with-timeout.ts'
import type { App } from './app.ts'

const hidden = { schema: { hide: true } }

/** A healthy database responds within milliseconds, and load balancers wait only a few seconds. */
const PING_TIMEOUT_MS = 2000

export interface HealthDeps {
  db: Database
  stopSignal: AbortSignal
  isDatabaseDiskFull: () => boolean
}

/**
 * `/healthz`: the process runs. `/readyz`: it can serve requests, that is, it is not stopping, and the database responds and
 * has space.
 */
export function healthRoutes(app: App, { db, stopSignal, isDatabaseDiskFull }: HealthDeps): void {
  const checkDatabase = shareInFlight(createDatabaseCheck(app, db))
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (request, reply) => {
    if (stopSignal.aborted) return reply.code(503).send({ status: 'the server is stopping' })
    try {
      await withTimeout(checkDatabase(), PING_TIMEOUT_MS)
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ request_id: request.id, err: error }, 'not ready')
      const diskIsFull = isDiskFull(error) || isDatabaseDiskFull()
      return reply.code(503).send({
        status: diskIsFull ? 'the disk of the database is full' : 'the database is unavailable',
      })
    }
  })
}

/**
 * Creates a check that fails when the database does not respond, or has no space. A full disk is visible only to writes, so
 * after a request has failed for that reason, the check writes until that succeeds.
 */
function createDatabaseCheck(app: App, db: Database): () => Promise<void> {
  let wasFull = false
  app.addHook('onError', (_request, _reply, error, done) => {
    if (isDiskFull(error)) wasFull = true
    done()
  })
  return async () => {
    if (wasFull) {
      await writeTemporaryFile(db)
      wasFull = false
    } else {
      await sql`select 1`.execute(db)
    }
  }
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
