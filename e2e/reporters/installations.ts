import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, copyFile, cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { getPackedPackages } from './packed-packages.ts'

/** For npm: nothing is printed but errors, and nothing is asked that does not concern the test. */
export const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']

const run = promisify(execFile)

/** How `cp` copies directories; hard links take a tenth of the time. */
const COPY = process.platform === 'linux' ? '-al' : '-R'

/**
 * Puts the `node_modules` of a manifest into a directory. npm installs each manifest once in some days; the copies are hard links,
 * because an installation by npm takes as long as the tests.
 *
 * @param manifest the path of a directory with package.json and package-lock.json
 * @param folder a new directory without `node_modules`
 */
export async function copyInstallation(name: string, manifest: string, folder: string): Promise<void> {
  const { installations } = await getPackedPackages()
  const shared = join(installations, `${name}-${await hashManifest(manifest)}`)
  await installOnce(shared, manifest)
  const modules = join(shared, 'node_modules')
  // Suites for the test runner of Node need no packages.
  if (!(await exists(modules))) return
  const copy = join(folder, 'node_modules')
  await run('cp', [COPY, modules, copy])
  // npm writes this file in place, so that a hard link would change the installation that others copy.
  await rm(join(copy, '.package-lock.json'))
  await copyFile(join(modules, '.package-lock.json'), join(copy, '.package-lock.json'))
}

/** Puts packages of Caseward into the `node_modules` of a directory, as they are in their tarballs. */
export async function copyPackages(names: readonly string[], folder: string): Promise<void> {
  const scope = join(folder, 'node_modules/@caseward')
  await mkdir(scope, { recursive: true })
  const { unpacked } = await getPackedPackages()
  await run('cp', [COPY, ...names.map((name) => join(unpacked, name)), scope])
}

/** Test files run in several processes: the one that makes the lock installs, and the others wait. */
async function installOnce(shared: string, manifest: string): Promise<void> {
  // Beside the tarballs, which no other run uses: a lock that a killed run has left would keep all others waiting.
  const { unpacked } = await getPackedPackages()
  const lock = join(unpacked, `${basename(shared)}.lock`)
  while (!(await exists(shared))) {
    if (await make(lock)) {
      try {
        if (!(await exists(shared))) await install(shared, manifest)
      } finally {
        await rm(lock, { recursive: true })
      }
    } else {
      await sleep(100)
    }
  }
}

async function install(shared: string, manifest: string): Promise<void> {
  const unfinished = await mkdtemp(`${shared}.unfinished-`)
  await cp(manifest, unfinished, { recursive: true })
  await run('npm', ['ci', ...quietly], { cwd: unfinished })
  // Another run may have installed the same in the meantime.
  await rename(unfinished, shared).catch(() => rm(unfinished, { recursive: true }))
}

/** What a manifest installs depends on its files, and on the version of Node.js. */
async function hashManifest(manifest: string): Promise<string> {
  const hash = createHash('sha256').update(process.version)
  for (const file of ['package.json', 'package-lock.json']) hash.update(await readFile(join(manifest, file)))
  return hash.digest('hex').slice(0, 16)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** @returns false if the directory is there already */
const make = (path: string) =>
  mkdir(path).then(
    () => true,
    () => false,
  )
