import { setTimeout as sleep } from 'node:timers/promises'

import { sql } from 'kysely'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

import { cloneDatabase } from '@caseward/test-support/database'
import { migrateJobQueue } from '../jobs/worker.ts'
import { connect, type Database } from './connect.ts'
import { migrate } from './migrate.ts'
import { SCHEMA_LOCK } from './schema-lock.ts'

const migrations: Record<string, (db: Database, connection: pg.PoolConfig) => Promise<unknown>> = {
  migrate: (db) => migrate(db),
  migrateJobQueue: (_, connection) => migrateJobQueue(connection),
}

describe('schema lock', () => {
  it.each(Object.entries(migrations))('makes %s wait while another server holds it', async (_name, runMigration) => {
    const { connection, drop } = await cloneDatabase()
    const { db, close } = connect(connection, { poolSize: 3, onError: () => {} })
    onTestFinished(async () => {
      await close()
      await drop()
    })
    let isDone = false
    let done: Promise<unknown> | undefined
    await db.connection().execute(async (otherServer) => {
      await sql`select pg_advisory_lock(${SCHEMA_LOCK}::bigint)`.execute(otherServer)
      done = runMigration(db, connection).then(() => (isDone = true))
      // It tries again and again, and has no statement that waits: creating an index concurrently would wait for that.
      const waiting = sql`
        select from pg_stat_activity
        where datname = current_database() and query like 'select pg_try_advisory_lock%' and state = 'idle'`
      await expect.poll(async () => (await waiting.execute(otherServer)).rows).toHaveLength(1)
      await sleep(300)
      expect(isDone).toBe(false)
      await sql`select pg_advisory_unlock(${SCHEMA_LOCK}::bigint)`.execute(otherServer)
    })
    await done
    expect(isDone).toBe(true)
  })
})
