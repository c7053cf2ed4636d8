import { once } from 'node:events'

import { type Config, readConfig } from './config.ts'
import { formatStartError } from './start-errors.ts'
import { createLog } from './platform/logging/log.ts'
import { limitHeapGrowth } from './platform/heap-growth.ts'
import { type RunningServer, startServer } from './start.ts'
import { createShutdownSignal } from './shutdown.ts'

/** Starts the service and stops it when asked to. What keeps it from starting is told in one line. */
async function main(): Promise<void> {
  limitHeapGrowth()
  const config = readConfig(process.env)
  const log = await createLog(config.logLevel)
  const stop = createShutdownSignal()
  stop.addEventListener('abort', () => log.info({ signal: stop.reason as string }, 'stopping'))
  const server = await startServer(config, log, stop).catch((error: unknown) => {
    if (stop.aborted) return null
    throw error
  })
  if (server === null) return
  printStartupMessage(server, config, performance.now())
  if (!stop.aborted) await once(stop, 'abort')
  await server.close()
}

/** @param ms since the process began */
function printStartupMessage(server: RunningServer, config: Config, ms: number): void {
  const lines = [
    `Caseward is ready at ${server.publicUrl} (listening on ${server.url}, started in ${(ms / 1000).toFixed(1)} s)`,
    server.clusterDirectory === null ? 'Data: in the PostgreSQL of DATABASE_URL' : `Data: ${server.clusterDirectory}`,
    `API reference: ${server.publicUrl}/docs`,
  ]
  if (server.createdAdmin !== null) {
    lines.push(
      `Created the first user, ${server.createdAdmin}${config.adminToken === null ? '' : ', whose token is ADMIN_TOKEN'}.`,
    )
  }
  if (server.setupUrl !== null) {
    const hint =
      config.adminEmail === null ? '' : ' (ADMIN_EMAIL creates one only together with ADMIN_PASSWORD or ADMIN_TOKEN)'
    lines.push(`No account exists yet${hint}. Create the first account within seven days at ${server.setupUrl}`)
  }
  process.stderr.write(`${lines.join('\n')}\n`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`Caseward cannot start: ${formatStartError(error)}\n`)
  process.exitCode = 1
}
