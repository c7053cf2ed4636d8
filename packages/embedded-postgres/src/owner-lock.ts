import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { createConnection, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { getErrorCode, EmbeddedPostgresError } from './error.ts'

/*
 * One Caseward to a folder, held by a listening socket rather than by a number in a file:
 * - The kernel closes a socket when its process ends, however it ends. A SIGKILL leaves nothing that has to be judged, and
 *   no process number that may belong to someone else by now (in a container everybody is process 1).
 * - Its address is in the folder itself, so it is seen by whoever sees the folder, in another container too, whose
 *   processes we could not look up. (Two machines on one network disk do not see each other. Nor would PostgreSQL.)
 * - It doesn't hang on PostgreSQL, as an advisory lock would: that is lost whenever PostgreSQL restarts, and then a second
 *   Caseward could slip in.
 *
 * What is left is to take the place of a dead owner exactly once. Each owner listens in a folder `owner/<number>`, one
 * higher than the one before. It is listening already when that folder gets its name, and a folder cannot be renamed to one
 * that has something in it: of those who see the same dead owner, one gets the next number, and the others then find it
 * alive. For the same reason the last folder stays when its owner goes: numbers are never given twice.
 */

export interface OwnerLock {
  release(): Promise<void>
}

/**
 * @param directory where the sockets may be, see `socketFolder`
 * @param home the data folder, for the message
 * @throws EmbeddedPostgresError when another process has it
 */
export async function acquireOwnerLock(directory: string, home: string): Promise<OwnerLock> {
  if (process.platform === 'win32') return acquireNamedPipe(home)
  const owners = join(directory, 'owner')
  await mkdir(owners, { recursive: true })
  for (;;) {
    const candidate = join(owners, `new-${randomUUID().slice(0, 8)}`)
    withOpenUmask(() => mkdirSync(candidate, 0o711))
    const server = await listen(join(candidate, 's')).catch((error: unknown) => {
      throw new EmbeddedPostgresError(
        `No Unix socket can be made in ${owners} (${getErrorCode(error)}): set DATA_DIR to a folder on a local disk, or DATABASE_URL ` +
          'to a PostgreSQL server.',
      )
    })
    try {
      const number = await claim(owners, candidate, home)
      await removeStaleOwners(owners, number)
      return { release: () => close(server) }
    } catch (error) {
      await close(server)
      await rm(candidate, { recursive: true, force: true })
      // The winner of a race has swept our candidate away: look again, it is there now.
      if (getErrorCode(error) !== 'ENOENT') throw error
    }
  }
}

async function claim(owners: string, candidate: string, home: string): Promise<number> {
  for (;;) {
    const newest = Math.max(0, ...(await numbers(owners)))
    const owner = newest > 0 ? await queryOwner(join(owners, String(newest), 's')) : undefined
    if (owner !== undefined) throw directoryInUseError(home, owner)
    try {
      await rename(candidate, join(owners, String(newest + 1)))
      return newest + 1
    } catch (error) {
      if (getErrorCode(error) !== 'ENOTEMPTY' && getErrorCode(error) !== 'EEXIST') throw error
    }
  }
}

async function numbers(owners: string): Promise<number[]> {
  return (await readdir(owners)).filter((name) => /^\d+$/.test(name)).map(Number)
}

/** Removes what dead owners left. */
async function removeStaleOwners(owners: string, mine: number): Promise<void> {
  for (const name of await readdir(owners)) {
    // Those that root left we may not be able to remove, nor do they harm.
    if (name !== String(mine)) await rm(join(owners, name), { recursive: true, force: true }).catch(() => {})
  }
}

async function acquireNamedPipe(home: string): Promise<OwnerLock> {
  const pipe = `\\\\.\\pipe\\caseward-${createHash('sha256').update(home).digest('hex').slice(0, 32)}`
  try {
    const server = await listen(pipe)
    return { release: () => close(server) }
  } catch (error) {
    if (getErrorCode(error) !== 'EADDRINUSE') throw error
    throw directoryInUseError(home, (await queryOwner(pipe)) ?? '')
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.end(`process ${process.pid} on ${hostname()}`)
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    withOpenUmask(() => server.listen(path, () => resolve(server.unref())))
  })
}

/**
 * Root's lock has to be seen by the ordinary user whose folder it is, who may start Caseward next. Made with these rights
 * rather than given them afterwards: in someone else's folder, a name may have become a link to another file by then.
 */
function withOpenUmask<Result>(make: () => Result): Result {
  if (process.getuid?.() !== 0) return make()
  const before = process.umask(0)
  try {
    return make()
  } finally {
    process.umask(before)
  }
}

async function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

/**
 * Who listens there: `process 12 on some-host`, the empty string when it is alive but doesn't say, undefined when nobody
 * does. That a connection is made is proof enough: the kernel makes it even while the owner's event loop is held up.
 */
async function queryOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = createConnection(path)
    socket.setEncoding('utf8').setTimeout(1000)
    socket.on('data', (text: string) => (answer += text))
    socket.once('timeout', () => socket.destroy())
    socket.once('close', () => resolve(answer))
    socket.once('error', (error) => {
      if (getErrorCode(error) === 'ECONNREFUSED' || getErrorCode(error) === 'ENOENT') resolve(undefined)
    })
  })
}

function directoryInUseError(home: string, owner: string): EmbeddedPostgresError {
  const who = owner.replace(` on ${hostname()}`, '')
  return new EmbeddedPostgresError(
    `The data folder ${home} is in use by another Caseward${who && ` (${who})`}: stop that one first, or set DATA_DIR to ` +
      'another folder.',
  )
}
