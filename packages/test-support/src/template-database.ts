import { randomBytes } from 'node:crypto'
import { appendFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { distributeDatabase } from '@caseward/server/features/distribution/distribute-database'
import { startEmbeddedDatabase } from '@caseward/server/platform/database/embedded'
import { connect } from '@caseward/server/platform/database/connect'
import { migrate } from '@caseward/server/platform/database/migrate'
import { migrateJobQueue } from '@caseward/server/platform/jobs/worker'
import { sql } from 'kysely'
import type pg from 'pg'

import {
  type CitusCluster,
  closeCitusDatabase,
  createCitusDatabase,
  dropCitusDatabase,
  findCitusCluster,
} from './citus-cluster.ts'
import { parseDatabaseUrl } from './parse-database-url.ts'
import { query } from './query.ts'
import { listSharedDatabases } from './shared-databases.ts'
import { createUnmanagedDirectory } from './unmanaged-directory.ts'

/** Dropping a database searches the whole cache for its pages, so that a large one makes each test file slower. */
const SHARED_BUFFERS_MB = 128

const quietLog = { info() {}, warn: console.warn, error: console.error, debug() {} }

/** A migrated database that each test file clones. */
export interface TemplateDatabase {
  connection: pg.PoolConfig
  /** The cluster on which the database is distributed; missing without Citus. */
  cluster?: CitusCluster
  close(): Promise<void>
}

/**
 * Creates the template on an embedded PostgreSQL, on the server at `DATABASE_URL`, or on the Citus cluster at
 * `TEST_CITUS_URL`, which `npm run test:citus` sets.
 */
export async function createTemplateDatabase(): Promise<TemplateDatabase> {
  const citusUrl = process.env['TEST_CITUS_URL']
  if (citusUrl) return await createDistributedTemplate(await findCitusCluster(citusUrl))
  const postgres = await openPostgres()
  const name = `caseward_test_template_${randomBytes(4).toString('hex')}`
  await query(postgres.connection, `create database ${name}`)
  const connection = { ...postgres.connection, database: name }
  const { db, close: disconnect } = connect(connection, { poolSize: 2, onError: console.error })
  await migrate(db)
  await disconnect()
  await migrateJobQueue(connection)
  return {
    connection,
    async close() {
      await postgres.close(name)
    },
  }
}

async function createDistributedTemplate(cluster: CitusCluster): Promise<TemplateDatabase> {
  const name = `caseward_test_template_${randomBytes(4).toString('hex')}`
  await createCitusDatabase(cluster, name)
  const connection = { ...cluster.coordinator, database: name }
  const { db, close: disconnect } = connect(connection, { poolSize: 2, onError: console.error })
  await migrate(db)
  await disconnect()
  await migrateJobQueue(connection)
  // Distributing ends all other connections.
  const single = connect(connection, { poolSize: 1, onError: console.error })
  await distributeDatabase(single.db)
  // Tests expect that nothing has happened yet.
  await sql`delete from audit_log`.execute(single.db)
  await single.close()
  await closeCitusDatabase(cluster, name)
  return {
    connection,
    cluster,
    async close() {
      const shared = await listSharedDatabases({ ...connection, database: 'postgres' }, name)
      for (const database of [...shared, name]) await dropCitusDatabase(cluster, database)
    },
  }
}

/** Opens the PostgreSQL of the tests. Closing it removes the template and the databases that are named after it. */
async function openPostgres(): Promise<{ connection: pg.PoolConfig; close(template: string): Promise<void> }> {
  const url = process.env['DATABASE_URL']
  if (url) {
    const connection = parseDatabaseUrl(url)
    return {
      connection,
      async close(template) {
        const shared = await listSharedDatabases(connection, template)
        for (const database of [...shared, template]) await query(connection, `drop database ${database} (force)`)
      },
    }
  }
  const directory = await createUnmanagedDirectory()
  const postgres = await startEmbeddedDatabase({
    dataDir: directory,
    dataDirIsDefault: false,
    log: quietLog,
    sharedBuffersMb: SHARED_BUFFERS_MB,
  })
  await stopSyncing(postgres.clusterDirectory)
  return {
    connection: { ...postgres.connection },
    async close() {
      await postgres.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Tests that kill a database start their own; all others only wait for the disk: with each clone, PostgreSQL would sync a thousand files.
 * The role of the service may not change these settings, as an operator may: in the file.
 */
async function stopSyncing(clusterDirectory: string): Promise<void> {
  await appendFile(join(clusterDirectory, 'postgresql.conf'), 'fsync = off\nfull_page_writes = off\n')
  const [pid] = (await readFile(join(clusterDirectory, 'postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGHUP')
}
