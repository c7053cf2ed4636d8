import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAsNewUser, submitSignIn } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('the app', () => {
  it('opens the requested page after sign-in', async () => {
    const { email } = await makeUserWithPassword(server)
    const page = await browser.newPage()
    const path = '/projects/some-project/cases?q=card'
    await page.goto(server.url + path)
    await submitSignIn(page, email)
    await page.waitForURL(server.url + path)
    await page.locator('#app main').waitFor()
  })

  it('shows that a page does not exist, with status 404', async () => {
    const page = await browser.newPage()
    await openAsNewUser(page, server)
    const response = await page.goto(`${server.url}/nowhere`)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  it('says who is signed in, and signs out', async () => {
    const page = await browser.newPage()
    const { email } = await openAsNewUser(page, server)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByText(email).waitFor()
    await checkPage(page, 'account-menu')
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${server.url}/sign-in`)
    await page.goto(server.url)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  it.each([
    ['a click', (button: Locator) => button.click()],
    ['a key', (button: Locator) => button.press('Enter')],
  ])('opens a menu by %s before its code is loaded', async (_, press) => {
    const page = await browser.newPage()
    const release = await holdCode(page, 'account-menu')
    await openAsNewUser(page, server)
    await press(page.getByRole('button', { name: 'Your account' }))
    expect(await page.getByRole('menu').count()).toBe(0)
    release()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Your account')
  })

  it('keeps keys from the page while the code of the key guide is loaded', async () => {
    const page = await browser.newPage()
    const release = await holdCode(page, 'key-guide')
    await openAsNewUser(page, server)
    await page.locator('#app main').waitFor()
    await page.keyboard.press('?')
    await page.keyboard.press('c')
    release()
    await page.getByRole('dialog', { name: 'Keys of this page' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New project' }).waitFor()
  })
})

/** Holds a file of the app's code back. @returns a function that lets it go */
async function holdCode(page: Page, name: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await released
    await route.continue()
  })
  return release
}
