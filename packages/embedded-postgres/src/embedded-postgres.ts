import { rm } from 'node:fs/promises'
import { prepareBinaries } from './binaries.ts'
import { prepareDataDirectory, type DataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError, type EmbeddedLog } from './error.ts'
import { findFreePort } from './find-free-port.ts'
import { findPackage } from './find-package.ts'
import { openCluster } from './open-cluster.ts'
import { stopOrphanedPostgres } from './orphaned-postgres.ts'
import { acquireOwnerLock } from './owner-lock.ts'
import { toEmbeddedPostgresError } from './postgres-errors.ts'
import { startPostmaster, type Connection } from './postmaster.ts'
import { assertServiceId, type ServiceDescription } from './service.ts'
import { getPostgresSocketDirectory, getSocketDirectory } from './socket-directory.ts'
import { supervisePostgres } from './supervise-postgres.ts'

export { EmbeddedPostgresError, type Connection, type EmbeddedLog, type ServiceDescription }

export interface EmbeddedPostgres {
  /** For `pg`. The role is not a superuser; it can create databases. */
  connection: Connection
  /** Where the database is: `<dataDir>/postgres`, unless `dataDirIsDefault` had an effect. */
  clusterDirectory: string
  /** Whether PostgreSQL is down, and the last restart failed because the disk is full. */
  isDiskFull(): boolean
  /** Closes all connections, stops PostgreSQL and resolves when its process has ended. */
  close(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Created if it is missing. */
  dataDir: string
  /** Whether `dataDir` is only a default: as root, another one is used if PostgreSQL's account cannot reach it. */
  dataDirIsDefault: boolean
  /** Where root puts what an ordinary account must reach, if it cannot reach `dataDir` or the programs. */
  systemDirectory: string
  service: ServiceDescription
  log: EmbeddedLog
  /** The size of PostgreSQL's cache in megabytes; by default, an eighth of the memory. */
  sharedBuffersMb?: number | null
  /** Cancels the start; after the start, use `close`. */
  stop?: AbortSignal
  /** The npm package with PostgreSQL's programs; found by itself if it is missing. */
  packageDirectory?: string
}

/**
 * Starts PostgreSQL on its own cluster in `dataDir`, which the first start creates. Resolves when PostgreSQL accepts
 * connections. If it dies later, it is restarted until `close` is called.
 * @throws EmbeddedPostgresError if it cannot be started for a reason that the operator can fix
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  assertServiceId(options.service)
  const packageDirectory = options.packageDirectory ?? findPackage(options.service)
  const dataDirectory = await prepareDataDirectory(options)
  try {
    const sockets = await getSocketDirectory(dataDirectory)
    const lock = await acquireOwnerLock(sockets, dataDirectory)
    try {
      const running = await startWithLock(dataDirectory, sockets, { ...options, packageDirectory })
      const close = async () => {
        await running.close()
        await lock.release()
      }
      return { ...running, close }
    } catch (error) {
      await lock.release()
      throw error
    }
  } catch (error) {
    throw toEmbeddedPostgresError(error, dataDirectory)
  }
}

/** Does what only the owner of the data directory may do. */
async function startWithLock(
  dataDirectory: DataDirectory,
  sockets: string,
  {
    log,
    stop,
    service,
    systemDirectory,
    packageDirectory,
    sharedBuffersMb = null,
  }: EmbeddedPostgresOptions & { packageDirectory: string },
): Promise<EmbeddedPostgres> {
  const { account, cluster, path } = dataDirectory
  const copyTo = account ? [systemDirectory, path] : [path]
  const binaries = await prepareBinaries({ packageDirectory, account, copyTo, service, log })
  const postgresSockets = await getPostgresSocketDirectory(dataDirectory, sockets)
  await stopOrphanedPostgres(dataDirectory, postgresSockets, binaries, log)
  const { password } = await openCluster(dataDirectory, binaries, log)
  const address = await chooseAddress(postgresSockets)
  const connection = { ...address, user: service.id, password, database: service.id }
  const running = await supervisePostgres(
    (signal) => startPostmaster({ dataDirectory, binaries, connection, log, signal, sharedBuffersMb }),
    log,
    stop,
  )
  return {
    connection,
    clusterDirectory: cluster,
    isDiskFull: running.isDiskFull,
    async close() {
      await running.close()
      if (postgresSockets !== cluster) await rm(postgresSockets, { recursive: true, force: true })
    },
  }
}

/** On a Unix socket, the port is only a part of the socket's name. */
async function chooseAddress(sockets: string): Promise<{ host: string; port: number }> {
  return process.platform === 'win32'
    ? { host: '127.0.0.1', port: await findFreePort() }
    : { host: sockets, port: 5432 }
}
