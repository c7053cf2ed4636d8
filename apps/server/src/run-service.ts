import { once } from 'node:events'

import type { FastifyBaseLogger } from 'fastify'

import type { Config } from './config.ts'
import type { ShutdownSignals } from './shutdown.ts'
import { type RunningServer, startServer } from './start.ts'

export interface ServiceOptions {
  log: FastifyBaseLogger
  signals: ShutdownSignals
  /** Whether the first start creates the demo. */
  hasDemo: boolean
  /** Prints lines for the person who starts the service. */
  print(text: string): void
}

/** Starts the service, prints how to use it, and stops it when the signals say so. */
export async function runService(config: Config, { log, signals, hasDemo, print }: ServiceOptions): Promise<void> {
  const { stopSignal, closeSignal } = signals
  stopSignal.addEventListener('abort', () => log.info({ signal: stopSignal.reason as string }, 'stopping'))
  const server = await startServer(config, log, stopSignal, { hasDemo }).catch((error: unknown) => {
    if (stopSignal.aborted) return null
    throw error
  })
  if (server === null) return
  print(formatStartupMessage(server, config, { startMs: performance.now(), hasDemo }))
  if (!closeSignal.aborted) await once(closeSignal, 'abort')
  await server.close()
}

/** @param options.startMs time since the process started */
function formatStartupMessage(
  server: RunningServer,
  config: Config,
  { startMs, hasDemo }: { startMs: number; hasDemo: boolean },
): string {
  const { url, publicUrl, clusterDirectory, createdAdmin, setupUrl, demo } = server
  const lines = [
    `Caseward is ready at ${publicUrl} (listening on ${url}, started in ${(startMs / 1000).toFixed(1)} s)`,
    clusterDirectory === null ? 'Data: in the database at DATABASE_URL' : `Data: ${clusterDirectory}`,
    `API reference: ${publicUrl}/docs`,
  ]
  if (createdAdmin !== null) {
    lines.push(
      `Created the first user, ${createdAdmin}${config.adminToken === null ? '' : ', with ADMIN_TOKEN as token'}.`,
    )
  }
  if (demo !== null) {
    const password = demo.password === null ? '' : ` and the password ${demo.password} (shown only now)`
    lines.push(`Created a demo project. Sign in at ${publicUrl} as ${demo.email}${password}`)
  } else if (hasDemo) {
    lines.push('There is a project already, so no demo project was created.')
  }
  if (setupUrl !== null) {
    const hint = config.adminEmail === null ? '' : ' (ADMIN_EMAIL has no effect without ADMIN_PASSWORD or ADMIN_TOKEN)'
    lines.push(`No account exists yet${hint}. Create the first account within seven days at ${setupUrl}`)
  }
  return `${lines.join('\n')}\n`
}
