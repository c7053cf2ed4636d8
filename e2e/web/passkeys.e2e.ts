import { getPageOrigin } from '@caseward/test-support/passkeys'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { checkPage } from './page-checks.ts'
import { addAuthenticator, answer } from './passkey-browser.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const isProfile = (url: URL) => url.pathname === '/account/profile'

/** Signs in on the page with the password. */
async function givePassword(page: Page, email: string): Promise<void> {
  await page.goto(`${getPageOrigin(server)}/sign-in?next=/account/profile`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

describe('a passkey', () => {
  it('is added, completes a sign-in with the button of its page, and confirms the session', async () => {
    const page = await browser.newPage()
    await addAuthenticator(page)
    const { id, email } = await makeUserWithPassword(server)
    await givePassword(page, email)
    await page.waitForURL(isProfile)
    const path = '/v1/me/second-factors/passkey'
    expect(await answer(page, 'create', path, `${path}/activate`)).toBe(200)

    await page.context().clearCookies()
    await givePassword(page, email)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(isProfile)

    await server.db.updateTable('sessions').set({ confirmed_at: null }).where('user_id', '=', id).execute()
    expect(await answer(page, 'get', '/v1/session/confirm/passkey-options', '/v1/session/confirm')).toBe(200)
  })

  it('that the user cancels shows a message, and codes still work', async () => {
    const page = await browser.newPage()
    const { email } = await makeUserWithPassword(server)
    await addAuthenticator(page)
    await givePassword(page, email)
    await page.waitForURL(isProfile)
    const path = '/v1/me/second-factors/passkey'
    await answer(page, 'create', path, `${path}/activate`)
    await page.context().clearCookies()
    // What browsers do when the user closes their dialog.
    await page.addInitScript(() => {
      navigator.credentials.get = () => Promise.reject(new DOMException('Canceled', 'NotAllowedError'))
    })
    await givePassword(page, email)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The passkey was not used. Try again, or enter a code.').waitFor()
    expect(await page.getByLabel('Code').isEditable()).toBe(true)
    // Not in the other test: it takes the authenticator away.
    await checkPage(page, 'second-factor-passkey')
  })
})
