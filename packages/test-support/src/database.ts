import { randomBytes } from 'node:crypto'

import type pg from 'pg'
import { inject } from 'vitest'

import { query } from './query.ts'

/** A database that one test file has for itself. */
export interface TestDatabase {
  connection: pg.PoolConfig
  /**
   * Drops the database. It waits for connections that are just ending instead of closing them, because only a superuser
   * may end autovacuum.
   */
  drop(): Promise<void>
}

/** Creates a database with the schema of Caseward. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const { database } = await getTestPostgres()
  return await createDatabase(`template ${database}`)
}

/** Creates a database without tables. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase()

/** Creates a database without tables, whose encoding has only the letters of Western Europe. */
export const createLatin1Database = (): Promise<TestDatabase> =>
  createDatabase(`template template0 encoding 'LATIN1' locale 'C'`)

async function createDatabase(options = ''): Promise<TestDatabase> {
  const postgres = await getTestPostgres()
  const maintenance = { ...postgres, database: 'postgres' }
  const name = `caseward_test_${randomBytes(6).toString('hex')}`
  await query(maintenance, `create database ${name} ${options}`)
  return {
    connection: { ...postgres, database: name },
    drop: async () => void (await query(maintenance, `drop database ${name}`)),
  }
}

let postgres: Promise<pg.PoolConfig> | undefined

/** Returns a connection to the PostgreSQL of the tests, which starts with the first call of all test files. */
export async function getTestPostgres(): Promise<pg.PoolConfig> {
  postgres ??= fetch(inject('templateDatabaseUrl')).then(async (response) => {
    if (!response.ok) throw new Error(`PostgreSQL did not start: ${await response.text()}`)
    return (await response.json()) as pg.PoolConfig
  })
  return await postgres
}
