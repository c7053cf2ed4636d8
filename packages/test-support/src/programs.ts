import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

import { isRoot } from './root-user.ts'

const runProgram = promisify(execFile)

/** Timeout of a hook that may have to install a program. */
export const INSTALL_TIMEOUT_MS = 300_000

/** Returns whether a file exists that this process may execute. */
export const isExecutable = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

/** Returns the path of an executable file in a directory of the PATH; undefined if there is none. */
export async function findOnPath(name: string): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    if (await isExecutable(join(directory, name))) return join(directory, name)
  }
  return undefined
}

/** Returns the path of a program. On Debian, root installs it if it is missing; its service is not started. */
export async function findOrInstallProgram(name: string, debianPackage: string): Promise<string> {
  const found = await findOnPath(name)
  if (found !== undefined) return found
  const advice = `These tests need ${name}: install it (on Debian: apt-get install ${debianPackage}).`
  if (!isRoot || (await findOnPath('apt-get')) === undefined) throw new Error(advice)
  await withoutServices(() => install(debianPackage)).catch((error: unknown) => {
    throw new Error(`${advice} Installing it failed.`, { cause: error })
  })
  const installed = await findOnPath(name)
  if (installed === undefined) throw new Error(advice)
  return installed
}

/** Waits for the package lock, because two test files may install at the same time. */
async function install(debianPackage: string): Promise<void> {
  const aptGet = (...words: string[]) =>
    runProgram('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  const attempt = () => aptGet('install', '-y', '--no-install-recommends', debianPackage)
  // The package lists may be missing (new image) or outdated (old image).
  await attempt().catch(async () => {
    await aptGet('update')
    await attempt()
  })
}

/** Prevents Debian from starting a service that it installs: exit code 101 of this program forbids it. */
async function withoutServices(act: () => Promise<void>): Promise<void> {
  const file = '/usr/sbin/policy-rc.d'
  const isOurs = await writeFile(file, '#!/bin/sh\nexit 101\n', { flag: 'wx', mode: 0o755 }).then(
    () => true,
    () => false,
  )
  try {
    await act()
  } finally {
    if (isOurs) await rm(file)
  }
}
