import { once } from 'node:events'

import { type Config, readConfig } from './config.ts'
import { explainFailure } from './start-errors.ts'
import { createLog } from './platform/logging/log.ts'
import { keepHeapSmall } from './platform/heap-growth.ts'
import { type RunningServer, startServer } from './start.ts'
import { listenForStop } from './shutdown.ts'

/** Starts the service and stops it when asked to. What keeps it from starting is told in one line. */
async function main(): Promise<void> {
  keepHeapSmall()
  const config = readConfig(process.env)
  const log = await createLog(config.logLevel)
  const stop = listenForStop()
  stop.addEventListener('abort', () => log.info({ signal: stop.reason as string }, 'stopping'))
  const server = await startServer(config, log, stop).catch((error: unknown) => {
    if (stop.aborted) return null
    throw error
  })
  if (server === null) return
  greet(server, config, performance.now())
  if (!stop.aborted) await once(stop, 'abort')
  await server.close()
}

/** @param ms since the process began */
function greet(server: RunningServer, config: Config, ms: number): void {
  const lines = [
    `Caseward is ready at ${server.publicUrl} (listening on ${server.url}, started in ${(ms / 1000).toFixed(1)} s)`,
    server.clusterFolder === null ? 'Data: in the PostgreSQL of DATABASE_URL' : `Data: ${server.clusterFolder}`,
    `API reference: ${server.publicUrl}/docs`,
  ]
  if (server.createdAdmin !== null) {
    lines.push(
      `Created the first user, ${server.createdAdmin}${config.adminToken === null ? '' : ', whose token is ADMIN_TOKEN'}.`,
    )
  }
  if (server.setUpUrl !== null) {
    const hint =
      config.adminEmail === null ? '' : ' (ADMIN_EMAIL makes one only together with ADMIN_PASSWORD or ADMIN_TOKEN)'
    lines.push(`Nobody has an account yet${hint}. Make the first one, within seven days, at ${server.setUpUrl}`)
  }
  process.stderr.write(`${lines.join('\n')}\n`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`Caseward cannot start: ${explainFailure(error)}\n`)
  process.exitCode = 1
}
