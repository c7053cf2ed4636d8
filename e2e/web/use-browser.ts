import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

import { findChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Opens a window with its own cookies, which is closed after the test. It fails the test if the page's policy blocks anything. */
  newPage(options?: BrowserContextOptions): Promise<Page>
}

/** Starts Chromium before the tests of a file, and closes it after them. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
  }, INSTALL_TIMEOUT_MS)
  afterAll(() => browser?.close())
  return {
    async newPage(options = {}) {
      if (browser === undefined) throw new Error('The browser is used before it is started: use it in tests and hooks')
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      const faults: string[] = []
      context.on('page', (opened) => recordFaults(opened, faults))
      const page = await context.newPage()
      onTestFinished(async () => {
        await context.close()
        if (faults.length > 0) throw new Error(`The page reported:\n${faults.join('\n')}`)
      })
      return page
    },
  }
}

/** Collects violations of the page's Content-Security-Policy, which Chromium writes to the console, and uncaught errors. */
function recordFaults(page: Page, faults: string[]): void {
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    const text = message.text()
    if (message.type() === 'error' && text.includes('Content Security Policy')) faults.push(text)
  })
}

/** Pretends that the window is hidden, which a browser without windows never is. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}
