import { readConfig } from '../config.ts'
import { RecoveryError } from '../features/admin/recover-access.ts'
import { formatStartError } from '../start-errors.ts'
import { ADMIN_HELP, parseAdminCommand, runAdminCommand } from './admin.ts'
import { openServiceDatabase } from './open-service-database.ts'

const HELP = `Usage: node apps/server/dist/main.js [command]

Without a command, it starts the service; with --demo, it first fills a database without projects with an example.
Settings are environment variables (see README.md).

${ADMIN_HELP}`

/** Where a command writes its result and its errors. */
export interface CommandOutput {
  print(text: string): void
  printError(text: string): void
}

/**
 * Runs the command that the arguments name, with the settings of the service.
 * @returns the exit code: 0, 1 when the command failed, or 2 when the arguments are wrong
 */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  { print, printError }: CommandOutput,
): Promise<0 | 1 | 2> {
  if (args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) {
    print(HELP)
    return 0
  }
  const command = parseAdminCommand(args)
  if (command === null) {
    printError(`Unknown command or wrong arguments: ${args.join(' ')}\n\n${HELP}`)
    return 2
  }
  try {
    const config = readConfig(env)
    const { db, close } = await openServiceDatabase(config)
    try {
      print(await runAdminCommand(db, command, config))
    } finally {
      await close()
    }
    return 0
  } catch (error) {
    printError(error instanceof RecoveryError ? error.message : formatStartError(error))
    return 1
  }
}
