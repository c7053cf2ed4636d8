import type { TestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

import { openAsNewUser } from './open-as.ts'
import type { TestBrowser } from './use-browser.ts'

/** A key of the storage that only the open page of a run needs. */
export const TIMER = 'caseward:timer:run-1'

/** Opens the app as a new user, with what execution pages leave behind. @param stored more of it, with `USER` in place of the user's id */
export async function openWithRest(
  browser: TestBrowser,
  server: TestServer,
  stored: Record<string, string> = {},
): Promise<{ page: Page; id: string }> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const { id } = await openAsNewUser(page, server)
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  const entries = {
    [`caseward:outbox-saved:${id}`]: '[{"note":"The cart is empty"}]',
    [TIMER]: '{}',
    'caseward:ticks:run-1': '[]',
    'caseward:preferences': '{"theme":"dark"}',
    ...Object.fromEntries(Object.entries(stored).map(([key, value]) => [key.replace('USER', id), value])),
  }
  await page.evaluate((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  }, entries)
  return { page, id }
}

export async function chooseSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

export const readKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).toSorted())
export const waitForSignIn = (page: Page) => page.waitForURL((url) => url.pathname === '/sign-in')
