import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { openAsNewUser, submitSignIn } from './open-as.ts'
import { checkPage } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

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
})
