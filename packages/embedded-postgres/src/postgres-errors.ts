import type { DataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError, getErrorCode, getErrorMessage } from './error.ts'

/** A new cluster takes 47 MB; the rest is for its write-ahead log and the first tables. */
export const MIN_FREE_MEGABYTES = 100

/** Whether a message of PostgreSQL says that a disk has no space left. */
export const isDiskFull = (message: string): boolean => /No space left on device|Disk quota exceeded/.test(message)

/** Converts the output of a failed PostgreSQL program into an error for the operator. */
export function postgresProgramError(
  program: string,
  output: string,
  dataDirectory: DataDirectory,
): EmbeddedPostgresError {
  const { path, service } = dataDirectory
  if (isDiskFull(output)) return diskFullError(dataDirectory, 'the disk is full')
  if (/could not look up effective user ID/.test(output)) {
    return new EmbeddedPostgresError(
      `PostgreSQL cannot run as user ${process.getuid?.()}, which is not in /etc/passwd: start ${service.name} as a user ` +
        `that is, or ${service.alternative}.`,
    )
  }
  const lines = output.trim().split('\n')
  const last = lines.findLastIndex((line) => /(error|FATAL|PANIC|ERROR):/.test(line))
  // The line before "configuration file … contains errors" names the error.
  const first = /contains errors/.test(lines[last] ?? '') ? Math.max(0, last - 1) : last
  const reason = lines.slice(first, last === -1 ? undefined : last + 1).join(' ')
  return new EmbeddedPostgresError(
    `PostgreSQL (${program}) failed in ${path}: ${reason || 'no output'}. Repair the cause, set ${service.dataDirSetting} to ` +
      `another directory, or ${service.alternative}.`,
  )
}

/** Returns the error for a disk without enough space. */
export function diskFullError({ path, service }: DataDirectory, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `There is not enough space in ${path}: ${reason}, and the database needs at least ${MIN_FREE_MEGABYTES} MB. Free some ` +
      `space, or set ${service.dataDirSetting} to a directory on a larger disk.`,
    { isDiskFull: true },
  )
}

/**
 * Converts a system error, such as a full disk, into an error for the operator. Programming errors stay as they are.
 */
export function toEmbeddedPostgresError(error: unknown, dataDirectory: DataDirectory): unknown {
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error) || !('syscall' in error)) return error
  if (/^(ENOSPC|EDQUOT)$/.test(getErrorCode(error))) return diskFullError(dataDirectory, 'the disk is full')
  const { path, service } = dataDirectory
  return new EmbeddedPostgresError(
    `The data directory ${path} cannot be used (${getErrorMessage(error)}): repair it, or set ${service.dataDirSetting} ` +
      'to another directory.',
  )
}
