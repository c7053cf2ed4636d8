// Starts a fast PostgreSQL of any version for tests. Its data is not durable.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import pg from 'pg'

const settings = {
  listen_addresses: '',
  max_connections: '100',
  // The data need not survive a crash.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // The settings of the embedded PostgreSQL.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
}

/** Runs until standard input closes, which happens even when this process is killed. Leaves no process and no file behind. */
const serve = `
programs=$1 directory=$2 ctype=$3
shift 3
{
  "$programs/initdb" -D "$directory/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C --lc-ctype=$ctype --no-sync &&
  exec "$programs/postgres" -D "$directory/data" --unix_socket_directories="$directory" "$@"
} >"$directory/log" 2>&1 &
read -r _
kill -QUIT $!
wait
rm -rf "$directory"`

/**
 * @param {string} programs the directory of `initdb` and `postgres`
 * @returns the URL of an empty database whose owner is not a superuser, and a function that removes everything
 */
export async function startTemporaryCluster(programs) {
  const directory = mkdtempSync(join(hasMemoryDisk() ? '/dev/shm' : tmpdir(), 'caseward-postgres-'))
  const account = findPostgresAccount()
  // Only this account can open the directory and its socket, so that no password is needed.
  if (account !== undefined) chownSync(directory, account.uid, account.gid)
  const ctype = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'
  const options = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const server = spawn('sh', ['-c', serve, 'sh', programs, directory, ctype, ...options], {
    ...account,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    // In a process group of its own, so that Ctrl-C ends the tests first.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const remove = async () => {
    server.stdin.end()
    await once(server, 'exit')
  }
  try {
    await createDatabase(directory)
  } catch (error) {
    console.error(readFileSync(join(directory, 'log'), 'utf8'))
    await remove()
    throw error
  }
  const secret = randomBytes(12).toString('hex')
  return { url: `postgres://caseward:${secret}@localhost:5432/caseward?host=${encodeURIComponent(directory)}`, remove }
}

/** Returns the account to run PostgreSQL with, which refuses to run as root. */
function findPostgresAccount() {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL refuses to run as root, and no account "postgres" or "nobody" exists')
}

/** Whether /dev/shm has enough space; that of a container is often too small. */
function hasMemoryDisk() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2_000_000_000
  } catch {
    return false
  }
}

const START_TIMEOUT_MS = 30_000

async function createDatabase(host) {
  const client = await connectWhenUp({ host, user: 'postgres', database: 'postgres' })
  await client.query('create role caseward login createdb')
  await client.query('create database caseward owner caseward')
  await client.end()
}

async function connectWhenUp(connection) {
  for (const deadline = Date.now() + START_TIMEOUT_MS; ; await sleep(100)) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}
