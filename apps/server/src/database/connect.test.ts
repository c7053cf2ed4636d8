import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { startTestServer } from '../../test/server.ts'
import { connect } from './connect.ts'
it('goes on when PostgreSQL ends a connection between two statements of a transaction', async () => {
  const server = await startTestServer()
  const outside = connect({ ...inject('postgres'), database: 'postgres' }, { poolSize: 1, onError: () => {} })
  const told = await server.db
    .transaction()
    .execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(outside.db)
      await new Promise((r) => setTimeout(r, 300))
      await sql`select 1`.execute(tx)
    })
    .catch((e: Error) => e.message)
  expect(told).toMatch(/terminat|not queryable/)
  expect((await server.request('GET', '/readyz')).status).toBe(200)
  await outside.close()
  await server.close()
})
