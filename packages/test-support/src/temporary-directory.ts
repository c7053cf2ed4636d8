import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A folder that everybody may enter. In memory if there is a disk for that, where copying a database is seven times
 * quicker; but programs may be forbidden there.
 */
export async function makeDirectory(purpose?: 'programs'): Promise<string> {
  const memory = purpose === 'programs' ? undefined : await statfs('/dev/shm').catch(() => undefined)
  const parent = memory && memory.bavail * memory.bsize > 2_000_000_000 ? '/dev/shm' : tmpdir()
  const folder = await mkdtemp(join(parent, 'caseward-test-'))
  await chmod(folder, 0o755)
  return folder
}
