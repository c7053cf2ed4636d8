import { type Config, readConfig } from '../config.ts'
import { RecoveryError } from '../features/admin/recover-access.ts'
import { DistributionError } from '../features/distribution/distribution-error.ts'
import { BackupError } from '../platform/backup/backup-error.ts'
import { FileStoreError } from '../platform/files/file-store.ts'
import { formatStartError } from '../start-errors.ts'
import { type AdminCommand, ADMIN_HELP, parseAdminCommand, runAdminCommand } from './admin.ts'
import {
  BACKUP_HELP,
  type BackupCommand,
  type BackupCommandOptions,
  parseBackupCommand,
  runBackupCommand,
} from './backup.ts'
import { DISTRIBUTE_HELP, type DistributeCommand, parseDistributeCommand, runDistributeCommand } from './distribute.ts'
import { EXPORT_HELP, type ExportCommand, parseExportCommand, runExportCommand } from './export-projects.ts'
import { MOVE_FILES_HELP, type MoveFilesCommand, parseMoveFilesCommand, runMoveFilesCommand } from './move-files.ts'
import { openServiceDatabase } from './open-service-database.ts'
import {
  parseVerifyFilesCommand,
  runVerifyFilesCommand,
  VERIFY_FILES_HELP,
  type VerifyFilesCommand,
} from './verify-files.ts'

const HELP = `Usage: node apps/server/dist/main.js [command]

Without a command, it starts the service; with --demo, it first fills a database without projects with an example.
Settings are environment variables (see README.md).

${ADMIN_HELP}
${BACKUP_HELP}
${VERIFY_FILES_HELP}
${MOVE_FILES_HELP}
${EXPORT_HELP}
${DISTRIBUTE_HELP}`

/** Where a command writes its result and its errors. */
export interface CommandOutput {
  print(text: string): void
  printError(text: string): void
  /** Replaces the last line of a terminal; does nothing elsewhere. */
  showProgress(text: string): void
}

/**
 * Runs the command that the arguments name, with the settings of the service.
 * @param signal cancels a backup or restore
 * @returns the exit code: 0, 1 when the command failed, or 2 when the arguments are wrong or files are not intact
 */
export async function runCommand(
  args: readonly string[],
  env: Record<string, string | undefined>,
  output: CommandOutput,
  signal: AbortSignal,
): Promise<0 | 1 | 2> {
  const { print, printError } = output
  if (args[0] === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) {
    print(HELP)
    return 0
  }
  const command =
    parseBackupCommand(args) ??
    parseVerifyFilesCommand(args) ??
    parseMoveFilesCommand(args) ??
    parseDistributeCommand(args) ??
    parseExportCommand(args) ??
    parseAdminCommand(args)
  if (command === null) {
    printError(`Unknown command or wrong arguments: ${args.join(' ')}\n\n${HELP}`)
    return 2
  }
  try {
    const config = readConfig(env)
    const options = { signal, showProgress: output.showProgress }
    if (command.name === 'verify-files' || command.name === 'move-files') {
      const { text, isIntact } = await (command.name === 'verify-files'
        ? runVerifyFilesCommand(config, command, options)
        : runMoveFilesCommand(config, command, options))
      print(text)
      return isIntact ? 0 : 2
    }
    print(await execute(config, command, options))
    return 0
  } catch (error) {
    if (signal.aborted) printError('Canceled.')
    else printError(isExpected(error) ? error.message : formatStartError(error))
    return 1
  }
}

type Command = BackupCommand | FilesCommand | DistributeCommand | ExportCommand | AdminCommand
type FilesCommand = VerifyFilesCommand | MoveFilesCommand

function execute(
  config: Config,
  command: Exclude<Command, FilesCommand>,
  options: BackupCommandOptions,
): Promise<string> {
  if ('file' in command) return runBackupCommand(config, command, options)
  if (command.name === 'export') return runExportCommand(config, command, options)
  if (command.name === 'distribute') return runDistributeCommand(config, command, options)
  return runWithDatabase(config, command)
}

async function runWithDatabase(config: Config, command: AdminCommand): Promise<string> {
  const { db, close } = await openServiceDatabase(config)
  try {
    return await runAdminCommand(db, command, config)
  } finally {
    await close()
  }
}

const isExpected = (error: unknown): error is Error =>
  error instanceof RecoveryError ||
  error instanceof BackupError ||
  error instanceof DistributionError ||
  error instanceof FileStoreError
