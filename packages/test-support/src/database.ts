import { randomBytes } from 'node:crypto'

import { NODE_DEFAULTS } from '@caseward/server/features/distribution/distribute-database'
import type pg from 'pg'
import { inject } from 'vitest'

import { type CitusCluster, cloneCitusDatabase, dropCitusDatabase, runOnNodes } from './citus-cluster.ts'
import { query } from './query.ts'
import { fetchPrepared } from './serve-prepared.ts'
import { nameSharedDatabase } from './shared-databases.ts'
import type { TemplateDatabase } from './template-database.ts'

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
export async function cloneDatabase(name = createName()): Promise<TestDatabase> {
  const { connection, cluster } = await getTemplate()
  return cluster === undefined
    ? // Copying the files takes a quarter of the processor time of writing every page to the write-ahead log, the default.
      await createDatabase(`template ${connection.database} strategy file_copy`, name)
    : await cloneDistributedDatabase(connection, cluster, name)
}

/** Creates a database that the files of this process share. It is dropped with the template. */
export async function cloneSharedDatabase(): Promise<Pick<TestDatabase, 'connection'>> {
  return await cloneDatabase(nameSharedDatabase((await getTemplate()).connection))
}

/**
 * Creates the database of a service that runs in a process of its own. The service creates the tables, except on Citus, where
 * they are distributed already.
 */
export async function createServiceDatabase(): Promise<TestDatabase> {
  const { cluster } = await getTemplate()
  return cluster === undefined ? await createDatabase() : await cloneDatabase()
}

/** Creates a database without tables. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase()

/** Creates a database without tables, whose encoding has only the letters of Western Europe. */
export const createLatin1Database = (): Promise<TestDatabase> =>
  createDatabase(`template template0 encoding 'LATIN1' locale 'C'`)

async function createDatabase(options = '', name = createName()): Promise<TestDatabase> {
  const postgres = await getTestPostgres()
  const maintenance = { ...postgres, database: 'postgres' }
  await query(maintenance, `create database ${name} ${options}`)
  return {
    connection: { ...postgres, database: name },
    drop: async () => void (await query(maintenance, `drop database ${name}`)),
  }
}

async function cloneDistributedDatabase(
  template: pg.PoolConfig,
  cluster: CitusCluster,
  name: string,
): Promise<TestDatabase> {
  await cloneCitusDatabase(cluster, name, template.database ?? '')
  // A clone has no settings of its template.
  for (const setting of NODE_DEFAULTS) await setDatabaseDefault({ database: name }, setting)
  return { connection: { ...template, database: name }, drop: () => dropCitusDatabase(cluster, name) }
}

/** Changes a setting of a database for new connections, on every node. */
export async function setDatabaseDefault({ database }: pg.PoolConfig, setting: string): Promise<void> {
  const { connection, cluster } = await getTemplate()
  const statement = `alter database ${database} set ${setting}`
  if (cluster !== undefined) return await runOnNodes(cluster, 'postgres', statement)
  await query({ ...connection, database: 'postgres' }, statement)
}

const createName = () => `caseward_test_${randomBytes(6).toString('hex')}`

let template: Promise<Pick<TemplateDatabase, 'connection' | 'cluster'>> | undefined

/** Returns the template database, which is created with the first call of all test files. */
async function getTemplate(): Promise<Pick<TemplateDatabase, 'connection' | 'cluster'>> {
  template ??= fetchPrepared(inject('templateDatabaseUrl'))
  return await template
}

/** Returns a connection to the PostgreSQL of the tests, which starts with the first call of all test files. */
export const getTestPostgres = async (): Promise<pg.PoolConfig> => (await getTemplate()).connection
