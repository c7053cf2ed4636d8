import { createHash } from 'node:crypto'
import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { accountFor, accountName, folderClosedTo, type Account } from './account.ts'
import { codeOf, EmbeddedPostgresError, messageOf, type EmbeddedLog } from './error.ts'

/** The folder that holds everything of one embedded PostgreSQL, and the account it runs as. */
export interface Home {
  folder: string
  /** PostgreSQL's own data folder, `<folder>/postgres`. */
  cluster: string
  account: Account | undefined
}

/**
 * Makes the data folder ready, or says why it cannot be. The one case in which another folder is taken: we are root, nobody
 * chose the folder (`dataDirIsDefault`), and it lies where no ordinary account gets to, such as a clone under /root.
 */
export async function openHome(options: {
  dataDir: string
  dataDirIsDefault: boolean
  systemFolder: string
  log: EmbeddedLog
}): Promise<Home> {
  const folder = await makeFolder(resolve(options.dataDir))
  const account = await accountFor(join(folder, 'postgres'))
  if (!account) return { folder, cluster: await ownCluster(folder), account }

  const closed = await folderClosedTo(account, folder)
  if (!closed) return { folder, cluster: join(folder, 'postgres'), account }
  if (!options.dataDirIsDefault) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, so it runs as "${account.name}", who may not enter ${closed} on the way to ${folder}: ` +
        `run "chmod o+x ${closed}", or set DATA_DIR to a folder that every user can reach, such as /var/lib/caseward.`,
    )
  }
  return elsewhere(folder, account, closed, options)
}

async function elsewhere(
  dataDir: string,
  account: Account,
  closed: string,
  options: { systemFolder: string; log: EmbeddedLog },
): Promise<Home> {
  // Named after the folder it stands for, so that two clones on one machine don't share a database.
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const folder = await makeFolder(join(options.systemFolder, name))
  const stillClosed = await folderClosedTo(account, folder)
  if (stillClosed) {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and "${account.name}" may enter neither ${closed} nor ${stillClosed}: ` +
        'set DATA_DIR to a folder that every user can reach, or start Caseward as an ordinary user.',
    )
  }
  const cluster = join(folder, 'postgres')
  options.log.warn(
    { dataFolder: folder },
    `The database is in ${folder}, not in ${dataDir}: PostgreSQL refuses to run as root, and "${account.name}" may not enter ` +
      `${closed}. Set DATA_DIR to choose another folder.`,
  )
  return { folder, cluster, account: (await accountFor(cluster)) ?? account }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    const first = await mkdir(folder, { recursive: true, mode: 0o755 })
    if (first) await openForOthers(first, folder)
    if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return await realpath(folder)
  } catch (error) {
    throw new EmbeddedPostgresError(`${await whyUnusable(folder, error)}, or set DATA_DIR to another folder.`)
  }
}

/** Root's umask may be 077, which would shut PostgreSQL's account out of the folders we have just made for it. */
async function openForOthers(first: string, last: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  for (let each = last; each.length >= first.length; each = dirname(each)) await chmod(each, 0o711)
}

async function whyUnusable(folder: string, error: unknown): Promise<string> {
  // What Node says when it cannot make a folder, whatever the reason: ask the one that it would have been in.
  if (codeOf(error) === 'ENOENT' && dirname(folder) !== folder) {
    const parent = await access(dirname(folder), constants.W_OK).then(
      () => error,
      (reason: unknown) => reason,
    )
    return whyUnusable(dirname(folder), codeOf(parent) === 'ENOENT' ? error : parent)
  }
  const me = process.getuid ? `user "${await accountName(process.getuid())}"` : 'this user'
  switch (codeOf(error)) {
    case 'ENOTDIR':
    case 'EEXIST':
      return `The data folder ${folder} cannot be used, because it, or something on the way to it, is a file: move that away`
    case 'EACCES':
    case 'EPERM':
      return `The data folder ${folder} cannot be used, because ${me} may not write there: give it to that user with chown`
    case 'EROFS':
      return `The data folder ${folder} is on a read-only file system: mount it writable`
    case 'ENOSPC':
      return `The data folder ${folder} cannot be made, because the disk is full: free some space`
    default:
      return `The data folder ${folder} cannot be used (${messageOf(error)}): repair it`
  }
}

/** As an ordinary user we can only serve a cluster of our own: PostgreSQL insists on it. */
async function ownCluster(folder: string): Promise<string> {
  const cluster = join(folder, 'postgres')
  const owner = await stat(cluster).catch(() => undefined)
  const uid = process.getuid?.()
  if (owner && uid !== undefined && owner.uid !== uid) {
    const [theirs, mine] = [await accountName(owner.uid), await accountName(uid)]
    throw new EmbeddedPostgresError(
      `The database in ${cluster} belongs to user "${theirs}", and this is "${mine}" (was Caseward started as root before?): ` +
        `start it as before, or hand everything over with "sudo chown -R ${mine} ${folder}".`,
    )
  }
  return cluster
}
