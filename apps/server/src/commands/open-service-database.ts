import type pg from 'pg'

import type { Config } from '../config.ts'
import { requireSupportedDatabase } from '../platform/database/check-server-version.ts'
import { connect, type DatabaseConnection } from '../platform/database/connect.ts'
import { toConnection } from '../platform/database/database-url.ts'
import { openExistingDatabase, startEmbeddedDatabase } from '../platform/database/embedded.ts'
import { hasExecutedMigrations, hasPendingMigrations } from '../platform/database/migrate.ts'
import { StartError } from '../platform/start-error.ts'
import { toDatabaseStartError } from '../start-errors.ts'

/**
 * Connects to the database of the service: at `DATABASE_URL`, to the embedded PostgreSQL of a service that is running, or
 * to one that is started for the time of the command.
 * @param options.canBeOlder accepts the database of an earlier version, too
 * @throws {StartError | EmbeddedPostgresError} when there is no database, or none of this version of Caseward
 */
export async function openServiceDatabase(
  config: Config,
  { canBeOlder = false }: { canBeOlder?: boolean } = {},
): Promise<DatabaseConnection> {
  const database = await openDatabase(config)
  const { db, close: closeConnections } = connect(database.connection, { poolSize: 1, onError: () => {} })
  const close = async () => {
    await closeConnections()
    await database.close()
  }
  try {
    const isUsable = canBeOlder ? await hasExecutedMigrations(db) : !(await hasPendingMigrations(db))
    if (!isUsable) throw notMigratedError()
    return { db, close }
  } catch (error) {
    await close()
    throw error
  }
}

const ignore = () => {}
const quietLog = { debug: ignore, info: ignore, warn: ignore, error: ignore }

interface OpenConnection {
  connection: pg.PoolConfig
  close(): Promise<void>
}

/**
 * Connects to the database at `DATABASE_URL`, or starts the embedded one for the time of the command, which creates it when
 * it is missing.
 * @throws {StartError | EmbeddedPostgresError} when there is no database, or a service uses the embedded one
 */
export const openDatabaseToRestore = ({
  databaseUrl,
  databasePassword,
  dataDir,
  dataDirIsDefault,
  postgresSharedBuffersMb: sharedBuffersMb,
}: Config): Promise<OpenConnection> =>
  databaseUrl === null
    ? startEmbeddedDatabase({ dataDir, dataDirIsDefault, sharedBuffersMb, log: quietLog })
    : openDatabaseUrl(databaseUrl, databasePassword)

const openDatabase = ({
  databaseUrl,
  databasePassword,
  dataDir,
  dataDirIsDefault,
  postgresSharedBuffersMb: sharedBuffersMb,
}: Config): Promise<OpenConnection> =>
  databaseUrl === null
    ? openExistingDatabase({ dataDir, dataDirIsDefault, sharedBuffersMb, log: quietLog })
    : openDatabaseUrl(databaseUrl, databasePassword)

async function openDatabaseUrl(databaseUrl: string, password: string | null): Promise<OpenConnection> {
  const connection = toConnection(databaseUrl, password)
  await requireSupportedDatabase(connection).catch((error: unknown) => {
    throw toDatabaseStartError(error)
  })
  return { connection, close: async () => {} }
}

const notMigratedError = () =>
  new StartError(
    'the database is empty, or an earlier version of Caseward has written it. Start the service once, then repeat the command.',
  )
