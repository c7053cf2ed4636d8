import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'
import type { DataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError } from './error.ts'

/** The limit of a socket's path is 108 bytes on Linux and 104 on macOS; PostgreSQL's socket has our longest path. */
const MAX_PATH_BYTES = 103 - '/postgres/.s.PGSQL.5432'.length

/** Returns the directory for sockets: the data directory, or one in /tmp if its path is too long for a socket. */
export async function getSocketDirectory(dataDirectory: DataDirectory): Promise<string> {
  const { path, service, account } = dataDirectory
  if (process.platform === 'win32' || Buffer.byteLength(path) < MAX_PATH_BYTES) return path
  // /tmp, not TMPDIR: two services on one data directory may have different values, and would not see each other.
  const temporary = await lstat('/tmp').then(() => '/tmp', tmpdir)
  const name = createHash('sha256').update(path).digest('hex').slice(0, 12)
  const directory = join(temporary, `${service.id}-${process.getuid?.() ?? 0}-${name}`)
  await createPrivateDirectory(directory, dataDirectory, undefined, account ? 0o711 : 0o700)
  return directory
}

/**
 * Returns the directory of PostgreSQL's socket, which only its account and root can enter. Only the owner of the data
 * directory may call this.
 */
export async function getPostgresSocketDirectory(dataDirectory: DataDirectory, sockets: string): Promise<string> {
  if (sockets === dataDirectory.path) return dataDirectory.cluster
  const directory = join(sockets, 'postgres')
  await createPrivateDirectory(directory, dataDirectory, dataDirectory.account, 0o700)
  return directory
}

/** Rejects a directory that another account created first, because its name in /tmp can be predicted. */
async function createPrivateDirectory(
  directory: string,
  { service }: DataDirectory,
  owner: Account | undefined,
  mode: number,
): Promise<void> {
  const isCreated = await mkdir(directory, { mode }).then(
    () => true,
    () => false,
  )
  if (isCreated && owner) await chown(directory, owner.uid, owner.gid)
  const stats = await lstat(directory)
  const ownerUid = owner?.uid ?? process.getuid?.()
  if (!stats.isDirectory() || stats.uid !== ownerUid || (stats.mode & 0o022) !== 0) {
    throw new EmbeddedPostgresError(
      `The directory ${directory}, which ${service.name} needs for its sockets, belongs to another user: remove it, or set ` +
        `${service.dataDirSetting} to a directory whose path is shorter than ${MAX_PATH_BYTES} bytes.`,
    )
  }
}
