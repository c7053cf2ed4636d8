import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'

import { createUnmanagedDirectory } from '@caseward/test-support/unmanaged-directory'

const run = promisify(execFile)

/**
 * Stands for the previous release until there is a tag: the last commit with the schema of before two factors, distribution
 * and quotas.
 */
const FIRST_COMMIT = '0a1aca3c474feac3a02b2847d4fbbb37487788c3'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** The server of the previous release, built in a directory of its own. */
export interface PreviousRelease {
  /** The tag or commit. */
  name: string
  directory: string
  /** The names of its migrations. */
  migrations: string[]
  remove(): Promise<void>
}

/**
 * Builds the server of the previous release from the history of this repository. Dependencies are shared with this version
 * if they are the same, and installed otherwise.
 * @throws when this copy of the repository has no history
 */
export async function buildPreviousRelease(): Promise<PreviousRelease> {
  const name = await findPreviousRelease()
  const directory = await createUnmanagedDirectory('programs')
  await run('sh', ['-c', `git archive "$1" | tar -x -C "$2"`, 'sh', name, directory], { cwd: repository })
  await ((await hasSameDependencies(directory)) ? linkDependencies(directory) : installDependencies(directory))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  await run(process.execPath, [compiler, '-b', 'apps/server'], { cwd: directory })
  const bundle = 'apps/server/scripts/bundle.mjs'
  // The first releases run what the compiler writes.
  if (await stat(join(directory, bundle)).catch(() => null)) await run(process.execPath, [bundle], { cwd: directory })
  const migrations = (await readdir(join(directory, 'apps/server/migrations'))).map((file) =>
    file.slice(0, -'.sql'.length),
  )
  return { name, directory, migrations, remove: () => rm(directory, { recursive: true, force: true }) }
}

async function findPreviousRelease(): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: repository })).stdout.trim()
  const tags = await git('tag', '--list', 'v*', '--sort=-v:refname', '--no-contains', 'HEAD').catch(() => '')
  const name = tags.split('\n', 1)[0] || FIRST_COMMIT
  await git('cat-file', '-e', `${name}^{commit}`).catch(() => {
    throw new Error(
      `This copy of the repository does not contain the previous release (${name}), because it is a shallow clone or a ` +
        'source archive. In a clone, run: git fetch --unshallow --tags',
    )
  })
  return name
}

const readLockedPackages = async (directory: string): Promise<[string, unknown][]> => {
  const lock = JSON.parse(await readFile(join(directory, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean }>
  }
  return Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
}

const hasSameDependencies = async (directory: string): Promise<boolean> =>
  isDeepStrictEqual(await readLockedPackages(directory), await readLockedPackages(repository))

const installDependencies = (directory: string) =>
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory })

/** Links every dependency, and the packages of the release itself instead of those of this version. */
async function linkDependencies(directory: string): Promise<void> {
  const source = join(repository, 'node_modules')
  const target = join(directory, 'node_modules')
  await mkdir(join(target, '@caseward'), { recursive: true })
  for (const entry of await readdir(source)) {
    if (entry !== '@caseward') await symlink(join(source, entry), join(target, entry))
  }
  for (const group of ['packages', 'apps']) {
    for (const folder of await readdir(join(directory, group))) {
      const own = join(directory, group, folder)
      await symlink(own, join(target, '@caseward', folder))
      const nested = join(repository, group, folder, 'node_modules')
      if (await stat(nested).catch(() => null)) await symlink(nested, join(own, 'node_modules'))
    }
  }
}
