import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import {
  startEmbeddedPostgres,
  type Connection,
  type EmbeddedLog,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type ServiceDescription,
} from '@caseward/embedded-postgres'
import { run } from '@caseward/embedded-postgres/run-program'
import { onTestFinished } from 'vitest'

import { query } from './query.ts'
import { createUnmanagedDirectory } from './unmanaged-directory.ts'
import { waitUntil } from './wait-until.ts'

/** The service that `@caseward/embedded-postgres` is tested with. */
export const EXAMPLE_SERVICE: ServiceDescription = {
  id: 'example',
  name: 'Example',
  dataDirSetting: 'EXAMPLE_DIR',
  alternative: 'set EXAMPLE_URL to a PostgreSQL server',
}

const exampleDefaults = {
  dataDirIsDefault: false,
  service: EXAMPLE_SERVICE,
  systemDirectory: '/var/lib/embedded-postgres-tests',
}

type OptionalExampleOptions = keyof typeof exampleDefaults | 'log'

/** The options that matter to a test; the others have defaults. */
export type ExampleOptions = Omit<EmbeddedPostgresOptions, OptionalExampleOptions> &
  Partial<Pick<EmbeddedPostgresOptions, OptionalExampleOptions>>

/** Starts an embedded PostgreSQL of the example service in this process. */
export const startExamplePostgres = (options: ExampleOptions): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({ ...exampleDefaults, log: createRecordingLog(), ...options })

/**
 * Creates a directory with a stopped database in `data`, which is faster to copy than to create. The caller removes it.
 */
export async function createStoppedDatabase(): Promise<string> {
  const directory = await createUnmanagedDirectory()
  const dataDir = join(directory, 'data')
  await (await startExamplePostgres({ dataDir })).close()
  return directory
}

/** Copies a directory with its owners and modes. */
export async function copyDirectory(from: string, to: string): Promise<string> {
  const { status, stderr } = await run('cp', ['-a', from, to])
  if (status !== 0) throw new Error(stderr)
  return to
}

/** Reads the process id of the PostgreSQL that runs on a cluster. */
export async function readPostmasterPid(cluster: string): Promise<number> {
  return Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

/** Repeats a query until PostgreSQL is available again. */
export async function queryUntilAvailable<Row>(connection: Connection, text: string): Promise<Row[]> {
  let rows: Row[] = []
  const attempt = async () => {
    rows = await query<Row>(connection, text)
    return true
  }
  await waitUntil(() => attempt().catch(() => false), 'PostgreSQL is available')
  return rows
}

/** Creates a log that keeps its lines, such as `info: PostgreSQL is running again`. */
export function createRecordingLog(): EmbeddedLog & { lines: string[] } {
  const lines: string[] = []
  const record = (level: string) => (_: object, message: string) => void lines.push(`${level}: ${message}`)
  return { lines, debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') }
}

/** An embedded PostgreSQL whose supervisor is a process of its own, so that a test can kill it. */
export interface PostgresProcess {
  pid: number
  /** Set if the start succeeded. */
  connection: Connection
  clusterDirectory: string
  /** The error message if the start failed; empty otherwise. */
  error: string
  /** Sends SIGINT to the whole process group, as a terminal does. The supervisor ignores it. */
  pressCtrlC(): void
  /** Sends a signal and waits until the process has ended. */
  kill(signal: NodeJS.Signals): Promise<void>
}

const builtPackage = new URL('../../embedded-postgres/dist/embedded-postgres.js', import.meta.url).href

/** Runs the build, because Node 20 does not run TypeScript. */
const script = `
const { startEmbeddedPostgres } = await import(${JSON.stringify(builtPackage)})
const print = (value) => console.log(JSON.stringify(value))
const ignore = () => {}
try {
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
  const { connection, clusterDirectory, close } = await startEmbeddedPostgres({ ...JSON.parse(process.argv[1]), log })
  const keepAlive = setInterval(ignore, 60_000)
  process.on('SIGTERM', () => close().then(() => clearInterval(keepAlive)))
  process.on('SIGINT', ignore)
  process.on('SIGUSR2', () => process.exit(3))
  print({ connection, clusterDirectory, error: '' })
} catch (error) {
  print({ error: error.name === 'EmbeddedPostgresError' ? error.message : error.stack })
}
`

/** Starts an embedded PostgreSQL from a new process and waits until it runs or has failed. */
export async function startPostgresProcess(
  options: Omit<ExampleOptions, 'log' | 'stop'>,
  account?: { uid: number; gid: number },
): Promise<PostgresProcess> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', script, JSON.stringify({ ...exampleDefaults, ...options })],
    // Its own process group, as in a shell, so that a test can send Ctrl-C to all of it.
    { cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'inherit'], ...account },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const firstLine = await new Promise<string>((resolve) => {
    createInterface(child.stdout)
      .once('line', resolve)
      .once('close', () => resolve('{"error":"the process ended without output"}'))
  })
  const pid = child.pid ?? 0
  return {
    pid,
    ...(JSON.parse(firstLine) as Pick<PostgresProcess, 'connection' | 'clusterDirectory' | 'error'>),
    pressCtrlC: () => process.kill(-pid, 'SIGINT'),
    async kill(signal) {
      process.kill(pid, signal)
      await ended
    },
  }
}
