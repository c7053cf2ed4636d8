import { randomBytes } from 'node:crypto'
import { access, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

import { BackupError, toFileError } from './backup-error.ts'

/** Between the name of a file and random characters, while it is written. */
const TEMPORARY_MARK = '.incomplete-'
/** A file that was not written to for this long belongs to a process that was killed. */
const STALE_MS = 60 * 60 * 1000

/**
 * Creates a file under a temporary name in the same directory and renames it when it is complete, so that a process that is
 * killed leaves none that looks complete.
 * @param write writes the file with this name, and to the disk
 * @throws {BackupError} when the file exists or cannot be written
 */
export async function createFileAtomically<T>(file: string, write: (temporary: string) => Promise<T>): Promise<T> {
  if (await exists(file)) throw new BackupError(`${file} exists already: choose another name, or remove it.`)
  const temporary = `${file}${TEMPORARY_MARK}${randomBytes(4).toString('hex')}`
  try {
    const result = await write(temporary)
    await rename(temporary, file)
    await syncDirectory(dirname(file))
    return result
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw toFileError('write', file, error)
  }
}

/** Removes what processes that were killed have left of files with such names. */
export async function removeIncompleteFiles(directory: string, isFile: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(directory)) {
    const end = name.lastIndexOf(TEMPORARY_MARK)
    if (end === -1 || !isFile(basename(name.slice(0, end)))) continue
    const path = join(directory, name)
    const { mtimeMs } = await stat(path)
    if (mtimeMs < Date.now() - STALE_MS) await rm(path, { force: true })
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  )
}

/** A rename is durable only after fsync of its directory. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
