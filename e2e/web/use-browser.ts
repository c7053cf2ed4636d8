import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

import { startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import { closeWindows, takeWindow } from './window-pool.ts'

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Opens a window with its own cookies, which is closed after the test. It fails the test if the page's policy blocks anything. */
  newPage(options?: BrowserContextOptions): Promise<Page>
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
  // Vitest runs it before that of the server, which was registered before.
  afterAll(closeWindows)
  return {
    async newPage(options = {}) {
      const window = await takeWindow(await getBrowser(), options)
      onTestFinished(async ({ task }) => {
        // What a failed test has left may be anything.
        await (task.result?.state === 'pass' ? window.giveBack() : window.context.close())
        const faults = window.faults.splice(0)
        if (faults.length > 0) throw new Error(`The page reported:\n${faults.join('\n')}`)
      })
      return window.page
    },
  }
}

/** Pretends that the window is hidden, which a browser without windows never is. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
