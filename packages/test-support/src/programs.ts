import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

import { isRoot } from './root-user.ts'

const runProgram = promisify(execFile)

/** How long a test file's setup may take that has to install a program. */
export const INSTALL_TIMEOUT_MS = 300_000

const canRun = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  )

async function onPath(name: string): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    if (await canRun(join(folder, name))) return join(folder, name)
  }
  return undefined
}

/** Where a program is that tests need. Root on Debian gets it installed, but not started. */
export async function findOrInstallProgram(name: string, debianPackage: string): Promise<string> {
  const found = await onPath(name)
  if (found !== undefined) return found
  const advice = `These tests need ${name}: install it (on Debian: apt-get install ${debianPackage}).`
  if (!isRoot || (await onPath('apt-get')) === undefined) throw new Error(advice)
  await withoutServices(() => install(debianPackage)).catch((error: unknown) => {
    throw new Error(`${advice} Installing it failed.`, { cause: error })
  })
  const installed = await onPath(name)
  if (installed === undefined) throw new Error(advice)
  return installed
}

/** Two test files may do so at once: the second waits for the first. */
async function install(debianPackage: string): Promise<void> {
  const aptGet = (...words: string[]) =>
    runProgram('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  const attempt = () => aptGet('install', '-y', '--no-install-recommends', debianPackage)
  // A fresh image has no lists of packages, an old one stale ones.
  await attempt().catch(async () => {
    await aptGet('update')
    await attempt()
  })
}

/** Debian asks this program whether a service that was just installed may be started: it may not. */
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
