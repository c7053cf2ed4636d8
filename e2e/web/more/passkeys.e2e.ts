import { getPageOrigin } from '@caseward/test-support/passkeys'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { checkPage } from '../page-checks.ts'
import { addAuthenticator, answer, refusePasskeys } from '../passkey-browser.ts'
import { useBrowser } from '../use-browser.ts'

/** The sign-in page has all ways to sign in. */
const server = useTestServer({ oidcIssuer: 'https://login.example.test', oidcClientId: 'x', oidcName: 'Example' })
const browser = useBrowser()

const isProfile = (url: URL) => url.pathname === '/account/profile'

/** Signs in on the page with the password. */
async function givePassword(page: Page, email: string): Promise<void> {
  await page.goto(`${getPageOrigin(server)}/sign-in?next=/account/profile`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

/** Opens a window whose user has signed in, has added a passkey, and is signed out again. */
async function openWithPasskey(): Promise<{ page: Page; id: string; email: string }> {
  const page = await browser.newPage()
  await addAuthenticator(page)
  const { id, email } = await makeUserWithPassword(server)
  await givePassword(page, email)
  await page.waitForURL(isProfile)
  const path = '/v1/me/second-factors/passkey'
  expect(await answer(page, 'create', path, `${path}/activate`)).toBe(200)
  await page.context().clearCookies()
  return { page, id, email }
}

describe('a passkey', () => {
  it('is added, completes a sign-in with the button of its page, and confirms the session', async () => {
    const { page, id, email } = await openWithPasskey()
    await givePassword(page, email)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.waitForURL(isProfile)

    await server.db.updateTable('sessions').set({ confirmed_at: null }).where('user_id', '=', id).execute()
    expect(await answer(page, 'get', '/v1/session/confirm/passkey-options', '/v1/session/confirm')).toBe(200)
  })

  it('signs in alone, by keyboard, and leads to the requested page', async () => {
    const { page } = await openWithPasskey()
    await page.goto(`${getPageOrigin(server)}/sign-in?next=/account/profile`)
    await page.getByRole('link', { name: 'Forgot your password?' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(isProfile)
  })

  it('that is not used or not known leaves the password, with a message on the sign-in page', async () => {
    const { page, id } = await openWithPasskey()
    await server.db.deleteFrom('second_factors').where('user_id', '=', id).execute()
    await server.db.updateTable('users').set({ has_second_factor: false }).where('id', '=', id).execute()
    await page.goto(`${getPageOrigin(server)}/sign-in`)
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.click()
    await page.getByText(/^This passkey was not accepted/).waitFor()
    await refusePasskeys(page)
    await button.click()
    await page.getByText('The passkey was not used. Try again, or sign in with your password.').waitFor()
    expect(await page.getByLabel('Password').isEditable()).toBe(true)
    await checkPage(page, 'sign-in-passkey')
  })

  it('is not offered at another address than the public one, where it would not work', async () => {
    const page = await browser.newPage()
    await page.goto(`${server.url}/sign-in`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0)
  })

  it('can be the second factor that the server requires, and brings recovery codes', async () => {
    const page = await browser.newPage()
    const { email } = await makeUserWithPassword(server)
    await server.db.updateTable('instance_settings').set({ require_second_factor: true }).execute()
    onTestFinished(async () => {
      await server.db.updateTable('instance_settings').set({ require_second_factor: false }).execute()
    })
    await givePassword(page, email)
    await page.waitForURL('**/sign-in/set-up-second-factor')
    await checkPage(page, 'set-up-passkey')
    await addAuthenticator(page)
    await page.getByRole('button', { name: 'Set up a passkey' }).press('Enter')
    const heading = page.getByRole('heading', { name: 'Recovery codes' })
    await heading.waitFor()
    expect(await page.getByRole('listitem').count()).toBe(10)
    expect([await page.title(), await heading.evaluate((element) => element === document.activeElement)]).toEqual([
      'Recovery codes · Caseward',
      true,
    ])
    await checkPage(page, 'set-up-passkey-codes')
    await page.getByRole('link', { name: 'I have stored them, continue' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.goto(`${getPageOrigin(server)}/account/password`)
    await page.getByText('Chrome on Linux').waitFor()
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
