import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { prepareDataDirectory, type DataDirectory } from './data-directory.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.ts'
import { EmbeddedPostgresError, getErrorCode, getErrorMessage } from './error.ts'
import type { Connection } from './postmaster.ts'
import { getPasswordFile } from './superuser.ts'

/**
 * Opens a database that exists, for a command beside the service: connects to the PostgreSQL of a service that is
 * running, and otherwise starts it until `close`. Never creates a database.
 * @throws EmbeddedPostgresError if there is no database, or if it cannot be opened for a reason that the operator can fix
 */
export async function openExistingPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, service } = options
  if (!(await exists(dataDir))) throw noDatabaseError(dataDir, options)
  const dataDirectory = await prepareDataDirectory(options)
  const { cluster } = dataDirectory
  if (!(await exists(join(cluster, 'PG_VERSION')))) throw noDatabaseError(cluster, options)
  const connection = await findRunningPostgres(dataDirectory).catch((error: unknown) => {
    if (getErrorCode(error) !== 'EACCES') throw error
    throw new EmbeddedPostgresError(
      `The database in ${cluster} cannot be read: run the command as the user that runs ${service.name}, or as root.`,
    )
  })
  if (connection === null) return await startEmbeddedPostgres(options)
  // The service that runs PostgreSQL watches the disk.
  return { connection, clusterDirectory: cluster, isDiskFull: () => false, close: async () => {} }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: unknown) => getErrorCode(error) !== 'ENOENT' && getErrorCode(error) !== 'ENOTDIR',
  )
}

const noDatabaseError = (path: string, { service }: EmbeddedPostgresOptions) =>
  new EmbeddedPostgresError(
    `There is no database in ${path}: start ${service.name} first, or set ${service.dataDirSetting} to the directory that it uses.`,
  )

const STARTUP_TIMEOUT_MS = 10_000
/** cannot_connect_now (https://www.postgresql.org/docs/current/errcodes-appendix.html) */
const STARTING_OR_STOPPING = '57P03'

/** Returns the connection to a running PostgreSQL, waiting while it starts; null when none runs. */
async function findRunningPostgres({ cluster, service }: DataDirectory): Promise<Connection | null> {
  // https://www.postgresql.org/docs/current/storage-file-layout.html: the fourth line is the port, the fifth the directory
  // of the Unix socket, empty on Windows.
  const pidFile = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return ''
    throw error
  })
  const [, , , port = '', socketDirectory = ''] = pidFile.split('\n')
  if (port === '') return null
  const password = await readFile(getPasswordFile(cluster, service), 'utf8')
  const host = socketDirectory === '' ? '127.0.0.1' : socketDirectory
  const connection = { host, port: Number(port), user: service.id, password, database: service.id }
  for (const deadline = Date.now() + STARTUP_TIMEOUT_MS; ; await sleep(50)) {
    const error = await tryToConnect(connection)
    if (error === null) return connection
    const code = getErrorCode(error)
    // The file of a PostgreSQL that was killed names a socket that nobody listens on.
    if (code === 'ECONNREFUSED' || code === 'ENOENT') return null
    if (code === 'EACCES') throw error
    if (code !== STARTING_OR_STOPPING || Date.now() > deadline) {
      throw new EmbeddedPostgresError(
        `PostgreSQL runs in ${cluster} but refuses the connection (${getErrorMessage(error)}): try again.`,
      )
    }
  }
}

/** Returns null, or the error. */
async function tryToConnect(connection: Connection): Promise<unknown> {
  const client = new Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return null
  } catch (error) {
    return error
  }
}
