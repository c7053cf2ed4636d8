import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Connection } from '@caseward/embedded-postgres'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { startEmbeddedDatabase } from '@caseward/server/platform/database/embedded'

import type { ProcessStats } from './monitor.ts'

export const TOKEN = 'bench-0123456789abcdef0123456789abcdef'
export const EMAIL = 'bench@example.test'
export const PASSWORD = 'only for measurements on one machine'

const quiet = { info() {}, warn: console.warn, error: console.error, debug() {} }

/** The embedded PostgreSQL with its usual settings, in a directory that is removed at the end. */
export async function startPostgres(): Promise<{ connection: Connection; close(): Promise<void> }> {
  const directory = await mkdtemp(join(tmpdir(), 'caseward-bench-'))
  await chmod(directory, 0o755) // As root, PostgreSQL runs under another account.
  const postgres = await startEmbeddedDatabase({ dataDir: directory, dataDirIsDefault: false, log: quiet })
  return {
    connection: postgres.connection,
    close: async () => {
      await postgres.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A server in its own process. */
export interface Server {
  url: string
  /** Returns its memory and the longest time that its event loop was blocked since the last call. */
  getStats(): Promise<ProcessStats>
  /** Starts to measure the maximum of its memory anew. */
  resetPeak(): void
  /** Removes what is not used from its memory. Requires the option `--expose-gc`. */
  collectGarbage(): void
  /** Whether the process is running. */
  isAlive(): boolean
  close(): Promise<void>
}

/** Returns the value of `DATABASE_URL`. */
export function formatDatabaseUrl({ host, port, user, password, database }: Connection): string {
  const address = `${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  return `postgres://${address}`
}

/**
 * Starts Caseward as in production, but with very high rate limits.
 * @param nodeOptions options of Node.js, such as `--max-old-space-size=1024`
 * @param settings other settings, as environment variables
 */
export async function startCaseward(
  connection: Connection,
  nodeOptions: readonly string[] = [],
  settings: Record<string, string> = {},
): Promise<Server> {
  const main = fileURLToPath(import.meta.resolve('@caseward/server/main'))
  const env = { ...SETTINGS, DATABASE_URL: formatDatabaseUrl(connection), ...settings }
  return await start(main, env, nodeOptions)
}

/** As {@link startCaseward}, but without a part of it; see `without-hooks.ts`. */
export const startCasewardWithout = (part: string, connection: Connection): Promise<Server> =>
  startCaseward(connection, ['--import', new URL('without.js', import.meta.url).href], { BENCH_WITHOUT: part })

/** As {@link startCaseward}, the service of another checkout, which is built. */
export const startCasewardOf = (directory: string, connection: Connection): Promise<Server> =>
  start(resolvePath(directory, 'apps/server/dist/main.js'), {
    ...SETTINGS,
    DATABASE_URL: formatDatabaseUrl(connection),
  })

/** Starts Caseward with its embedded database. */
export const startEmbeddedCaseward = (settings: Record<string, string>): Promise<Server> =>
  start(fileURLToPath(import.meta.resolve('@caseward/server/main')), { ...SETTINGS, ...settings })

const SETTINGS = {
  ADMIN_EMAIL: EMAIL,
  ADMIN_PASSWORD: PASSWORD,
  ADMIN_TOKEN: TOKEN,
  RATE_LIMIT: '1000000000',
  RATE_LIMIT_OTHER: '1000000000',
  RATE_LIMIT_FILES: '1000000000',
  RATE_LIMIT_SIGN_IN: '1000000000',
  SHUTDOWN_DELAY_MS: '0',
}

/** Starts the bare handlers that reads are compared with. */
export async function startReference(connection: Connection): Promise<Server> {
  const main = fileURLToPath(new URL('reference-server.js', import.meta.url))
  return await start(main, { CONNECTION: JSON.stringify(connection) })
}

/** Starts the bare server that files are compared with. */
export async function startBareFiles(connection: Connection, directory: string): Promise<Server> {
  const main = fileURLToPath(new URL('bare-files-server.js', import.meta.url))
  return await start(main, { CONNECTION: JSON.stringify(connection), DIRECTORY: directory })
}

async function start(main: string, env: Record<string, string>, nodeOptions: readonly string[] = []): Promise<Server> {
  const port = await findFreePort()
  const monitor = new URL('monitor.js', import.meta.url).href
  const child = fork(main, {
    execArgv: [...nodeOptions, '--import', monitor],
    env: { ...process.env, ...env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', process.env['BENCH_LOG'] ? 'inherit' : 'ignore', 'inherit', 'ipc'],
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/healthz`, child)
  return {
    url,
    getStats: async () => {
      child.send('stats')
      const [stats] = (await once(child, 'message')) as [ProcessStats]
      return stats
    },
    resetPeak: () => void child.send('reset-peak'),
    collectGarbage: () => void child.send('collect-garbage'),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    close: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`)
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the server did not start')
}
