import { execFile } from 'node:child_process'
import { access, copyFile, cp, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory in which each manifest is installed once for all tests. */
    installations: string
  }
}

/** For npm: nothing is printed but errors, and nothing is asked that does not concern the test. */
export const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']

const run = promisify(execFile)

/**
 * Puts the `node_modules` of a manifest into a directory. npm installs each manifest once; the copies are hard links,
 * because an installation by npm takes as long as the tests.
 *
 * @param manifest the path of a directory with package.json and package-lock.json
 * @param folder a new directory without `node_modules`
 */
export async function copyInstallation(name: string, manifest: string, folder: string): Promise<void> {
  const shared = join(inject('installations'), name)
  await installOnce(shared, manifest)
  const modules = join(shared, 'node_modules')
  // Suites for the test runner of Node need no packages.
  if (!(await exists(modules))) return
  const copy = join(folder, 'node_modules')
  await run('cp', [process.platform === 'linux' ? '-al' : '-R', modules, copy])
  // npm writes this file in place, so that a hard link would change the installation that others copy.
  await rm(join(copy, '.package-lock.json'))
  await copyFile(join(modules, '.package-lock.json'), join(copy, '.package-lock.json'))
}

/** Test files run in several processes: the one that makes the lock installs, and the others wait. */
async function installOnce(shared: string, manifest: string): Promise<void> {
  const lock = `${shared}.lock`
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
  const unfinished = `${shared}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await cp(manifest, unfinished, { recursive: true })
  await run('npm', ['ci', ...quietly], { cwd: unfinished })
  await rename(unfinished, shared)
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
