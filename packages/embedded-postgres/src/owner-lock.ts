import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { DataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError, getErrorCode } from './error.ts'

/*
 * One service per data directory. The lock is a listening Unix socket, not a file with a process id:
 * - The kernel closes the socket when its process ends, even after SIGKILL. No pid has to be checked, which may belong
 *   to another program by then (in a container, every service has pid 1).
 * - The socket is in the directory itself, so a service in another container sees it too. (Two machines on one network
 *   disk do not see each other; neither would PostgreSQL.)
 * - It does not depend on PostgreSQL. An advisory lock is lost when PostgreSQL restarts.
 *
 * Exactly one service must replace a dead owner. Each owner listens in a directory `owner/<number>`, one higher than
 * the one before. It already listens when it renames its directory to that number, and a rename onto a directory with
 * contents fails. So of several services that see the same dead owner, one gets the number and the others find it
 * alive. For the same reason the last directory stays when its owner ends: a number is never used twice.
 */

export interface OwnerLock {
  release(): Promise<void>
}

/**
 * Acquires the lock of a data directory.
 * @param sockets the directory for the socket, see `getSocketDirectory`
 * @throws EmbeddedPostgresError if another process has the lock
 */
export async function acquireOwnerLock(
  sockets: string,
  dataDirectory: Pick<DataDirectory, 'path' | 'service'>,
): Promise<OwnerLock> {
  if (process.platform === 'win32') return await acquireNamedPipe(dataDirectory)
  const { service } = dataDirectory
  const owners = join(sockets, 'owner')
  await mkdir(owners, { recursive: true })
  for (;;) {
    const candidate = join(owners, `new-${randomUUID().slice(0, 8)}`)
    withOpenUmask(() => mkdirSync(candidate, 0o711))
    const server = await listen(join(candidate, 's')).catch((error: unknown) => {
      throw new EmbeddedPostgresError(
        `A Unix socket cannot be created in ${owners} (${getErrorCode(error)}): set ${service.dataDirSetting} to a ` +
          `directory on a local disk, or ${service.alternative}.`,
      )
    })
    try {
      const number = await claimNextNumber(owners, candidate, dataDirectory)
      await removeStaleOwners(owners, number)
      return { release: () => close(server) }
    } catch (error) {
      await close(server)
      await rm(candidate, { recursive: true, force: true })
      // The winner of a race removed our candidate: retry, and find the winner.
      if (getErrorCode(error) !== 'ENOENT') throw error
    }
  }
}

async function claimNextNumber(
  owners: string,
  candidate: string,
  dataDirectory: Pick<DataDirectory, 'path' | 'service'>,
): Promise<number> {
  for (;;) {
    const newest = Math.max(0, ...(await listNumbers(owners)))
    const owner = newest > 0 ? await queryOwner(join(owners, String(newest), 's')) : undefined
    if (owner !== undefined) throw directoryInUseError(dataDirectory, owner)
    try {
      await rename(candidate, join(owners, String(newest + 1)))
      return newest + 1
    } catch (error) {
      if (getErrorCode(error) !== 'ENOTEMPTY' && getErrorCode(error) !== 'EEXIST') throw error
    }
  }
}

async function listNumbers(owners: string): Promise<number[]> {
  return (await readdir(owners)).filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Removes the directories of dead owners. */
async function removeStaleOwners(owners: string, ownNumber: number): Promise<void> {
  for (const name of await readdir(owners)) {
    // Directories of root may not be removable; they do no harm.
    if (name !== String(ownNumber)) await rm(join(owners, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function acquireNamedPipe(dataDirectory: Pick<DataDirectory, 'path' | 'service'>): Promise<OwnerLock> {
  const { path, service } = dataDirectory
  const pipe = `\\\\.\\pipe\\${service.id}-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`
  try {
    const server = await listen(pipe)
    return { release: () => close(server) }
  } catch (error) {
    if (getErrorCode(error) !== 'EADDRINUSE') throw error
    throw directoryInUseError(dataDirectory, (await queryOwner(pipe)) ?? '')
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(`process ${process.pid} on ${hostname()}`)
  })
  return await new Promise((resolve, reject) => {
    server.once('error', reject)
    withOpenUmask(() => server.listen(path, () => resolve(server.unref())))
  })
}

/**
 * Lets an ordinary user, who may start the service next, see the lock of root. The mode is set at creation, not with
 * chmod afterwards: in a directory of another account, the name may have become a link to another file by then.
 */
function withOpenUmask<Result>(create: () => Result): Result {
  if (process.getuid?.() !== 0) return create()
  const previous = process.umask(0)
  try {
    return create()
  } finally {
    process.umask(previous)
  }
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
}

/**
 * Returns the owner that listens at `path`, such as `process 12 on some-host`; '' if it does not respond; undefined if
 * there is none. A connection is proof enough, because the kernel accepts it even while the owner's event loop is
 * blocked.
 */
async function queryOwner(path: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    let owner = ''
    const socket = createConnection(path)
    socket.setEncoding('utf8').setTimeout(1000)
    socket.on('data', (text: string) => (owner += text))
    socket.once('timeout', () => socket.destroy())
    socket.once('close', () => resolve(owner))
    socket.once('error', (error) => {
      if (getErrorCode(error) === 'ECONNREFUSED' || getErrorCode(error) === 'ENOENT') resolve(undefined)
    })
  })
}

function directoryInUseError(
  { path, service }: Pick<DataDirectory, 'path' | 'service'>,
  owner: string,
): EmbeddedPostgresError {
  const processName = owner.replace(` on ${hostname()}`, '')
  return new EmbeddedPostgresError(
    `The data directory ${path} is already in use by another ${service.name}${processName && ` (${processName})`}: stop it ` +
      `first, or set ${service.dataDirSetting} to another directory.`,
  )
}
