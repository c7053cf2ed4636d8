import { ensureDemo } from '@caseward/server/features/demo/ensure-demo'
import { createOwnFileStore } from '@caseward/server/platform/files/open-file-store'
import { sql } from 'kysely'
import pg from 'pg'
import { onTestFinished } from 'vitest'

import { cloneDatabase, createEmptyDatabase } from './database.ts'
import { startTestServer } from './test-server.ts'
import { makeUploadScenario } from './upload-scenario.ts'

/** Opens a connection that is closed when the current test ends. */
export async function openClient(connection: pg.PoolConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Creates an empty database that is dropped when the current test ends. */
export async function createTarget(): Promise<pg.PoolConfig> {
  const { connection, drop } = await createEmptyDatabase()
  onTestFinished(drop)
  return connection
}

/** A backup of the database alone has no files: the demo is created without them. */
const unusableStore = {
  filesStore: 'directory' as const,
  filesDir: '/dev/null/files',
  filesMinFreeMb: 0,
  s3BucketUrl: null,
  s3Region: '',
  s3AccessKeyId: null,
  s3SecretAccessKey: null,
  s3Prefix: '',
}
const log = { warn: () => {} } as unknown as Parameters<typeof ensureDemo>[1]['log']
const deps = { fileLimitBytes: 1_048_576, allowsShares: true, log }

/** Starts a server with the demo and with texts that are hard to copy; it is closed when the current test ends. */
export async function startServerWithData() {
  const database = await cloneDatabase()
  const server = await startTestServer({}, database)
  onTestFinished(async () => {
    await server.close()
    await database.drop()
  })
  await ensureDemo(server.db, { ...deps, fileStore: createOwnFileStore(server.db, unusableStore) })
  const scenario = await makeUploadScenario(server, 50)
  await sql`update users set name = E'\\\\.\\n\\\\.\\t\\\\N \\u00fc\\U0001f600\\r'`.execute(server.db)
  await sql`select graphile_worker.add_job('unknown', '{"text": "a\\\\nb"}')`.execute(server.db)
  return { connection: database.connection, server, scenario }
}
