import { sql } from 'kysely'

import type { Database } from '../database/connect.ts'
import type { App } from './app.ts'

const hidden = { schema: { hide: true } }

/** A database that is well takes milliseconds, and a balancer does not wait much longer. */
const ANSWER_MS = 2000

/** `/healthz`: the process lives. `/readyz`: it can serve, that is, the database answers (migrations ran before it listened). */
export function healthRoutes(app: App, db: Database): void {
  const pingDatabase = shareInFlight(() => sql`select 1`.execute(db))
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (request, reply) => {
    try {
      await withTimeout(ANSWER_MS, pingDatabase())
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ request_id: request.id, err: error }, 'not ready')
      return reply.code(503).send({ status: 'the database does not answer' })
    }
  })
}

/** Whoever asks while a probe is under way waits for that one: a database that hangs takes one connection, not all. */
function shareInFlight(probe: () => Promise<unknown>): () => Promise<unknown> {
  let underWay: Promise<unknown> | null = null
  return () => {
    underWay ??= probe().finally(() => {
      underWay = null
    })
    return underWay
  }
}

/** @throws when it takes longer */
async function withTimeout(ms: number, answer: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms)
  })
  await Promise.race([answer, tooLate]).finally(() => clearTimeout(timer))
}
