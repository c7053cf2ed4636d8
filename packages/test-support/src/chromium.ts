import { type Browser, chromium } from 'playwright-core'

import { findOnPath, findOrInstallProgram, isExecutable } from './programs.ts'

const SHELL = 'chromium-headless-shell'

const MACOS_PROGRAMS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** At `CHROMIUM`, on the PATH, or where macOS installs programs. */
async function findInstalled(): Promise<string | undefined> {
  const named = process.env['CHROMIUM'] ?? ''
  if (named !== '' && (await isExecutable(named))) return named
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']) {
    const found = await findOnPath(name)
    if (found !== undefined) return found
  }
  for (const program of MACOS_PROGRAMS) if (await isExecutable(program)) return program
  return undefined
}

/**
 * Finds Chromium, or installs it if needed. Where it can be installed, that is the shell without windows,
 * which takes a fifth less processor time: 36 instead of 44 s for 34 tests of the web app.
 */
async function findChromium(): Promise<string> {
  if (process.env['CHROMIUM'] === undefined) {
    const shell = await findOrInstallProgram(SHELL, SHELL).catch(() => undefined)
    if (shell !== undefined) return shell
  }
  return (await findInstalled()) ?? (await findOrInstallProgram('chromium', 'chromium'))
}

/** What tests of one process use. */
let executable: Promise<string> | undefined

/** The pages of a window use one process, in which the code of the app is compiled already when the next one opens. */
const ONE_PROCESS = ['--process-per-site', '--renderer-process-limit=1', '--disable-site-isolation-trials']

/**
 * Tests run most code of the app once or twice: what compiling it for the highest speed costs is never earned back. What runs in every
 * test, such as axe, is compiled by the second fastest compiler, which takes a tenth less processor time than none.
 */
const WITHOUT_TURBOFAN = '--js-flags=--no-turbofan'

interface StartOptions {
  /** Names that resolve to this machine; unlike `localhost`, browsers do not treat them as secure. */
  hosts?: readonly string[]
  /** Whether all pages with the same cookies share a process, which takes half of the processor time to open another. */
  sharesProcesses?: boolean
}

/** Starts Chromium without windows and installs it if needed, so the calling hook needs `INSTALL_TIMEOUT_MS`. */
export async function startChromium({ hosts = [], sharesProcesses = false }: StartOptions = {}): Promise<Browser> {
  const rules = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')
  return await chromium.launch({
    executablePath: await (executable ??= findChromium()),
    args: [
      // The sandbox does not work as root or in most containers; the browser opens only the service under test.
      '--no-sandbox',
      ...(rules === '' ? [] : [`--host-resolver-rules=${rules}`]),
      ...(sharesProcesses ? [...ONE_PROCESS, WITHOUT_TURBOFAN] : []),
    ],
  })
}
