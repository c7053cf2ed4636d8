import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Connection } from '@caseward/embedded-postgres'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'
import { startEmbeddedDatabase } from '@caseward/server/platform/database/embedded'

import type { ProcessStats } from './monitor.ts'

export const TOKEN = 'bench-0123456789abcdef0123456789abcdef'

const quiet = { info() {}, warn: console.warn, error: console.error, debug() {} }

/** The embedded PostgreSQL with its own settings, on a folder that is removed at the end. */
export async function startPostgres(): Promise<{ connection: Connection; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'caseward-bench-'))
  await chmod(folder, 0o755) // as root, PostgreSQL runs as somebody else
  const postgres = await startEmbeddedDatabase({ dataDir: folder, dataDirIsDefault: false, log: quiet })
  return {
    connection: postgres.connection,
    close: async () => {
      await postgres.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A server in a process of its own. */
export interface Server {
  url: string
  /** Memory, and the longest time that the event loop was held since it was last asked. */
  vitals(): Promise<ProcessStats>
  close(): Promise<void>
}

/** Caseward as it is started in production; only the rate limits are out of the way. */
export async function startCaseward({ host, port, user, password, database }: Connection): Promise<Server> {
  const address = `${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`
  const main = fileURLToPath(import.meta.resolve('@caseward/server/main'))
  return await start(main, {
    DATABASE_URL: `postgres://${address}`,
    ADMIN_EMAIL: 'bench@example.test',
    ADMIN_TOKEN: TOKEN,
    RATE_LIMIT: '1000000000',
    RATE_LIMIT_OTHER: '1000000000',
  })
}

/** The bare handlers that reads are compared with. */
export async function startReference(connection: Connection): Promise<Server> {
  const main = fileURLToPath(new URL('reference-server.js', import.meta.url))
  return await start(main, { CONNECTION: JSON.stringify(connection) })
}

async function start(main: string, env: Record<string, string>): Promise<Server> {
  const port = await findFreePort()
  const monitor = new URL('monitor.js', import.meta.url).href
  const child = fork(main, {
    execArgv: ['--import', monitor],
    env: { ...process.env, ...env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', process.env['BENCH_LOG'] ? 'inherit' : 'ignore', 'inherit', 'ipc'],
  })
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/healthz`, child)
  return {
    url,
    vitals: async () => {
      child.send('vitals')
      const [vitals] = (await once(child, 'message')) as [ProcessStats]
      return vitals
    },
    close: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the server did not start')
}
