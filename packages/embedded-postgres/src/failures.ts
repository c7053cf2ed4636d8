import { getErrorCode, EmbeddedPostgresError, getErrorMessage } from './error.ts'

/** A new cluster takes 47 MB, and what the first migrations and write-ahead log add. */
export const neededMegabytes = 100

/** What a failed program of PostgreSQL's means for the operator. */
export function postgresProgramError(what: string, output: string, directory: string): EmbeddedPostgresError {
  if (/No space left on device|Disk quota exceeded/.test(output)) return diskFullError(directory, 'the disk is full')
  if (/could not look up effective user ID/.test(output)) {
    return new EmbeddedPostgresError(
      `PostgreSQL cannot run as user ${process.getuid?.()}, who is not in /etc/passwd: start Caseward as a user who is, or set ` +
        'DATABASE_URL to a PostgreSQL server.',
    )
  }
  const lines = output.trim().split('\n')
  const last = lines.findLastIndex((line) => /(error|FATAL|PANIC|ERROR):/.test(line))
  // "configuration file … contains errors": which ones stands before.
  const first = /contains errors/.test(lines[last] ?? '') ? Math.max(0, last - 1) : last
  const reason = lines.slice(first, last === -1 ? undefined : last + 1).join(' ')
  return new EmbeddedPostgresError(
    `PostgreSQL (${what}) failed in ${directory}: ${reason || 'it said nothing'}. Repair that, set DATA_DIR to another ` +
      'folder, or set DATABASE_URL to a PostgreSQL server.',
  )
}

export function diskFullError(directory: string, how: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `There is not enough space in ${directory}: ${how}, and the database needs at least ${neededMegabytes} MB. Free some space, or ` +
      'set DATA_DIR to a folder on a larger disk.',
  )
}

/** An error of the system's on the way, such as a full disk, becomes one for the operator; a mistake of ours stays what it is. */
export function toEmbeddedPostgresError(error: unknown, directory: string): unknown {
  if (error instanceof EmbeddedPostgresError || !(error instanceof Error) || !('syscall' in error)) return error
  if (/^(ENOSPC|EDQUOT)$/.test(getErrorCode(error))) return diskFullError(directory, 'the disk is full')
  return new EmbeddedPostgresError(
    `The data folder ${directory} cannot be used (${getErrorMessage(error)}): repair that, or set DATA_DIR to another folder.`,
  )
}
