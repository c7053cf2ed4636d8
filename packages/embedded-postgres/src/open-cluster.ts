import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { createCluster, removeIncompleteClusters } from './create-cluster.ts'
import type { DataDirectory } from './data-directory.ts'
import { EmbeddedPostgresError, getErrorCode, type EmbeddedLog } from './error.ts'
import { run } from './run-program.ts'
import { getPasswordFile, renewPassword } from './superuser.ts'

/** Creates the cluster if there is none, checks an existing one, and returns the password of the service's role. */
export async function openCluster(
  dataDirectory: DataDirectory,
  binaries: Binaries,
  log: EmbeddedLog,
): Promise<{ password: string }> {
  const { cluster, service } = dataDirectory
  await removeIncompleteClusters(dataDirectory)
  const files = await readdir(cluster).catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return []
    throw unreadableDirectoryError(dataDirectory, error)
  })
  if (files.length === 0) return await createCluster(dataDirectory, binaries, log)

  await changeOwner(dataDirectory)
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version === '') {
    throw new EmbeddedPostgresError(
      `The directory ${cluster} contains files that are not a PostgreSQL database: move them away, or set ` +
        `${service.dataDirSetting} to another directory.`,
    )
  }
  if (version.trim() !== binaries.major) throw versionMismatchError(dataDirectory, version.trim(), binaries.major)
  const password = await readFile(getPasswordFile(cluster, service), 'utf8').catch(() => '')
  return { password: password === '' ? await renewPassword(dataDirectory, binaries) : password }
}

/**
 * Gives a cluster of root, such as one restored from a backup, to PostgreSQL's account. Only if root owns the
 * directory: another owner could have put links to other files into it.
 */
async function changeOwner({ cluster, account }: DataDirectory): Promise<void> {
  if (!account || (await stat(cluster)).uid !== 0) return
  await run('chown', ['-R', '-h', `${account.uid}:${account.gid}`, cluster])
}

function versionMismatchError(
  { cluster, service }: DataDirectory,
  found: string,
  included: string,
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${cluster} was created by PostgreSQL ${found}, and ${service.name} includes PostgreSQL ${included}: ` +
      `dump it with pg_dump ${found}, move the directory away, start ${service.name} once and restore the dump; or run ` +
      `PostgreSQL ${found} on the directory and ${service.alternative}.`,
  )
}

function unreadableDirectoryError({ cluster, service }: DataDirectory, error: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database directory ${cluster} cannot be read (${getErrorCode(error)}): change its owner to the user that runs ` +
      `${service.name}.`,
  )
}
