import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedPostgresError, getErrorCode, getErrorMessage, type EmbeddedLog } from './error.ts'
import { run } from './run-program.ts'
import type { ServiceDescription } from './service.ts'

/** PostgreSQL's programs, in a place where the account that runs them can reach them. */
export interface Binaries {
  /** Contains bin, lib and share. */
  directory: string
  /** The major version, such as `18`. */
  major: string
}

/**
 * Makes sure that `account` can run the programs. They run where they are installed, except when npm skipped the
 * install script that creates the links between libraries, or when the account cannot reach them, as in a clone under
 * /root. Then they are copied.
 * @param copyTo directories to copy to, in order of preference
 */
export async function prepareBinaries(options: {
  packageDirectory: string
  account: Account | undefined
  copyTo: string[]
  service: ServiceDescription
  log: EmbeddedLog
}): Promise<Binaries> {
  const installed = join(options.packageDirectory, 'native')
  const hasLinks = await createLinks(installed).then(
    () => true,
    () => false,
  )
  const inPlace = hasLinks ? await checkBinaries(installed, options.account) : undefined
  if (inPlace?.binaries) return inPlace.binaries

  const version = await readVersion(options.packageDirectory)
  let reason = inPlace?.problem ?? 'links between its libraries are missing and cannot be created'
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
        'PostgreSQL runs from a copy because its programs cannot run where they are installed',
      )
      return copied.binaries
    }
    reason = copied.problem
  }
  throw new EmbeddedPostgresError(
    `The PostgreSQL that is included in ${options.service.name} does not run on this machine (${reason}): ` +
      `${options.service.alternative}.`,
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

/** Copies to a temporary name and renames, so that an incomplete copy is never used. */
async function copyBinaries(installed: string, directory: string): Promise<void> {
  const created = await mkdir(dirname(directory), { recursive: true })
  // PostgreSQL's account has to enter it, whatever our umask is.
  if (created) await chmod(dirname(directory), 0o755)
  await requireExclusiveOwnership(dirname(directory))
  if (await exists(directory)) return await requireExclusiveOwnership(directory)
  const temporary = await mkdtemp(`${directory}.`)
  try {
    // A quarter of the 60 MB is needed only to compile against PostgreSQL.
    const isNeeded = (file: string) => !file.endsWith('.a') && !file.endsWith('pkgconfig')
    await cp(installed, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true, filter: isNeeded })
    await createLinks(join(temporary, 'native'))
    if (process.getuid) await run('chmod', ['-R', 'u+rwX,go+rX,go-w', join(temporary, 'native')])
    await rename(join(temporary, 'native'), directory)
  } catch (error) {
    // Another server has created the same copy first.
    if (getErrorCode(error) !== 'ENOTEMPTY' && getErrorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Programs that root or PostgreSQL's account starts must not be writable for any other account. */
async function requireExclusiveOwnership(directory: string): Promise<void> {
  const { uid, mode } = await lstat(directory)
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
    throw new Error(`other users can write to ${directory}`)
  }
}

/** Creates the links that the package's install script creates, from its list; npm packages cannot contain links. */
async function createLinks(native: string): Promise<void> {
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
  return await stat(file).then(
    () => true,
    () => false,
  )
}

async function readVersion(packageDirectory: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8'))
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return hasVersion && typeof manifest.version === 'string' ? manifest.version : 'unknown'
}

/** Returns the path of one of PostgreSQL's programs. */
export function getProgramPath(binaries: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.directory, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
}
