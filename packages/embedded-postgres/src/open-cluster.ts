import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { createCluster, removeIncompleteClusters } from './create-cluster.ts'
import { getErrorCode, EmbeddedPostgresError, type EmbeddedLog } from './error.ts'
import type { DataDirectory } from './data-directory.ts'
import { run } from './run-program.ts'
import { passwordFile, renewPassword } from './superuser.ts'

/** Makes the cluster if there is none, checks it if there is, and gives back the service's password. */
export async function openCluster(
  home: DataDirectory,
  binaries: Binaries,
  log: EmbeddedLog,
): Promise<{ password: string }> {
  await removeIncompleteClusters(home)
  const found = await readdir(home.cluster).catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return []
    throw unreadableDirectoryError(home.cluster, error)
  })
  if (found.length === 0) return createCluster(home, binaries, log)

  await changeOwner(home)
  const version = await readFile(join(home.cluster, 'PG_VERSION'), 'utf8').catch(() => '')
  if (version === '') {
    throw new EmbeddedPostgresError(
      `The folder ${home.cluster} holds something that is not a PostgreSQL database: move it away, or set DATA_DIR to another folder.`,
    )
  }
  if (version.trim() !== binaries.major) throw versionMismatchError(home.cluster, version.trim(), binaries.major)
  const password = await readFile(join(home.cluster, passwordFile), 'utf8').catch(() => '')
  return { password: password === '' ? await renewPassword(home, binaries) : password }
}

/** Restored by root, say. Only a folder that is root's: in one that isn't, its owner could have put links to other files. */
async function changeOwner({ cluster, account }: DataDirectory): Promise<void> {
  if (!account || (await stat(cluster)).uid !== 0) return
  await run('chown', ['-R', '-h', `${account.uid}:${account.gid}`, cluster])
}

function versionMismatchError(cluster: string, theirs: string, ours: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database in ${cluster} was made by PostgreSQL ${theirs}, and this Caseward brings PostgreSQL ${ours}: serve the folder ` +
      `with PostgreSQL ${theirs} and set DATABASE_URL to it, or dump it with pg_dump ${theirs}, move the folder away, start ` +
      'Caseward once and restore the dump.',
  )
}

function unreadableDirectoryError(cluster: string, error: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The database folder ${cluster} cannot be read (${getErrorCode(error)}): give it to the user that Caseward runs as.`,
  )
}
