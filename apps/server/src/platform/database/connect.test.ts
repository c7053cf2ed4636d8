import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { cloneDatabase, getTestPostgres } from '@caseward/test-support/database'
import { startTestServer } from '@caseward/test-support/test-server'
import { connect } from './connect.ts'

it('connect survives that PostgreSQL closes a connection between two statements of a transaction', async () => {
  const server = await startTestServer()
  const outside = connect({ ...(await getTestPostgres()), database: 'postgres' }, { poolSize: 1, onError: () => {} })
  const message = await server.db
    .transaction()
    .execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]?.pid}::int)`.execute(outside.db)
      await new Promise((resolve) => setTimeout(resolve, 300))
      await sql`select 1`.execute(tx)
    })
    .catch((error: Error) => error.message)
  expect(message).toMatch(/terminat|not queryable/)
  expect((await server.request('GET', '/readyz')).status).toBe(200)
  await outside.close()
  await server.close()
})

it('close() resolves after every connection is closed', async () => {
  const { connection, drop } = await cloneDatabase()
  const outside = connect({ ...connection, database: 'postgres' }, { poolSize: 1, onError: () => {} })
  onTestFinished(async () => {
    await outside.close()
    await drop()
  })
  const { db, close } = connect(connection, { poolSize: 20, onError: () => {} })
  const count = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = ${connection.database} and application_name = 'caseward'`.execute(
      outside.db,
    )
    return rows.length
  }
  await Promise.all(Array.from({ length: 20 }, () => sql`select pg_sleep(0.1)`.execute(db)))
  expect(await count()).toBe(20)
  await close()
  expect(await count()).toBe(0)
})
