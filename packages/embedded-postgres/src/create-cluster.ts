import { chown, mkdtemp, open, readdir, rename, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { program, type Binaries } from './binaries.ts'
import type { EmbeddedLog } from './error.ts'
import { diskFullError, postgresProgramError, neededMegabytes } from './failures.ts'
import type { DataDirectory } from './data-directory.ts'
import { removeFolder, run, writePrivateFile } from './run-program.ts'
import { initialSettings, settingArguments } from './settings.ts'
import { asSuperuser, newPassword, passwordFile, serviceName } from './superuser.ts'

/** What a folder is called until the cluster in it is whole. */
const TEMPORARY_PREFIX = '.postgres-'

/**
 * All of it happens under a passing name and counts only when the folder gets its own: a start that is broken off leaves
 * nothing that could be taken for a database.
 */
export async function createCluster(
  home: DataDirectory,
  binaries: Binaries,
  log: EmbeddedLog,
): Promise<{ password: string }> {
  await requireFreeSpace(home.directory)
  log.info({ directory: home.cluster }, `Creating the database in ${home.cluster}`)
  const directory = await mkdtemp(join(home.directory, TEMPORARY_PREFIX))
  try {
    if (home.account) await chown(directory, home.account.uid, home.account.gid)
    await initializeCluster(directory, home, binaries)
    await writePrivateFile(join(directory, 'pg_hba.conf'), accessRules, home.account)
    const password = newPassword()
    await asSuperuser(directory, home, binaries, [
      // No superuser: the same rights as on a server of the operator's own, and less to gain for whoever finds a hole.
      `create role ${serviceName} login createdb password '${password}'`,
      `create database ${serviceName} owner ${serviceName}`,
    ])
    await writePrivateFile(join(directory, passwordFile), password, home.account)
    const synced = await run(program(binaries, 'initdb'), ['--sync-only', '-D', directory], { account: home.account })
    if (synced.status !== 0) throw postgresProgramError('initdb', synced.stderr, home.directory)
    await rename(directory, home.cluster)
    await syncFolder(home.directory)
    return { password }
  } catch (error) {
    await removeFolder(directory, home.account)
    throw error
  }
}

const choices = [
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

async function initializeCluster(directory: string, home: DataDirectory, binaries: Binaries): Promise<void> {
  const initdb = async (characterType: string) =>
    run(
      program(binaries, 'initdb'),
      ['-D', directory, ...choices, `--lc-ctype=${characterType}`, ...settingArguments(initialSettings)],
      { account: home.account },
    )
  // PostgreSQL's own C.UTF-8 sorts and compares alike on every system. But pg_trgm asks the system what a letter is: under
  // the system's C it sees none outside ASCII, and a search for "Prüfung" would lose its index. Not every system has C.UTF-8.
  let result = await initdb('C.UTF-8')
  if (/invalid locale name/.test(result.stderr))
    result = await initdb(process.platform === 'darwin' ? 'UTF-8' : 'en_US.UTF-8')
  if (/invalid locale name/.test(result.stderr)) result = await initdb('C')
  if (result.status !== 0) throw postgresProgramError('initdb', result.stderr, home.directory)
}

/** Only the service's role, only with its password. The superuser is reached by `postgres --single`. */
const accessRules = `local all ${serviceName} scram-sha-256\nhost all ${serviceName} 127.0.0.1/32 scram-sha-256\n`

/** Clears away what a start that was broken off left. */
export async function removeIncompleteClusters(home: DataDirectory): Promise<void> {
  for (const name of await readdir(home.directory)) {
    if (name.startsWith(TEMPORARY_PREFIX)) await removeFolder(join(home.directory, name), home.account)
  }
}

async function requireFreeSpace(directory: string): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  const megabytes = Math.floor((bavail * bsize) / 1_000_000)
  if (megabytes < neededMegabytes) throw diskFullError(directory, `only ${megabytes} MB are free`)
}

/** A rename is on the disk when its folder is. */
async function syncFolder(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
