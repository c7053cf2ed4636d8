import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

import { startChromium } from '@caseward/test-support/chromium'
import { recordPageFaults } from '@caseward/test-support/page-faults'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'

/** A browser for the tests of a file. */
export interface TestBrowser {
  /** Opens a window with its own cookies, which is closed after the test. It fails the test if the page's policy blocks anything. */
  newPage(options?: BrowserContextOptions): Promise<Page>
}

/** Starts Chromium before the tests of a file, and closes it after them. */
export function useBrowser(): TestBrowser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await startChromium()
  }, INSTALL_TIMEOUT_MS)
  afterAll(() => browser?.close())
  return {
    async newPage(options = {}) {
      if (browser === undefined) throw new Error('The browser is used before it is started: use it in tests and hooks')
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
      const page = await context.newPage()
      const faults = recordPageFaults(page)
      onTestFinished(async () => {
        await context.close()
        if (faults.length > 0) throw new Error(`The page reported:\n${faults.join('\n')}`)
      })
      return page
    },
  }
}

/** Makes a user, signs in on the sign-in page, and waits until the app has opened `path`. */
export async function signIn(page: Page, server: TestServer, path = '/'): Promise<{ id: string; email: string }> {
  const user = await makeUserWithPassword(server)
  await page.goto(server.url + path)
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('main').waitFor()
  return user
}
