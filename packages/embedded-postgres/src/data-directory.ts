import { createHash } from 'node:crypto'
import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { chooseAccount, accountName, findInaccessibleDirectory, type Account } from './account.ts'
import { getErrorCode, EmbeddedPostgresError, getErrorMessage, type EmbeddedLog } from './error.ts'

/** The folder that holds everything of one embedded PostgreSQL, and the account it runs as. */
export interface DataDirectory {
  directory: string
  /** PostgreSQL's own data folder, `<folder>/postgres`. */
  cluster: string
  account: Account | undefined
}

/**
 * Makes the data folder ready, or says why it cannot be. The one case in which another folder is taken: we are root, nobody
 * chose the folder (`dataDirIsDefault`), and it lies where no ordinary account gets to, such as a clone under /root.
 */
export async function prepareDataDirectory(options: {
  dataDir: string
  dataDirIsDefault: boolean
  systemDirectory: string
  log: EmbeddedLog
}): Promise<DataDirectory> {
  const directory = await makeFolder(resolve(options.dataDir))
  const account = await chooseAccount(join(directory, 'postgres'))
  if (!account) return { directory, cluster: await requireOwnCluster(directory), account }

  const closed = await findInaccessibleDirectory(account, directory)
  if (!closed) return { directory, cluster: join(directory, 'postgres'), account }
  if (!options.dataDirIsDefault) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, so it runs as "${account.name}", who may not enter ${closed} on the way to ${directory}: ` +
        `run "chmod o+x ${closed}", or set DATA_DIR to a folder that every user can reach, such as /var/lib/caseward.`,
    )
  }
  return useSystemDirectory(directory, account, closed, options)
}

async function useSystemDirectory(
  dataDir: string,
  account: Account,
  closed: string,
  options: { systemDirectory: string; log: EmbeddedLog },
): Promise<DataDirectory> {
  // Named after the folder it stands for, so that two clones on one machine don't share a database.
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const directory = await makeFolder(join(options.systemDirectory, name))
  const stillClosed = await findInaccessibleDirectory(account, directory)
  if (stillClosed) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and "${account.name}" may enter neither ${closed} nor ${stillClosed}: ` +
        'set DATA_DIR to a folder that every user can reach, or start Caseward as an ordinary user.',
    )
  }
  const cluster = join(directory, 'postgres')
  options.log.warn(
    { dataFolder: directory },
    `The database is in ${directory}, not in ${dataDir}: PostgreSQL refuses to run as root, and "${account.name}" may not enter ` +
      `${closed}. Set DATA_DIR to choose another folder.`,
  )
  return { directory, cluster, account: (await chooseAccount(cluster)) ?? account }
}

async function makeFolder(directory: string): Promise<string> {
  try {
    const first = await mkdir(directory, { recursive: true, mode: 0o755 })
    if (first) await makeTraversable(first, directory)
    if (!(await stat(directory)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(directory)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `${await describeDirectoryError(directory, error)}, or set DATA_DIR to another folder.`,
    )
  }
}

/** Root's umask may be 077, which would shut PostgreSQL's account out of the folders we have just made for it. */
async function makeTraversable(first: string, last: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  for (let each = last; each.length >= first.length; each = dirname(each)) await chmod(each, 0o711)
}

async function describeDirectoryError(directory: string, error: unknown): Promise<string> {
  // What Node says when it cannot make a folder, whatever the reason: ask the one that it would have been in.
  if (getErrorCode(error) === 'ENOENT' && dirname(directory) !== directory) {
    const parent = await access(dirname(directory), constants.W_OK).then(
      () => error,
      (reason: unknown) => reason,
    )
    return describeDirectoryError(dirname(directory), getErrorCode(parent) === 'ENOENT' ? error : parent)
  }
  const me = process.getuid ? `user "${await accountName(process.getuid())}"` : 'this user'
  switch (getErrorCode(error)) {
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${directory} cannot be used, because it, or something on the way to it, is a file: move that away`
    case 'EACCES':
    case 'EPERM':
      return `The data folder ${directory} cannot be used, because ${me} may not write there: give it to that user with chown`
    case 'EROFS':
      return `The data folder ${directory} is on a read-only file system: mount it writable`
    case 'ENOSPC':
      return `The data folder ${directory} cannot be made, because the disk is full: free some space`
    default:
      return `The data folder ${directory} cannot be used (${getErrorMessage(error)}): repair it`
  }
}

/** As an ordinary user we can only serve a cluster of our own: PostgreSQL insists on it. */
async function requireOwnCluster(directory: string): Promise<string> {
  const cluster = join(directory, 'postgres')
  const owner = await stat(cluster).catch(() => undefined)
  const uid = process.getuid?.()
  if (owner && uid !== undefined && owner.uid !== uid) {
    const [theirs, mine] = [await accountName(owner.uid), await accountName(uid)]
    throw new EmbeddedPostgresError(
      `The database in ${cluster} belongs to user "${theirs}", and this is "${mine}" (was Caseward started as root before?): ` +
        `start it as before, or hand everything over with "sudo chown -R ${mine} ${directory}".`,
    )
  }
  return cluster
}
