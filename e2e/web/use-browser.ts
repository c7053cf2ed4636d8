import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'

import { startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { keepServerPort } from '@caseward/test-support/test-server'
import { takeWindow, type Window } from './window-pool.ts'

// The windows of a worker keep the files of the app from one test file to the next.
keepServerPort()

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Opens a window with its own cookies, which is closed after the test. It fails the test if the page's policy blocks anything. */
  newPage(options?: BrowserContextOptions): Promise<Page>
  /** The same for several tests: their last hook closes it. */
  openPage(options?: BrowserContextOptions): Promise<{ page: Page; close(): Promise<void> }>
}

/** Shared by the test files of a worker: starting it takes longer than a test. It ends with the process of the worker. */
let shared: Promise<Browser> | undefined

async function getBrowser(): Promise<Browser> {
  // A test may have crashed it.
  if (shared !== undefined && !(await shared).isConnected()) shared = undefined
  shared ??= startChromium({ sharesProcesses: true })
  return await shared
}

/** Starts Chromium before the tests of a file, unless it runs already. */
export function useBrowser(): TestBrowser {
  beforeAll(getBrowser, INSTALL_TIMEOUT_MS)
  return {
    async newPage(options) {
      const window = await openWindow(options)
      onTestFinished(async ({ task }) => {
        // What a failed test has left may be anything.
        await (task.result?.state === 'pass' ? window.giveBack() : window.context.close())
        reportFaults(window)
      })
      return window.page
    },
    async openPage(options) {
      const window = await openWindow(options)
      const close = async () => {
        await window.giveBack()
        reportFaults(window)
      }
      return { page: window.page, close }
    },
  }
}

function reportFaults({ faults }: Window): void {
  const found = faults.splice(0)
  if (found.length > 0) throw new Error(`The page reported:\n${found.join('\n')}`)
}

async function openWindow({
  viewport,
  colorScheme = 'light',
  reducedMotion = 'no-preference',
  permissions,
  hasTouch = false,
  ...options
}: BrowserContextOptions = {}): Promise<Window> {
  const window = await takeWindow(await getBrowser(), options)
  const { context, page } = window
  // Not as options of the window: each kind of window loads the app on its own.
  if (viewport) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, reducedMotion })
  if (permissions !== undefined) await context.grantPermissions(permissions)
  if (hasTouch) await emulateTouch(page)
  return window
}

/** For as long as the page is open. */
async function emulateTouch(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
}

/** Pretends that the window is hidden, which a browser without windows never is. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
