import { insertIdentity, selectIdentities } from '@caseward/server/features/auth/single-sign-on/single-sign-on.queries'
import { openBrowser } from '@caseward/test-support/browser'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTokenInBrowser, openSignedInBrowser, PASSWORD } from '@caseward/test-support/users'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { follow } from '../follow.ts'
import { endSessions, openAsNewUser, type PageUser } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()
/** The user of {@link getPage}. */
let user: PageUser
const getPage = browser.sharePage(async (page) => {
  user = await openAsNewUser(page, server, '/account')
})

const NEW_PASSWORD = 'eleven purple bicycles'

/** Inserts personal tokens directly, because a request for each takes too long. */
const insertTokens = (userId: string, count: number) =>
  sql`
    insert into api_tokens (id, kind, user_id, name, access, secret_hash)
    select gen_random_uuid(), 'personal', ${userId}::uuid, 'Script ' || n, 'read', sha256(convert_to(n || ${userId}::text, 'UTF8'))
    from generate_series(1, ${count}::int) n`.execute(server.db)

describe('the account', () => {
  it('changes the name', async () => {
    const page = getPage()
    await page.waitForURL(`${server.url}/account/profile`)
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.keyboard.press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    await expect.poll(() => page.title()).toBe('Profile · Account · Caseward')
    await checkPage(page, 'account-profile')
    await page.reload()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Ada Lovelace')
  })

  it('changes the password, and says if the current one is wrong or the new one is weak', async () => {
    const page = await browser.newPage()
    const { email } = await openAsNewUser(page, server, '/account/password')
    const other = await openSignedInBrowser(server, email)
    const change = page.getByRole('button', { name: 'Change password' })
    await change.click()
    await page.getByText('Enter your password.').waitFor()
    await page.getByLabel('Current password').fill('wrong')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await change.click()
    await page.getByText('This is not your current password.').waitFor()
    await checkPage(page, 'account-password')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('password123')
    await change.click()
    await page.locator('input[autocomplete=new-password][aria-invalid]').waitFor()
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await change.click()
    await page.getByText('Password changed. You are signed out everywhere else.').waitFor()
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('')
    expect((await other.api('GET', '/v1/me')).status).toBe(401)
    const again = await openBrowser(server).api('POST', '/v1/session', { email, password: NEW_PASSWORD })
    expect(again.status).toBe(201)
  })

  it('lists sessions, and ends one or all others but this one', async () => {
    const page = getPage()
    const { email } = user
    await follow(page, '/account/profile')
    const others = [await openSignedInBrowser(server, email), await openSignedInBrowser(server, email)]
    await page.getByRole('link', { name: 'Sessions' }).click()
    const items = page.getByRole('main').getByRole('listitem')
    await items.nth(2).waitFor()
    await expect.poll(() => items.first().textContent()).toContain('Chrome on Linuxthis one')
    await checkPage(page, 'account-sessions')
    await page
      .getByRole('button', { name: /^End session/ })
      .first()
      .click()
    await items.nth(2).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'End all others' }).click()
    await items.nth(1).waitFor({ state: 'detached' })
    for (const other of others) expect((await other.api('GET', '/v1/me')).status).toBe(401)
    await page.reload()
    await items.first().waitFor()
    await expect.poll(() => items.count()).toBe(1)
    expect(await page.getByRole('button', { name: 'End all others' }).count()).toBe(0)
  })

  it('creates a token whose secret is shown once, and which stops working when it is revoked', async () => {
    const page = getPage()
    await follow(page, '/account/tokens')
    await page.getByRole('heading', { name: 'No tokens' }).waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Import script')
    await dialog.getByLabel('Access').selectOption({ label: 'Read only' })
    await checkPage(page, 'account-new-token')
    await page.keyboard.press('Enter')
    await dialog.getByText('Copy it now: it is shown only once.').waitFor()
    const token = await dialog.getByLabel('Token').inputValue()
    await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe(token)
    await checkPage(page, 'account-token-secret')
    const useToken = async () => (await server.request('GET', '/v1/me/projects', { token })).status
    expect(await useToken()).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Read only · created just now · never used').waitFor()
    expect(await page.content()).not.toContain(token)
    await checkPage(page, 'account-tokens')
    await page.getByRole('button', { name: 'Revoke token Import script' }).click()
    await page.getByRole('alertdialog', { name: 'Revoke “Import script”?' }).waitFor()
    await checkPage(page, 'account-revoke-token')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('heading', { name: 'No tokens' }).waitFor()
    expect(await useToken()).toBe(401)
  })

  it('revokes all tokens at once, and shows why no more can be created', async () => {
    const page = getPage()
    const { id, email } = user
    await follow(page, '/account/profile')
    const { token } = await makeTokenInBrowser(await openSignedInBrowser(server, email), 'Import script')
    await insertTokens(id, 99)
    await page.reload()
    await page.getByRole('link', { name: 'Tokens' }).click()
    const revokeAll = page.getByRole('button', { name: 'Revoke all' })
    await revokeAll.waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('One more')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('You have 100 valid tokens').waitFor()
    await checkPage(page, 'account-token-limit')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await revokeAll.click()
    await page.getByRole('alertdialog', { name: 'Revoke all your tokens?' }).waitFor()
    await checkPage(page, 'account-revoke-all')
    await page.getByRole('button', { name: 'Revoke all tokens' }).click()
    await page.getByRole('heading', { name: 'No tokens' }).waitFor()
    await revokeAll.waitFor({ state: 'detached' })
    expect((await server.request('GET', '/v1/me', { token })).status).toBe(401)
  })

  it('lists the sign-in providers that the account is linked with, and removes a link', async () => {
    const page = getPage()
    const { id } = user
    await follow(page, '/account/password')
    const heading = page.getByRole('heading', { name: 'Single sign-on' })
    await page.getByRole('button', { name: 'Change password' }).waitFor()
    expect(await heading.count()).toBe(0)
    await insertIdentity(server.db, id, { issuer: 'https://login.example.test/realm', subject: 'ada' })
    await page.reload()
    await heading.waitFor()
    await page.getByRole('listitem').filter({ hasText: 'login.example.test' }).getByText('Linked just now').waitFor()
    await checkPage(page, 'account-single-sign-on')
    await page.getByRole('button', { name: 'Remove link with login.example.test' }).click()
    await checkPage(page, 'account-remove-link')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove link' }).click()
    await page.getByText('Link removed').waitFor()
    expect(await selectIdentities(server.db, id)).toEqual([])
  })

  it('does not offer to remove the link of an account without a password', async () => {
    const page = await browser.newPage()
    const { id } = await openAsNewUser(page, server, '/account/profile')
    await insertIdentity(server.db, id, { issuer: 'https://login.example.test', subject: id })
    await server.db.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute()
    await page.goto(`${server.url}/account/password`)
    await page.getByText('To remove a link, set a password first.').waitFor()
    expect(await page.getByRole('button', { name: /^Remove link/ }).count()).toBe(0)
    await expect.poll(() => page.getByRole('link', { name: 'Request a link' }).getAttribute('href')).toBe('/reset')
    await checkPage(page, 'account-without-password')
  })

  it('keeps what was typed while the server does not answer, and after the session has ended', async () => {
    const page = await browser.newPage()
    const offlineUser = await openAsNewUser(page, server, '/account/profile')
    const name = page.getByLabel('Name')
    const save = page.getByRole('button', { name: 'Save' })
    await name.fill('Grace Hopper')
    await page.context().setOffline(true)
    await save.click()
    await page.getByText('The server does not answer. What you typed is kept.').waitFor()
    await page.getByText('Offline', { exact: true }).waitFor()
    await checkPage(page, 'account-offline')
    await page.context().setOffline(false)
    await endSessions(server, offlineUser)
    await save.click()
    await page.getByRole('dialog', { name: 'Your session ended', exact: true }).waitFor()
    await checkPage(page, 'account-session-ended')
    await expect.poll(() => name.inputValue()).toBe('Grace Hopper')
  })

  it('says that a list could not be loaded, and loads it again on request', async () => {
    const page = await browser.newPage()
    await openAsNewUser(page, server, '/account/profile')
    const tryAgain = await failUntilTriedAgain(page, '**/v1/sessions')
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByText('The sessions could not be loaded.').waitFor()
    await checkPage(page, 'account-sessions-failed')
    await tryAgain()
    await page.getByText('this one').waitFor()
  })
})
