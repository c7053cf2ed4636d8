import { readConfig } from './config.ts'
import { limitHeapGrowth } from './platform/heap-growth.ts'
import { createLog } from './platform/logging/log.ts'
import { runService } from './run-service.ts'
import { handleShutdownSignals } from './shutdown.ts'
import { formatStartFailure } from './start-errors.ts'

/** Starts the service and stops it on a signal. */
async function main(options: { hasDemo: boolean }): Promise<void> {
  limitHeapGrowth()
  const config = readConfig(process.env)
  const log = await createLog(config.logLevel)
  const signals = handleShutdownSignals(config.shutdownDelayMs)
  await runService(config, { log, signals, ...options, print: (text) => process.stderr.write(text) })
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
  process.stderr.write(formatStartFailure(error))
  process.exitCode = 1
}
