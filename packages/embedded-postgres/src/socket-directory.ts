import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'
import type { DataDirectory } from './data-directory.ts'

/** The kernel's limit is 108 bytes on Linux and 104 on macOS; and `<home>/postgres/.s.PGSQL.5432` is the longest that we make. */
const longestHome = 103 - '/postgres/.s.PGSQL.5432'.length

/** Where sockets go: beside the data, unless that is too deep for a socket's address, then in a folder of the system's. */
export async function getSocketDirectory(home: DataDirectory): Promise<string> {
  if (process.platform === 'win32' || Buffer.byteLength(home.directory) < longestHome) return home.directory
  // /tmp rather than TMPDIR, which may differ between two servers on the same folder, who then would not see each other.
  const temporary = await lstat('/tmp').then(() => '/tmp', tmpdir)
  const name = createHash('sha256').update(home.directory).digest('hex').slice(0, 12)
  const directory = join(temporary, `caseward-${process.getuid?.() ?? 0}-${name}`)
  await makePrivate(directory, undefined, home.account ? 0o711 : 0o700)
  return directory
}

/** PostgreSQL's own part of it, where only its account and root get in. To be called by the owner of the folder only. */
export async function getPostgresSocketDirectory(home: DataDirectory, sockets: string): Promise<string> {
  if (sockets === home.directory) return home.cluster
  const directory = join(sockets, 'postgres')
  await makePrivate(directory, home.account, 0o700)
  return directory
}

/** The name can be foreseen and the temporary folder is everybody's: nobody else may have made it first. */
async function makePrivate(directory: string, account: Account | undefined, mode: number): Promise<void> {
  const made = await mkdir(directory, { mode }).then(
    () => true,
    () => false,
  )
  if (made && account) await chown(directory, account.uid, account.gid)
  const found = await lstat(directory)
  const mine = account?.uid ?? process.getuid?.()
  if (!found.isDirectory() || found.uid !== mine || (found.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      `The folder ${directory}, which Caseward needs for its sockets, was made by somebody else: remove it, or set DATA_DIR to a ` +
        `folder whose path is shorter than ${longestHome} bytes.`,
    )
  }
}
