import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { connectToDevTools } from './devtools-protocol.ts'
import { findOrInstallProgram } from './programs.ts'
import { openTab, type Tab } from './tab.ts'

/** A real browser without windows. */
export interface Chromium {
  /** Opens a tab with its own cookies, as on another machine. */
  newTab(): Promise<Tab>
  close(): Promise<void>
}

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
 * Starts Chromium and installs it if needed, so the calling hook needs `INSTALL_TIMEOUT_MS`.
 * @param hosts names that resolve to this machine; unlike `localhost`, browsers do not treat them as secure
 */
export async function startChromium({ hosts = [] }: { hosts?: readonly string[] } = {}): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), 'caseward-chromium-'))
  const child = spawn(
    await findChromium(),
    [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      '--hide-scrollbars',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      // The sandbox does not work as root or in most containers; the browser opens only the service under test.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(',')}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
  })
  const protocol = connectToDevTools(child)
  await protocol.call('Browser.getVersion')
  return {
    async newTab() {
      const { browserContextId } = await protocol.call<{ browserContextId: string }>('Target.createBrowserContext')
      const target = { url: 'about:blank', browserContextId }
      const { targetId } = await protocol.call<{ targetId: string }>('Target.createTarget', target)
      const attach = { targetId, flatten: true }
      const { sessionId } = await protocol.call<{ sessionId: string }>('Target.attachToTarget', attach)
      return await openTab(protocol, sessionId)
    },
    async close() {
      await protocol.call('Browser.close').catch(() => child.kill('SIGKILL'))
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}
