import { chown, mkdtemp, open, readdir, rename, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { getProgramPath, type Binaries } from './binaries.ts'
import type { DataDirectory } from './data-directory.ts'
import type { EmbeddedLog } from './error.ts'
import { diskFullError, MIN_FREE_MEGABYTES, postgresProgramError } from './postgres-errors.ts'
import { removeDirectory, run } from './run-program.ts'
import type { ServiceDescription } from './service.ts'
import { initialSettings, toArguments } from './settings.ts'
import { generatePassword, getPasswordFile, runAsSuperuser } from './superuser.ts'
import { writePrivateFile } from './write-private-file.ts'

/** The name of an incomplete cluster begins with this. */
const TEMPORARY_PREFIX = '.postgres-'

/** Creates the cluster under a temporary name and renames it at the end, so that an interrupted start leaves none. */
export async function createCluster(
  dataDirectory: DataDirectory,
  binaries: Binaries,
  log: EmbeddedLog,
): Promise<{ password: string }> {
  const { path, cluster, account, service } = dataDirectory
  await requireFreeSpace(dataDirectory)
  log.info({ directory: cluster }, `Creating the database in ${cluster}`)
  const temporary = await mkdtemp(join(path, TEMPORARY_PREFIX))
  try {
    if (account) await chown(temporary, account.uid, account.gid)
    await initializeCluster(temporary, dataDirectory, binaries)
    await writePrivateFile(join(temporary, 'pg_hba.conf'), formatAccessRules(service), dataDirectory)
    const password = generatePassword()
    await runAsSuperuser(temporary, dataDirectory, binaries, [
      // Not a superuser: the same rights as on an external server, and less harm if the service has a vulnerability.
      `create role ${service.id} login createdb password '${password}'`,
      `create database ${service.id} owner ${service.id}`,
    ])
    await writePrivateFile(getPasswordFile(temporary, service), password, dataDirectory)
    const synced = await run(getProgramPath(binaries, 'initdb'), ['--sync-only', '-D', temporary], { account })
    if (synced.status !== 0) throw postgresProgramError('initdb', synced.stderr, dataDirectory)
    await rename(temporary, cluster)
    await syncDirectory(path)
    return { password }
  } catch (error) {
    await removeDirectory(temporary, account)
    throw error
  }
}

const initdbOptions = [
  '--username=postgres',
  '--auth=reject',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--data-checksums',
  '--no-sync',
  '--no-instructions',
]

async function initializeCluster(directory: string, dataDirectory: DataDirectory, binaries: Binaries): Promise<void> {
  const initdb = async (characterType: string) =>
    await run(
      getProgramPath(binaries, 'initdb'),
      ['-D', directory, ...initdbOptions, `--lc-ctype=${characterType}`, ...toArguments(initialSettings)],
      { account: dataDirectory.account },
    )
  // The built-in C.UTF-8 sorts and compares alike on every system, but pg_trgm asks the operating system what a letter
  // is. With the system's C it knows only ASCII letters, so a search for "Prüfung" could not use its index. Not every
  // system has C.UTF-8.
  let result = await initdb('C.UTF-8')
  if (/invalid locale name/.test(result.stderr))
    result = await initdb(process.platform === 'darwin' ? 'UTF-8' : 'en_US.UTF-8')
  if (/invalid locale name/.test(result.stderr)) result = await initdb('C')
  if (result.status !== 0) throw postgresProgramError('initdb', result.stderr, dataDirectory)
}

/** pg_hba.conf: only the service's role can connect, with its password. The superuser needs `postgres --single`. */
const formatAccessRules = ({ id }: ServiceDescription): string =>
  `local all ${id} scram-sha-256\nhost all ${id} 127.0.0.1/32 scram-sha-256\n`

/** Removes what interrupted starts have left. */
export async function removeIncompleteClusters({ path, account }: DataDirectory): Promise<void> {
  for (const name of await readdir(path)) {
    if (name.startsWith(TEMPORARY_PREFIX)) await removeDirectory(join(path, name), account)
  }
}

async function requireFreeSpace(dataDirectory: DataDirectory): Promise<void> {
  const { bavail, bsize } = await statfs(dataDirectory.path)
  const megabytes = Math.floor((bavail * bsize) / 1_000_000)
  if (megabytes < MIN_FREE_MEGABYTES) throw diskFullError(dataDirectory, `only ${megabytes} MB are free`)
}

/** A rename is durable only after fsync of its directory. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
