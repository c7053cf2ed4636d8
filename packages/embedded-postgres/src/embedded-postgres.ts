import { rm } from 'node:fs/promises'
import { findPackage, prepareBinaries } from './binaries.ts'
import { EmbeddedPostgresError, type EmbeddedLog } from './error.ts'
import { toEmbeddedPostgresError } from './failures.ts'
import { findFreePort } from './find-free-port.ts'
import { prepareDataDirectory, type DataDirectory } from './data-directory.ts'
import { supervisePostgres } from './supervise-postgres.ts'
import { stopOrphanedPostgres } from './orphaned-postgres.ts'
import { acquireOwnerLock } from './owner-lock.ts'
import { openCluster } from './open-cluster.ts'
import { startPostmaster, type Connection } from './postmaster.ts'
import { getPostgresSocketDirectory, getSocketDirectory } from './socket-directory.ts'
import { serviceName } from './superuser.ts'

export { EmbeddedPostgresError, type EmbeddedLog, type Connection }

export interface EmbeddedPostgres {
  /** What `pg` takes. The role is not a superuser; it may create databases. */
  connection: Connection
  /** Where the database really is: `<dataDir>/postgres`, except in the one case of `dataDirIsDefault`. */
  clusterDirectory: string
  /** Stops PostgreSQL, ending the connections there are, and resolves when its process is gone. */
  close(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** Made if need be. */
  dataDir: string
  /** Nobody chose `dataDir`: as root, another one may be taken when PostgreSQL cannot get there. */
  dataDirIsDefault: boolean
  log: EmbeddedLog
  /** Ends the start; once it has started, `close` does. */
  stop?: AbortSignal
  /** Where root puts what an ordinary account must reach, when the data folder or the programs are out of its reach. */
  systemDirectory?: string
  /** The package that PostgreSQL's programs are in. */
  packageDirectory?: string
}

/**
 * Starts the PostgreSQL that Caseward brings along, on a cluster of its own in the data folder, which it creates the first
 * time. Resolves when it takes connections; from then on it is kept running until `close`.
 *
 * @throws EmbeddedPostgresError when it cannot be
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const systemDirectory = options.systemDirectory ?? '/var/lib/caseward'
  const packageDirectory = options.packageDirectory ?? findPackage()
  const home = await prepareDataDirectory({ ...options, systemDirectory })
  try {
    const sockets = await getSocketDirectory(home)
    const lock = await acquireOwnerLock(sockets, home.directory)
    try {
      const running = await startWithLock(home, sockets, { ...options, systemDirectory, packageDirectory })
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
    throw toEmbeddedPostgresError(error, home.directory)
  }
}

/** What only the owner of the folder may do. */
async function startWithLock(
  home: DataDirectory,
  sockets: string,
  options: EmbeddedPostgresOptions & { systemDirectory: string; packageDirectory: string },
): Promise<EmbeddedPostgres> {
  const { log, stop, systemDirectory, packageDirectory } = options
  const copyTo = home.account ? [systemDirectory, home.directory] : [home.directory]
  const binaries = await prepareBinaries({ packageDirectory, account: home.account, copyTo, log })
  const socketsOfPostgres = await getPostgresSocketDirectory(home, sockets)
  await stopOrphanedPostgres(home, socketsOfPostgres, binaries, log)
  const { password } = await openCluster(home, binaries, log)
  const connection = { ...(await address(socketsOfPostgres)), user: serviceName, password, database: serviceName }
  const running = await supervisePostgres(
    (signal) => startPostmaster({ home, binaries, connection, log, signal }),
    log,
    stop,
  )
  return {
    connection,
    clusterDirectory: home.cluster,
    async close() {
      await running.close()
      if (socketsOfPostgres !== home.cluster) await rm(socketsOfPostgres, { recursive: true, force: true })
    },
  }
}

async function address(sockets: string): Promise<{ host: string; port: number }> {
  // On a Unix socket the port is only a part of its name.
  return process.platform === 'win32'
    ? { host: '127.0.0.1', port: await findFreePort() }
    : { host: sockets, port: 5432 }
}
