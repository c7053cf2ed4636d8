import { createHash } from 'node:crypto'
import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { chooseAccount, getAccountName, type Account } from './account.ts'
import { EmbeddedPostgresError, getErrorCode, getErrorMessage, type EmbeddedLog } from './error.ts'
import { findInaccessibleDirectory } from './find-inaccessible-directory.ts'
import type { ServiceDescription } from './service.ts'

/** The directory that contains all of one embedded PostgreSQL, and the account that it runs as. */
export interface DataDirectory {
  path: string
  /** PostgreSQL's own data directory, `<path>/postgres`. */
  cluster: string
  account: Account | undefined
  service: ServiceDescription
}

interface DataDirectoryOptions {
  dataDir: string
  dataDirIsDefault: boolean
  systemDirectory: string
  service: ServiceDescription
  log: EmbeddedLog
}

/**
 * Creates the data directory if it is missing and checks that PostgreSQL can use it. As root, a default directory that
 * no ordinary account can reach, such as a clone under /root, is replaced by one in `systemDirectory`.
 */
export async function prepareDataDirectory(options: DataDirectoryOptions): Promise<DataDirectory> {
  const { service } = options
  const path = await createDirectory(resolve(options.dataDir), service)
  const cluster = join(path, 'postgres')
  const account = await chooseAccount(cluster, service)
  if (!account) {
    await requireOwnCluster(path, cluster, service)
    return { path, cluster, account, service }
  }
  const inaccessible = await findInaccessibleDirectory(account, path, service)
  if (!inaccessible) return { path, cluster, account, service }
  if (!options.dataDirIsDefault) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, so it runs as "${account.name}", which cannot enter ${inaccessible}, a parent of ` +
        `${path}: run "chmod o+x ${inaccessible}", or set ${service.dataDirSetting} to a directory that every user can ` +
        `reach, such as ${options.systemDirectory}.`,
    )
  }
  return await useSystemDirectory(path, account, inaccessible, options)
}

async function useSystemDirectory(
  dataDir: string,
  account: Account,
  inaccessible: string,
  { systemDirectory, service, log }: DataDirectoryOptions,
): Promise<DataDirectory> {
  // Named after the directory that it replaces, so that two clones on one machine do not share a database.
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const path = await createDirectory(join(systemDirectory, name), service)
  const alsoInaccessible = await findInaccessibleDirectory(account, path, service)
  if (alsoInaccessible) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and "${account.name}" can enter neither ${inaccessible} nor ${alsoInaccessible}: ` +
        `set ${service.dataDirSetting} to a directory that every user can reach, or start ${service.name} as an ordinary user.`,
    )
  }
  const cluster = join(path, 'postgres')
  log.warn(
    { dataDirectory: path },
    `The database is in ${path}, not in ${dataDir}: PostgreSQL refuses to run as root, and "${account.name}" cannot enter ` +
      `${inaccessible}. Set ${service.dataDirSetting} to choose another directory.`,
  )
  return { path, cluster, account: (await chooseAccount(cluster, service)) ?? account, service }
}

async function createDirectory(path: string, service: ServiceDescription): Promise<string> {
  try {
    const firstCreated = await mkdir(path, { recursive: true, mode: 0o755 })
    if (firstCreated) await makeTraversable(firstCreated, path)
    if (!(await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(path)
  } catch (error) {
    const reason = await describeDirectoryError(path, error)
    throw new EmbeddedPostgresError(`${reason}, or set ${service.dataDirSetting} to another directory.`)
  }
}

/** With a umask of 077, which root often has, PostgreSQL's account could not enter the new directories. */
async function makeTraversable(first: string, last: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  for (let path = last; path.length >= first.length; path = dirname(path)) await chmod(path, 0o711)
}

async function describeDirectoryError(path: string, error: unknown): Promise<string> {
  // Node reports ENOENT whenever it cannot create a directory; its parent has the real reason.
  if (getErrorCode(error) === 'ENOENT' && dirname(path) !== path) {
    const parentError = await access(dirname(path), constants.W_OK).then(
      () => error,
      (reason: unknown) => reason,
    )
    return await describeDirectoryError(dirname(path), getErrorCode(parentError) === 'ENOENT' ? error : parentError)
  }
  const user = process.getuid ? `user "${await getAccountName(process.getuid())}"` : 'this user'
  switch (getErrorCode(error)) {
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data directory ${path} cannot be used because it, or one of its parents, is a file: move the file away`
    case 'EACCES':
    case 'EPERM':
      return `The data directory ${path} cannot be used because ${user} has no permission to write to it: change its owner with chown`
    case 'EROFS':
      return `The data directory ${path} is on a read-only file system: mount it writable`
    case 'ENOSPC':
      return `The data directory ${path} cannot be created because the disk is full: free some space`
    default:
      return `The data directory ${path} cannot be used (${getErrorMessage(error)}): repair it`
  }
}

/** PostgreSQL runs only on a cluster of its own account, and an ordinary user cannot change the account. */
async function requireOwnCluster(path: string, cluster: string, service: ServiceDescription): Promise<void> {
  const owner = await stat(cluster).catch(() => undefined)
  const uid = process.getuid?.()
  if (!owner || uid === undefined || owner.uid === uid) return
  const [ownerName, ownName] = [await getAccountName(owner.uid), await getAccountName(uid)]
  throw new EmbeddedPostgresError(
    `The database in ${cluster} belongs to user "${ownerName}", and this is "${ownName}" (was ${service.name} started as ` +
      `root before?): start it as before, or change the owner with "sudo chown -R ${ownName} ${path}".`,
  )
}
