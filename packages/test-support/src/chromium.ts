import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

import { type Browser, chromium } from 'playwright-core'

import { findOrInstallProgram } from './programs.ts'

/** Finds Chromium or Chrome: at `CHROMIUM`, on the PATH, or where macOS installs programs. Installs it if needed. */
export async function findChromium(): Promise<string> {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const candidates = [
    process.env['CHROMIUM'] ?? '',
    ...names.flatMap((name) => directories.map((directory) => join(directory, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
  for (const candidate of candidates.filter(Boolean)) {
    const isExecutable = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return candidate
  }
  return await findOrInstallProgram('chromium', 'chromium')
}

/**
 * Starts Chromium without windows and installs it if needed, so the calling hook needs `INSTALL_TIMEOUT_MS`.
 * @param hosts names that resolve to this machine; unlike `localhost`, browsers do not treat them as secure
 */
export async function startChromium({ hosts = [] }: { hosts?: readonly string[] } = {}): Promise<Browser> {
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')
  return await chromium.launch({
    executablePath: await findChromium(),
    // The sandbox does not work as root or in most containers; the browser opens only the service under test.
    args: ['--no-sandbox', ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`])],
  })
}
