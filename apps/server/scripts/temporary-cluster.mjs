// A PostgreSQL for tests alone, made by the programs of any version: it forgets everything, and costs little.
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
  // Nothing needs to outlive a crash.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // As the embedded one has them.
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
}

/** Serves until its input ends, as it does even when we are killed: then no process and no file stays behind. */
const serve = `
programs=$1 folder=$2 ctype=$3
shift 3
{
  "$programs/initdb" -D "$folder/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C --lc-ctype=$ctype --no-sync &&
  exec "$programs/postgres" -D "$folder/data" --unix_socket_directories="$folder" "$@"
} >"$folder/log" 2>&1 &
read -r _
kill -QUIT $!
wait
rm -rf "$folder"`

/**
 * @param {string} programs the folder of `initdb` and `postgres`
 * @returns the address of an empty database whose owner is no superuser, and how to be rid of all of it
 */
export async function startTemporaryCluster(programs) {
  const folder = mkdtempSync(join(hasMemoryDisk() ? '/dev/shm' : tmpdir(), 'caseward-postgres-'))
  const account = postgresAccount()
  // Closed to everybody else, and with it the socket in it: nobody is asked for a password.
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  const ctype = process.platform === 'darwin' ? 'UTF-8' : 'C.UTF-8'
  const choices = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const server = spawn('sh', ['-c', serve, 'sh', programs, folder, ctype, ...choices], {
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
    await makeDatabase(folder)
  } catch (error) {
    console.error(readFileSync(join(folder, 'log'), 'utf8'))
    await remove()
    throw error
  }
  const secret = randomBytes(12).toString('hex')
  return { url: `postgres://caseward:${secret}@localhost:5432/caseward?host=${encodeURIComponent(folder)}`, remove }
}

/** PostgreSQL refuses to run as root. */
function postgresAccount() {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user "postgres" to run it as')
}

/** A container's own is often too small. */
function hasMemoryDisk() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2_000_000_000
  } catch {
    return false
  }
}

const START_MS = 30_000

async function makeDatabase(host) {
  const client = await connectWhenUp({ host, user: 'postgres', database: 'postgres' })
  await client.query('create role caseward login createdb')
  await client.query('create database caseward owner caseward')
  await client.end()
}

async function connectWhenUp(connection) {
  for (const end = Date.now() + START_MS; ; await sleep(100)) {
    const client = new pg.Client(connection)
    try {
      await client.connect()
      return client
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
