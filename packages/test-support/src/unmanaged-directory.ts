import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A database needs some space; with less in memory the directory is created on disk. */
const MIN_FREE_BYTES = 2_000_000_000

/**
 * Creates a directory that every account may enter and that the caller removes. It is in memory where possible, because
 * copying a database is seven times faster there; but the system may forbid to run programs from memory.
 */
export async function createUnmanagedDirectory(purpose?: 'programs'): Promise<string> {
  const memory = purpose === 'programs' ? undefined : await statfs('/dev/shm').catch(() => undefined)
  const parent = memory && memory.bavail * memory.bsize > MIN_FREE_BYTES ? '/dev/shm' : tmpdir()
  const directory = await mkdtemp(join(parent, 'caseward-test-'))
  await chmod(directory, 0o755)
  return directory
}
