import { insertTotp } from '@caseward/test-support/second-factors'
import { useTestServer } from '@caseward/test-support/test-server'
import { PASSWORD } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAsNewUser } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { answer, openWithAuthenticator, refusePasskeys } from '../passkey-browser.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer({ rateLimitSignIn: 10 })
const browser = useBrowser()

/** Lets the last confirmation of a user be a while ago. */
const endConfirmation = ({ id }: { id: string }) =>
  server.db
    .updateTable('sessions')
    .set({ confirmed_at: new Date(Date.now() - 3_600_000) })
    .where('user_id', '=', id)
    .execute()

/** Opens the dialog of a new token as a user whose sign-in is a while ago, and sends it by keyboard. */
async function sendNewToken() {
  const page = await browser.newPage()
  const user = await openAsNewUser(page, server, '/account/tokens')
  await endConfirmation(user)
  await page.keyboard.press('c')
  await page.getByLabel('Name', { exact: true }).fill('Laptop')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Password').waitFor()
  return { page, user, dialog }
}

const getFocusedLabel = (page: Page) =>
  page.evaluate(() =>
    document.activeElement instanceof HTMLInputElement ? document.activeElement.labels?.[0]?.textContent : null,
  )

describe('the confirmation', () => {
  it('asks for the password, says if it is wrong, and sends the request again', async () => {
    const { page, dialog } = await sendNewToken()
    await expect.poll(() => getFocusedLabel(page)).toBe('Password')
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter your password.').waitFor()
    await page.keyboard.type('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not your password.').waitFor()
    await checkPage(page, 'confirmation-wrong-password')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Token “Laptop”' }).waitFor()
    expect(await dialog.count()).toBe(0)
  })

  it('keeps the form below if the user cancels, and says that nothing was changed', async () => {
    const { page, dialog } = await sendNewToken()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    const form = page.getByRole('dialog', { name: 'New token' })
    await form.getByText(/Nothing was changed, because you did not confirm/).waitFor()
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Laptop')
    await expect.poll(() => getFocusedLabel(page)).toMatch(/^Name/)
    await checkPage(page, 'confirmation-canceled', { widths: [1440] })
  })

  it('says how long to wait after too many wrong passwords', async () => {
    const { page, dialog } = await sendNewToken()
    await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' }
      const attempt = { method: 'POST', headers, body: JSON.stringify({ password: 'wrong' }) }
      await Promise.all(Array.from({ length: 10 }, () => fetch('/v1/session/confirm', attempt)))
    })
    await dialog.getByLabel('Password').fill('wrong again')
    await page.keyboard.press('Enter')
    await dialog.getByText(/You can try again in \d+ s\./).waitFor()
    expect(await dialog.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true)
  })

  it('lets the browser ask for a passkey first, and offers another way if the user cancels', async () => {
    const page = await browser.newPage()
    const user = await openWithAuthenticator(page, server, '/account/tokens')
    const path = '/v1/me/second-factors/passkey'
    await answer(page, 'create', path, `${path}/activate`)
    await insertTotp(server, user.id)
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    const button = dialog.getByRole('button', { name: 'Use a passkey' })
    const sendToken = async (name: string) => {
      await endConfirmation(user)
      await page.keyboard.press('c')
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.keyboard.press('Enter')
      await button.waitFor()
    }
    await sendToken('Laptop')
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    const token = page.getByRole('dialog', { name: 'Token “Laptop”' })
    await token.waitFor()
    expect(await dialog.count()).toBe(0)

    await page.reload()
    await page.getByText('Laptop', { exact: true }).waitFor()
    await refusePasskeys(page)
    await sendToken('Desktop')
    await button.click()
    await dialog.getByText(/^The passkey was not used/).waitFor()
    await checkPage(page, 'confirmation-passkey')
    await dialog.getByRole('button', { name: 'Use your authenticator app' }).click()
    await dialog.getByLabel('Code of your authenticator app').waitFor()
  })
})
