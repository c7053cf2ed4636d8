import { once } from 'node:events'

import { type Config, readConfig } from './config.ts'
import { limitHeapGrowth } from './platform/heap-growth.ts'
import { createLog } from './platform/logging/log.ts'
import { handleShutdownSignals } from './shutdown.ts'
import { formatStartError } from './start-errors.ts'
import { type RunningServer, startServer } from './start.ts'

/** Starts the service and stops it on a signal. */
async function main(options: { hasDemo: boolean }): Promise<void> {
  limitHeapGrowth()
  const config = readConfig(process.env)
  const log = await createLog(config.logLevel)
  const { stopSignal, closeSignal } = handleShutdownSignals(config.shutdownDelayMs)
  stopSignal.addEventListener('abort', () => log.info({ signal: stopSignal.reason as string }, 'stopping'))
  const server = await startServer(config, log, stopSignal, options).catch((error: unknown) => {
    if (stopSignal.aborted) return null
    throw error
  })
  if (server === null) return
  printStartupMessage(server, config, { startMs: performance.now(), ...options })
  if (!closeSignal.aborted) await once(closeSignal, 'abort')
  await server.close()
}

/** @param options.startMs time since the process started */
function printStartupMessage(
  server: RunningServer,
  config: Config,
  { startMs, hasDemo }: { startMs: number; hasDemo: boolean },
): void {
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
  process.stderr.write(`${lines.join('\n')}\n`)
}

/** Runs the command that the arguments name, such as `admin list`. Loaded only then: the service starts faster without. */
async function runCommandLine(args: readonly string[]): Promise<void> {
  const { openTerminal } = await import('./commands/terminal.ts')
  const { runCommand } = await import('./commands/run-command.ts')
  const { output, signal } = openTerminal()
  process.exitCode = await runCommand(args, process.env, output, signal)
}

try {
  const args = process.argv.slice(2)
  const hasDemo = args.length === 1 && args[0] === '--demo'
  await (args.length > 0 && !hasDemo ? runCommandLine(args) : main({ hasDemo }))
} catch (error) {
  process.stderr.write(`Caseward cannot start: ${formatStartError(error)}\n`)
  process.exitCode = 1
}
