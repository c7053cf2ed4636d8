import { getPageOrigin } from '@caseward/test-support/passkeys'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { checkPage } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const isProfile = (url: URL) => url.pathname === '/account/profile'

/** Gives the browser of a page an authenticator, which confirms everything at once. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Signs in on the page with the password. */
async function givePassword(page: Page, email: string): Promise<void> {
  await page.goto(`${getPageOrigin(server)}/sign-in?next=/account/profile`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

/** Asks the authenticator in the page for what an endpoint wants, and sends the answer to another one. */
async function answer(page: Page, kind: 'create' | 'get', from: string, to: string): Promise<number> {
  return await page.evaluate(
    async ([action, optionsPath, answerPath]) => {
      const post = (path: string, body?: object) =>
        fetch(path, {
          method: 'POST',
          ...(body === undefined
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        })
      const { data } = (await (await post(optionsPath)).json()) as { data: { options: never } }
      const credential =
        action === 'create'
          ? await navigator.credentials.create({
              publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(data.options),
            })
          : await navigator.credentials.get({
              publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(data.options),
            })
      const json: unknown = (credential as PublicKeyCredential).toJSON()
      return (await post(answerPath, action === 'create' ? { credential: json } : { passkey: json })).status
    },
    [kind, from, to] as const,
  )
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
    // Not in the other test: a second connection to the developer tools, when it ends, takes the authenticator away.
    await checkPage(page, 'second-factor-passkey')
  })
})
