import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { Connection } from '@caseward/embedded-postgres'
import { findFreePort } from '@caseward/embedded-postgres/find-free-port'

import { formatDatabaseUrl, TOKEN } from '../servers.ts'

const main = fileURLToPath(import.meta.resolve('@caseward/server/main'))
const REQUESTS = 500

export interface LogVolume {
  startMs: number
  bytesPerRequest: number
}

/** Starts a server with its log in a pipe, and returns how long it takes and how much it logs for a successful request. */
export async function measureLog(connection: Connection, logRequests: 'all' | 'errors'): Promise<LogVolume> {
  const port = await findFreePort()
  const settings = { HOST: '127.0.0.1', PORT: String(port), LOG_REQUESTS: logRequests, SHUTDOWN_DELAY_MS: '0' }
  const limits = { RATE_LIMIT_OTHER: '1000000' }
  const database = { DATABASE_URL: formatDatabaseUrl(connection) }
  const start = performance.now()
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...settings, ...limits, ...database, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let bytes = 0
  child.stdout.on('data', (chunk: Buffer) => (bytes += chunk.length))
  const url = `http://127.0.0.1:${port}`
  await waitUntilReady(`${url}/readyz`)
  const startMs = performance.now() - start
  // Lines of the start, and of the requests that waited for it.
  await sleep(500)
  bytes = 0
  for (let index = 0; index < REQUESTS; index += 1) {
    const response = await fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${TOKEN}` } })
    await response.text()
  }
  await sleep(500)
  const bytesPerRequest = bytes / REQUESTS
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { startMs, bytesPerRequest }
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 3000; attempt += 1) {
    const isReady = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await sleep(10)
  }
  throw new Error('the server did not start')
}

/** Returns the size of a backup of the database in megabytes. */
export async function measureBackupMb(connection: Connection, directory: string): Promise<number> {
  const file = join(directory, 'sizing.backup.gz')
  const env = { ...process.env, DATABASE_URL: formatDatabaseUrl(connection) }
  const child = spawn(process.execPath, [main, 'admin', 'backup', file], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`the backup ended with ${code}`)
  return (await stat(file)).size / 1024 / 1024
}
