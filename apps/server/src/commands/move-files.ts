import type { Config } from '../config.ts'
import { moveFiles, type MovedFiles } from '../features/files/move-files.ts'
import { FileStoreError, LOCATION } from '../platform/files/file-store.ts'
import { createOwnFileStore } from '../platform/files/open-file-store.ts'
import type { BackupCommandOptions } from './backup.ts'
import { listNames } from './list-names.ts'
import { openServiceDatabase } from './open-service-database.ts'

export const MOVE_FILES_HELP = `  admin move-files --to s3      moves attached files from FILES_DIR to S3_BUCKET_URL while the service runs; exit code 2 if some cannot be moved
  admin move-files --to directory  moves them back`

export interface MoveFilesCommand {
  name: 'move-files'
  target: keyof typeof LOCATION
}

/** Parses the arguments of the command; returns null when they are those of another one, or wrong. */
export function parseMoveFilesCommand([noun, verb, option, to, ...others]: readonly string[]): MoveFilesCommand | null {
  if (noun !== 'admin' || verb !== 'move-files' || option !== '--to' || others.length > 0) return null
  return to === 's3' || to === 'directory' ? { name: verb, target: to } : null
}

/**
 * Moves all files to one of the two stores, which must be the one to which new files go.
 * @returns what to print, and whether all could be moved
 * @throws {FileStoreError} when a store is unavailable, or the settings name none
 */
export async function runMoveFilesCommand(
  config: Config,
  { target: targetName }: MoveFilesCommand,
  options: BackupCommandOptions,
): Promise<{ text: string; isIntact: boolean }> {
  if (config.s3BucketUrl === null) {
    throw new FileStoreError(
      'unavailable',
      'Set S3_BUCKET_URL and the keys of the bucket, also to move files out of it.',
    )
  }
  const { db, close } = await openServiceDatabase(config)
  try {
    const fileStore = createOwnFileStore(db, config)
    const target = await fileStore.getForWriting()
    if (target.location !== LOCATION[targetName]) {
      throw new FileStoreError(
        'unavailable',
        `New files go to ${target.description}. Set FILES_STORE=${targetName} for all servers and for this command, and restart the servers first.`,
      )
    }
    const source = await fileStore.getAt(targetName === 's3' ? LOCATION.directory : LOCATION.s3)
    const result = await moveFiles(db, { source, target }, options)
    const isIntact = result.missing.length + result.damaged.length === 0
    return { text: describeMove(result, target.description), isIntact }
  } finally {
    await close()
  }
}

function describeMove({ moved, bytes, missing, damaged }: MovedFiles, target: string): string {
  const count = (number: number) => number.toLocaleString('en')
  const left = missing.length + damaged.length
  return [
    `Moved ${count(moved)} ${moved === 1 ? 'file' : 'files'} (${(bytes / 1_000_000).toFixed(1)} MB) to ${target}.`,
    left === 0
      ? 'None is left where they were. Keep both settings for FILE_DELETE_DAYS: until then, the contents stay there for backups.'
      : `${count(left)} could not be moved.`,
    ...listNames('Missing', missing),
    ...listNames('Damaged', damaged),
  ].join('\n')
}
