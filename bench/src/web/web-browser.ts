import { startChromium } from '@caseward/test-support/chromium'
import type { Browser, BrowserContext, Page } from 'playwright-core'

import { EMAIL, PASSWORD, type Server } from '../servers.ts'
import { installTools } from './in-page.ts'

/** A browser that is signed in to the server. */
export interface WebBrowser {
  /**
   * Opens a page with an empty cache, and closes it after the measurement.
   * @param slowdown how many times slower its processor is
   */
  withPage<T>(slowdown: number, measure: (page: Page) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** A measurement that waits for something that does not happen fails after this time. */
const MAX_MEASUREMENT_MS = 120_000

export async function startBrowser(server: Server): Promise<WebBrowser> {
  const browser = await startChromium()
  const session = await signIn(browser, server)
  return {
    async withPage(slowdown, measure) {
      const context = await openContext(browser, { storageState: session })
      const timer = setTimeout(() => void context.close({ reason: 'A measurement took too long' }), MAX_MEASUREMENT_MS)
      try {
        const page = await context.newPage()
        const devTools = await context.newCDPSession(page)
        await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
        return await measure(page)
      } finally {
        clearTimeout(timer)
        await context.close()
      }
    },
    close: () => browser.close(),
  }
}

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

async function openContext(browser: Browser, options: { storageState?: Session } = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  await context.addInitScript(installTools)
  return context
}

async function signIn(browser: Browser, { url }: Server): Promise<Session> {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('main').waitFor()
  const session = await context.storageState()
  await context.close()
  return session
}
