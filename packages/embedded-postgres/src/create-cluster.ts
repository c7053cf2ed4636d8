import { chown, mkdtemp, open, readdir, rename, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { program, type Binaries } from './binaries.ts'
import type { EmbeddedLog } from './error.ts'
import { diskFull, failed, neededMegabytes } from './failures.ts'
import type { Home } from './data-directory.ts'
import { removeFolder, run, writePrivateFile } from './run-program.ts'
import { initialSettings, settingArguments } from './settings.ts'
import { asSuperuser, newPassword, passwordFile, serviceName } from './superuser.ts'

/** What a folder is called until the cluster in it is whole. */
const halfMade = '.postgres-'

/**
 * All of it happens under a passing name and counts only when the folder gets its own: a start that is broken off leaves
 * nothing that could be taken for a database.
 */
export async function createCluster(home: Home, binaries: Binaries, log: EmbeddedLog): Promise<{ password: string }> {
  await mustHaveSpace(home.folder)
  log.info({ folder: home.cluster }, `Creating the database in ${home.cluster}`)
  const folder = await mkdtemp(join(home.folder, halfMade))
  try {
    if (home.account) await chown(folder, home.account.uid, home.account.gid)
    await initialise(folder, home, binaries)
    await writePrivateFile(join(folder, 'pg_hba.conf'), accessRules, home.account)
    const password = newPassword()
    await asSuperuser(folder, home, binaries, [
      // No superuser: the same rights as on a server of the operator's own, and less to gain for whoever finds a hole.
      `create role ${serviceName} login createdb password '${password}'`,
      `create database ${serviceName} owner ${serviceName}`,
    ])
    await writePrivateFile(join(folder, passwordFile), password, home.account)
    const synced = await run(program(binaries, 'initdb'), ['--sync-only', '-D', folder], { account: home.account })
    if (synced.status !== 0) throw failed('initdb', synced.stderr, home.folder)
    await rename(folder, home.cluster)
    await syncFolder(home.folder)
    return { password }
  } catch (error) {
    await removeFolder(folder, home.account)
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

async function initialise(folder: string, home: Home, binaries: Binaries): Promise<void> {
  const initdb = async (characterType: string) =>
    run(
      program(binaries, 'initdb'),
      ['-D', folder, ...choices, `--lc-ctype=${characterType}`, ...settingArguments(initialSettings)],
      { account: home.account },
    )
  // PostgreSQL's own C.UTF-8 sorts and compares alike on every system. But pg_trgm asks the system what a letter is: under
  // the system's C it sees none outside ASCII, and a search for "Prüfung" would lose its index. Not every system has C.UTF-8.
  let result = await initdb('C.UTF-8')
  if (/invalid locale name/.test(result.stderr))
    result = await initdb(process.platform === 'darwin' ? 'UTF-8' : 'en_US.UTF-8')
  if (/invalid locale name/.test(result.stderr)) result = await initdb('C')
  if (result.status !== 0) throw failed('initdb', result.stderr, home.folder)
}

/** Only the service's role, only with its password. The superuser is reached by `postgres --single`. */
const accessRules = `local all ${serviceName} scram-sha-256\nhost all ${serviceName} 127.0.0.1/32 scram-sha-256\n`

/** Clears away what a start that was broken off left. */
export async function removeHalfMade(home: Home): Promise<void> {
  for (const name of await readdir(home.folder)) {
    if (name.startsWith(halfMade)) await removeFolder(join(home.folder, name), home.account)
  }
}

async function mustHaveSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const megabytes = Math.floor((bavail * bsize) / 1_000_000)
  if (megabytes < neededMegabytes) throw diskFull(folder, `only ${megabytes} MB are free`)
}

/** A rename is on the disk when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
