import { describe, expect, it } from 'vitest'

import { useTestServer } from '@caseward/test-support/test-server'
import { makeTokenInBrowser, openSignedInBrowser } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'

import { choose, confirm, getRow, makeNamedUser, openAsInstanceAdmin } from '../administration-scenario.ts'
import { follow } from '../follow.ts'
import { openAsNewUser, submitSignIn } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()
/** The administrator of {@link getPage}. */
let ada: Awaited<ReturnType<typeof openAsInstanceAdmin>>
const getPage = browser.sharePage(async (page) => {
  ada = await openAsInstanceAdmin(page, server)
})

/** Shows users with a filter: only one that was not used before is sent to the server again. */
async function showUsers(search: string): Promise<Page> {
  const page = getPage()
  await follow(page, `/admin/users?q=${encodeURIComponent(search)}`)
  return page
}

/** A user with a session in a browser, and a personal token; and whether these are valid. */
async function makeActiveUser(name = 'Bob Stone') {
  const user = await makeNamedUser(server, name)
  const signedIn = await openSignedInBrowser(server, user.email)
  const { token } = await makeTokenInBrowser(signedIn)
  const getAccess = async () => ({
    session: (await signedIn.get('/v1/me')).status,
    token: (await server.request('GET', '/v1/me', { token })).status,
  })
  expect(await getAccess()).toEqual({ session: 200, token: 200 })
  return { ...user, getAccess }
}

describe('the users of the instance', () => {
  it('are shown to instance administrators only', async () => {
    const page = await browser.newPage()
    await openAsNewUser(page, server, '/admin/users')
    await page.getByRole('heading', { name: 'Only administrators can open this page' }).waitFor()
    await checkPage(page, 'administration-not-allowed')
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'Account' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Administration' }).count()).toBe(0)
    expect(await page.evaluate(async () => (await fetch('/v1/admin/users')).status)).toBe(403)
    const other = getPage()
    await follow(other, '/')
    await other.getByRole('button', { name: 'Your account' }).click()
    await other.getByRole('menuitem', { name: 'Administration' }).click()
    await other.waitForURL('**/admin/users')
    await expect.poll(() => other.title()).toBe('Users · Administration · Caseward')
    await other.keyboard.press('Control+k')
    await other.getByRole('dialog').getByRole('combobox').fill('administration set')
    await other.keyboard.press('Enter')
    await other.waitForURL('**/admin/settings')
  })

  it('disappear for somebody who loses the administration meanwhile', async () => {
    const page = await browser.newPage()
    const { id, email } = await openAsInstanceAdmin(page, server)
    await getRow(page, email).waitFor()
    await server.db.updateTable('users').set({ is_instance_admin: false }).where('id', '=', id).execute()
    // The server may believe the former right for a second.
    await expect.poll(() => page.evaluate(async () => (await fetch('/v1/admin/users')).status)).toBe(403)
    await page.getByLabel('Status').selectOption('Disabled')
    await page.getByRole('heading', { name: 'Only administrators can open this page' }).waitFor()
  })

  it('are disabled after a question, which ends sessions and tokens at once, and cannot sign in', async () => {
    const bob = await makeActiveUser()
    const page = await showUsers(bob.email)
    await choose(page, bob.email, 'Disable')
    const dialog = page.getByRole('alertdialog', { name: 'Disable Bob Stone?' })
    await dialog.getByText('1 session and 1 token end at once').waitFor()
    await checkPage(page, 'administration-disable')
    expect(await bob.getAccess()).toEqual({ session: 200, token: 200 })
    await confirm(page, 'Disable user')
    await getRow(page, bob.email).getByText('Disabled just now').waitFor()
    await expect.poll(bob.getAccess).toEqual({ session: 401, token: 401 })
    const other = await browser.newPage()
    await other.goto(`${server.url}/sign-in`)
    await submitSignIn(other, bob.email)
    await other.getByText('Your account is disabled').waitFor()

    await page.getByLabel('Status').selectOption('Active')
    await getRow(page, bob.email).waitFor({ state: 'detached' })
    await page.getByLabel('Status').selectOption('Disabled')
    await choose(page, bob.email, 'Enable')
    await confirm(page, 'Enable user')
    await getRow(page, bob.email).waitFor({ state: 'detached' })
    await submitSignIn(other, bob.email)
    await other
      .getByRole('heading', { name: /project/i })
      .first()
      .waitFor()
  })

  it('are deleted after typing the email address, and are then not in the list', async () => {
    const bob = await makeActiveUser()
    const page = await showUsers(bob.email)
    await choose(page, bob.email, 'Delete user')
    const dialog = page.getByRole('alertdialog', { name: 'Delete the account of Bob Stone?' })
    expect(await dialog.getByRole('button', { name: 'Delete user' }).isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type /).fill(bob.email)
    await checkPage(page, 'administration-delete')
    await confirm(page, 'Delete user')
    await page.getByText('Bob Stone is deleted').waitFor()
    await getRow(page, bob.email).waitFor({ state: 'detached' })
    await expect.poll(bob.getAccess).toEqual({ session: 401, token: 401 })
  })

  it('lose their sessions and their tokens separately', async () => {
    const [bob, carol] = [await makeActiveUser(), await makeActiveUser('Carol Jones')]
    const page = await showUsers('example.test')
    await choose(page, bob.email, 'End sessions')
    await confirm(page, 'End sessions')
    await expect.poll(bob.getAccess).toEqual({ session: 401, token: 200 })
    await choose(page, carol.email, 'Revoke tokens')
    await confirm(page, 'Revoke tokens')
    await expect.poll(carol.getAccess).toEqual({ session: 200, token: 401 })
    await getRow(page, carol.email).getByRole('button').click()
    const item = page.getByRole('menuitem', { name: 'Revoke tokens' })
    await item.getByText('No tokens').waitFor()
    expect(await item.getAttribute('aria-disabled')).toBe('true')
  })

  it('keep an administrator: the own account cannot be disabled, with the reason, and the server refuses the last one', async () => {
    const bob = await makeNamedUser(server, 'Bob Stone')
    await server.db.updateTable('users').set({ is_instance_admin: false }).where('id', '!=', ada.id).execute()
    const page = await showUsers(ada.email)
    await getRow(page, ada.email).getByRole('button').click()
    for (const [name, reason] of [
      ['Disable', 'Another administrator can disable it; the last one always stays.'],
      ['Withdraw administration', 'Another administrator can do it.'],
    ] as const) {
      const item = page.getByRole('menuitem', { name })
      expect(await item.getAttribute('aria-disabled')).toBe('true')
      await item.getByText(reason).waitFor()
    }
    await checkPage(page, 'administration-own-menu')
    const send = (body: object) =>
      page.evaluate(
        async ([path, text]) => {
          const headers = { 'content-type': 'application/json' }
          const response = await fetch(path, { method: 'PATCH', headers, body: text })
          return ((await response.json()) as { code?: string }).code
        },
        [`/v1/admin/users/${ada.id}`, JSON.stringify(body)] as const,
      )
    expect(await send({ disabled: true })).toBe('last_instance_admin')
    expect(await send({ is_instance_admin: false })).toBe('last_instance_admin')
    await page.keyboard.press('Escape')

    await showUsers(bob.email)
    await choose(page, bob.email, 'Make administrator')
    await confirm(page, 'Make administrator')
    await getRow(page, bob.email).getByText('Administrator', { exact: true }).waitFor()
    await choose(page, bob.email, 'Withdraw administration')
    await confirm(page, 'Withdraw administration')
    await getRow(page, bob.email).getByText('Administrator', { exact: true }).waitFor({ state: 'detached' })
  })

  it('say in the dialog why something failed', async () => {
    const bob = await makeActiveUser()
    const page = await showUsers(bob.email)
    await page.route('**/v1/admin/users/*', (route) => route.abort())
    await choose(page, bob.email, 'Disable')
    await confirm(page, 'Disable user')
    await page.getByRole('alertdialog').getByText('The server does not answer.').waitFor()
    await checkPage(page, 'administration-disable-failed')
    await page.unroute('**/v1/admin/users/*')
    await confirm(page, 'Disable user')
    await getRow(page, bob.email).getByText('Disabled just now').waitFor()
  })

  it('are found and handled by keyboard, with the filters in the URL', async () => {
    const bob = await makeActiveUser('Bartholomew Stone')
    const name = bob.email.split('@')[0] ?? ''
    const page = getPage()
    await page.goto(`${server.url}/admin/users`)
    await getRow(page, bob.email).waitFor()
    // Each key goes to what has the focus, which menus, dialogs and fields get after they are drawn.
    const focus = page.locator(':focus')
    const isRowFocused = () => getRow(page, bob.email).evaluate((row) => row === document.activeElement)
    const openMenu = async () => {
      await page.keyboard.press('Enter')
      await page.getByRole('menu').and(page.locator(':focus-within')).waitFor()
    }
    await page.keyboard.press('/')
    await page.getByLabel('Search users').and(focus).waitFor()
    await page.keyboard.type(name)
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await expect.poll(() => new URL(page.url()).search).toBe(`?q=${name}`)
    await page.reload()
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await getRow(page, bob.email).focus()
    await openMenu()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await expect.poll(isRowFocused).toBe(true)
    await openMenu()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('End')
    await page.getByRole('menuitem', { name: 'End sessions' }).and(focus).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'End all sessions of Bartholomew Stone?' })
    await dialog.getByRole('button', { name: 'Cancel' }).and(focus).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(bob.getAccess).toEqual({ session: 401, token: 200 })
    await expect.poll(isRowFocused).toBe(true)
    await page.getByLabel('Search users').fill('nobody at all')
    await page.getByRole('heading', { name: 'No user matches' }).waitFor()
    await checkPage(page, 'administration-no-match')
    await page.getByRole('button', { name: 'Show all users' }).click()
    await getRow(page, bob.email).waitFor()
  })
})

describe('the menu of a user', () => {
  it('opens beside the row that was touched, and leads to the changes by this user', async () => {
    const bob = await makeActiveUser()
    const page = await showUsers(bob.email)
    await getRow(page, bob.email).getByRole('button').click()
    await page.getByRole('menuitem', { name: 'Disable' }).waitFor()
    await checkPage(page, 'administration-menu', { widths: [1440] })
    await page.getByRole('menuitem', { name: 'Show changes by this user' }).click()
    await page.waitForURL((url) => url.search === `?actor=${bob.id}`)
    await page.getByRole('button', { name: 'User: Bob Stone' }).waitFor()
  })
})

it('has every action of an administrator in the audit log', async () => {
  const bob = await makeActiveUser('Bob Recorded')
  const page = await showUsers(bob.email)
  const act = async (item: string, button: string) => {
    await choose(page, bob.email, item)
    await confirm(page, button)
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
  }
  await act('End sessions', 'End sessions')
  await act('Revoke tokens', 'Revoke tokens')
  await act('Disable', 'Disable user')
  await act('Enable', 'Enable user')
  await act('Make administrator', 'Make administrator')
  await act('Withdraw administration', 'Withdraw administration')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('Administrators only').click()
  await page.getByText('Saved').waitFor()
  await page.getByText('Everybody').click()
  await page.getByText('Saved').waitFor()
  await page.getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('grid', { name: 'Audit log' })
  for (const sentence of [
    'Changed who can create projects: administrators only → everyone',
    'Changed who can create projects: everyone → administrators only',
    'Withdrew the administration from Bob Recorded',
    'Made Bob Recorded an administrator',
    'Enabled Bob Recorded',
    'Disabled Bob Recorded',
    'Revoked all personal tokens of Bob Recorded',
    'Ended all sessions of Bob Recorded',
  ]) {
    const row = log.getByRole('row').filter({ hasText: sentence }).filter({ hasText: 'Ada Lovelace' }).first()
    await row.waitFor()
  }
})
