import { sql } from 'kysely'

import type { Deps } from '../deps.ts'
import type { App } from './request.ts'

const hidden = { schema: { hide: true } }

/** `/healthz`: the process lives. `/readyz`: it can serve, that is, the database answers (migrations ran before it listened). */
export function healthRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.get('/healthz', hidden, async () => ({ status: 'ok' }))
  app.get('/readyz', hidden, async (request, reply) => {
    try {
      await sql`select 1`.execute(db)
      return { status: 'ready' }
    } catch (error) {
      request.log.warn({ request_id: request.id, err: error }, 'not ready')
      return reply.code(503).send({ status: 'the database does not answer' })
    }
  })
}
