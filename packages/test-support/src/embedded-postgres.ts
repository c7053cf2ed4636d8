import { spawn } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { onTestFinished } from 'vitest'
import {
  startEmbeddedPostgres,
  type Connection,
  type EmbeddedLog,
  type EmbeddedPostgresOptions,
} from '@caseward/embedded-postgres'
import { run } from '@caseward/embedded-postgres/run-program'
import { makeDirectory } from './temporary-directory.ts'

export const isRoot = process.getuid?.() === 0

/** An ordinary account for a root's tests to step down to. */
export const nobody = { name: 'nobody', uid: 65534, gid: 65534 }

/** A folder of its own for a test, that everybody may enter; gone afterwards, as is whatever runs in it. */
export async function createTemporaryDirectory(purpose?: 'programs'): Promise<string> {
  const directory = await makeDirectory(purpose)
  onTestFinished(async () => {
    const left = await processesIn(directory)
    for (const pid of left) process.kill(pid, 'SIGKILL')
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    if (left.length > 0) throw new Error(`processes ${left.join(', ')} were left running`)
  })
  return directory
}

/** A folder with a stopped database in `data`, to be copied by each test of a file; the file removes it. */
export async function makeTemplate(): Promise<string> {
  const directory = await makeDirectory()
  const dataDir = join(directory, 'data')
  await (await startEmbeddedPostgres({ dataDir, dataDirIsDefault: false, log: recordingLog() })).close()
  return directory
}

/** A copy of a stopped database's data folder, which is quicker than making one. */
export async function copyDirectory(from: string, to: string): Promise<string> {
  const { status, stderr } = await run('cp', ['-a', from, to])
  if (status !== 0) throw new Error(stderr)
  return to
}

/** The processes whose working folder is in the folder: PostgreSQL's. */
export async function processesIn(directory: string): Promise<number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('pgrep', ['-f', directory])
    return stdout.split('\n').filter(Boolean).map(Number)
  }
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger)
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => folders[index]?.startsWith(`${directory}/`))
}

/** The process number of the PostgreSQL that serves the cluster. */
export async function postmasterPid(cluster: string): Promise<number> {
  return Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Waits for what happens by itself. */
export async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (const end = Date.now() + 15_000; Date.now() < end; await sleep(5)) if (await condition()) return
  throw new Error(`Waited in vain until ${what}`)
}

/** One statement on a connection of its own. */
export async function query<Row>(connection: Connection, text: string): Promise<Row[]> {
  const client = new Client(connection)
  // A connection that is torn away also rejects the query.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** The same, again and again until PostgreSQL is back. */
export async function queryWhenBack<Row>(connection: Connection, text: string): Promise<Row[]> {
  let rows: Row[] = []
  const attempt = async () => {
    rows = await query<Row>(connection, text)
    return true
  }
  await until(() => attempt().catch(() => false), 'PostgreSQL answers again')
  return rows
}

/** Collects what was logged. */
export function recordingLog(): EmbeddedLog & { lines: string[] } {
  const lines: string[] = []
  const record = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  return { lines, debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') }
}

/** What a Caseward says that was started as a process of its own, so that it can be killed. */
export interface ServerProcess {
  pid: number
  /** Of a start that succeeded. */
  connection: Connection
  clusterDirectory: string
  /** The message of one that failed; empty otherwise. */
  error: string
  /** What a terminal does: the signal goes to the whole process group. Caseward takes its time to end then. */
  pressCtrlC(): void
  /** Resolves when the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
}

/** The embedded database's part of `main`, from the build, since Node 20 runs no TypeScript. */
const script = `
const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL('../../embedded-postgres/dist/embedded-postgres.js', import.meta.url).href)})
const say = (what) => console.log(JSON.stringify(what))
const quiet = () => {}
try {
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }
  const { connection, clusterDirectory, close } = await startEmbeddedPostgres({ ...JSON.parse(process.argv[1]), log })
  const awake = setInterval(quiet, 60_000)
  process.on('SIGTERM', () => close().then(() => clearInterval(awake)))
  process.on('SIGINT', quiet)
  process.on('SIGUSR2', () => process.exit(3))
  say({ connection, clusterDirectory, error: '' })
} catch (error) {
  say({ error: error.name === 'EmbeddedPostgresError' ? error.message : error.stack })
}
`

export async function startServerProcess(
  options: Omit<EmbeddedPostgresOptions, 'log' | 'dataDirIsDefault'> & { dataDirIsDefault?: boolean },
  account?: { uid: number; gid: number },
): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify({ dataDirIsDefault: false, ...options })],
    // A process group of its own, as a shell makes one, so that a test can send it a terminal's Ctrl-C.
    { cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'inherit'], ...account },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = await new Promise<string>((resolve) => {
    createInterface(child.stdout)
      .once('line', resolve)
      .once('close', () => resolve('{"error":"it said nothing"}'))
  })
  const pid = child.pid ?? 0
  return {
    pid,
    ...(JSON.parse(said) as Pick<ServerProcess, 'connection' | 'clusterDirectory' | 'error'>),
    pressCtrlC: () => process.kill(-pid, 'SIGINT'),
    async kill(signal) {
      process.kill(pid, signal)
      await ended
    },
  }
}
