import { lstat, mkdir, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Tests work on hard links: what one of them might change in place must not last. */
const MAX_AGE_MS = 3 * 24 * 60 * 60 * 1000

/**
 * Returns the directory of this user with installations of earlier runs, and removes old ones. It is beside the projects of tests,
 * because hard links need the same file system.
 * @throws when it belongs to another user, who could change what the tests execute
 */
export async function openInstallationCache(): Promise<string> {
  const userId = process.getuid?.()
  const directory = join(tmpdir(), `caseward-installations-${userId ?? 'of-user'}`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const { uid, mode } = await lstat(directory)
  if (userId !== undefined && (uid !== userId || (mode & 0o022) !== 0)) {
    throw new Error(`${directory} can be changed by other users: remove it.`)
  }
  for (const name of await readdir(directory)) {
    const { mtimeMs } = await lstat(join(directory, name))
    if (Date.now() - mtimeMs > MAX_AGE_MS) await rm(join(directory, name), { recursive: true, force: true })
  }
  return directory
}
