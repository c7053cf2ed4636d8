import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'

import pg from 'pg'
import type { TestProject } from 'vitest/node'

import { connect } from '@caseward/server/platform/database/connect'
import { startEmbeddedPostgres } from '@caseward/embedded-postgres'
import { migrate } from '@caseward/server/platform/database/migrate'
import { migrateJobQueue } from '@caseward/server/platform/jobs/worker'
import { makeDirectory } from './temporary-directory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: pg.PoolConfig
  }
}

export const TEMPLATE = 'caseward_test_template'
const quiet = { info() {}, warn: console.warn, error: console.error, debug() {} }

/**
 * One PostgreSQL for all test files, with a migrated database that each of them clones: the embedded one, or the server
 * at `DATABASE_URL`.
 * @public called by Vitest (`globalSetup`)
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { connection, close } = await findPostgres()
  const template = `${TEMPLATE}_${randomBytes(4).toString('hex')}`
  await administer(connection, `create database ${template}`)
  const { db, close: disconnect } = connect(inDatabase(connection, template), { poolSize: 2, onError: console.error })
  await migrate(db)
  await disconnect()
  await migrateJobQueue(inDatabase(connection, template))
  project.provide('postgres', inDatabase(connection, template))
  return async () => {
    await administer(connection, `drop database ${template}`)
    await close()
  }
}

async function findPostgres(): Promise<{ connection: pg.PoolConfig; close(): Promise<void> }> {
  const url = process.env['DATABASE_URL']
  if (url) {
    const { username, password, hostname, port, pathname, searchParams } = new URL(url)
    return {
      connection: {
        host: searchParams.get('host') ?? hostname,
        port: Number(port || 5432),
        user: decodeURIComponent(username),
        password: decodeURIComponent(password),
        database: pathname.slice(1),
      },
      close: async () => {},
    }
  }
  const folder = await makeDirectory()
  const postgres = await startEmbeddedPostgres({ dataDir: folder, dataDirIsDefault: false, log: quiet })
  // Tests that kill a database start one of their own; these only wait for the disk.
  await administer(postgres.connection, `alter role current_user set synchronous_commit = off`)
  return {
    connection: { ...postgres.connection },
    close: async () => {
      await postgres.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const inDatabase = (connection: pg.PoolConfig, database: string): pg.PoolConfig => ({ ...connection, database })

async function administer(connection: pg.PoolConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(statement)
  await client.end()
}

export interface TestDatabase {
  connection: pg.PoolConfig
  /**
   * Waits for the connections that are just ending; by force it would fail whenever autovacuum, which only a superuser
   * may end, is at work in it.
   */
  drop(): Promise<void>
}

/** A database of its own, cloned from the template. */
export const cloneDatabase = (template: pg.PoolConfig): Promise<TestDatabase> =>
  createDatabase(template, ` template ${template.database}`)

/** One without any table, where the template is. */
export const createEmptyDatabase = (template: pg.PoolConfig): Promise<TestDatabase> => createDatabase(template)

/** One that has no letters but those of Western Europe. */
export const createLatin1Database = (template: pg.PoolConfig): Promise<TestDatabase> =>
  createDatabase(template, ` template template0 encoding 'LATIN1' locale 'C'`)

async function createDatabase(template: pg.PoolConfig, like = ''): Promise<TestDatabase> {
  const name = `caseward_test_${randomBytes(6).toString('hex')}`
  const maintenance = inDatabase(template, 'postgres')
  await administer(maintenance, `create database ${name}${like}`)
  return {
    connection: inDatabase(template, name),
    drop: () => administer(maintenance, `drop database ${name}`),
  }
}
