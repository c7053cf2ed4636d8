import { rm } from 'node:fs/promises'
import { findPackage, prepareBinaries } from './binaries.ts'
import { EmbeddedPostgresError, type EmbeddedLog } from './error.ts'
import { explain } from './failures.ts'
import { freePort } from './find-free-port.ts'
import { openHome, type Home } from './data-directory.ts'
import { keepRunning } from './supervise-postgres.ts'
import { stopLeftover } from './orphaned-postgres.ts'
import { takeOwnerLock } from './owner-lock.ts'
import { openCluster } from './open-cluster.ts'
import { startPostmaster, type Connection } from './postmaster.ts'
import { postgresSocketFolder, socketFolder } from './socket-directory.ts'
import { serviceName } from './superuser.ts'

export { EmbeddedPostgresError, type EmbeddedLog, type Connection }

export interface EmbeddedPostgres {
  /** What `pg` takes. The role is not a superuser; it may create databases. */
  connection: Connection
  /** Where the database really is: `<dataDir>/postgres`, except in the one case of `dataDirIsDefault`. */
  clusterFolder: string
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
  systemFolder?: string
  /** The package that PostgreSQL's programs are in. */
  packageFolder?: string
}

/**
 * Starts the PostgreSQL that Caseward brings along, on a cluster of its own in the data folder, which it creates the first
 * time. Resolves when it takes connections; from then on it is kept running until `close`.
 *
 * @throws EmbeddedPostgresError when it cannot be
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const systemFolder = options.systemFolder ?? '/var/lib/caseward'
  const packageFolder = options.packageFolder ?? findPackage()
  const home = await openHome({ ...options, systemFolder })
  try {
    const sockets = await socketFolder(home)
    const lock = await takeOwnerLock(sockets, home.folder)
    try {
      const running = await startOwned(home, sockets, { ...options, systemFolder, packageFolder })
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
    throw explain(error, home.folder)
  }
}

/** What only the owner of the folder may do. */
async function startOwned(
  home: Home,
  sockets: string,
  options: EmbeddedPostgresOptions & { systemFolder: string; packageFolder: string },
): Promise<EmbeddedPostgres> {
  const { log, stop, systemFolder, packageFolder } = options
  const copyTo = home.account ? [systemFolder, home.folder] : [home.folder]
  const binaries = await prepareBinaries({ packageFolder, account: home.account, copyTo, log })
  const socketsOfPostgres = await postgresSocketFolder(home, sockets)
  await stopLeftover(home, socketsOfPostgres, binaries, log)
  const { password } = await openCluster(home, binaries, log)
  const connection = { ...(await address(socketsOfPostgres)), user: serviceName, password, database: serviceName }
  const running = await keepRunning((signal) => startPostmaster({ home, binaries, connection, log, signal }), log, stop)
  return {
    connection,
    clusterFolder: home.cluster,
    async close() {
      await running.close()
      if (socketsOfPostgres !== home.cluster) await rm(socketsOfPostgres, { recursive: true, force: true })
    },
  }
}

async function address(sockets: string): Promise<{ host: string; port: number }> {
  // On a Unix socket the port is only a part of its name.
  return process.platform === 'win32' ? { host: '127.0.0.1', port: await freePort() } : { host: sockets, port: 5432 }
}
