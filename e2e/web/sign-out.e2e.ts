import { useTestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { openAsNewUser } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

/* What is left in the browser when somebody signs out, or when a session ends in another way. */

const server = useTestServer()
const browser = useBrowser()

const TIMER = 'caseward:timer:run-1'

/** Opens the app as a new user, with what execution pages leave behind. */
async function openApp(stored: Record<string, string> = {}) {
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

async function chooseSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

const readKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage).toSorted())
const waitForSignIn = (page: Page) => page.waitForURL((url) => url.pathname === '/sign-in')

describe('signing out', () => {
  it('leaves nothing but the preferences, in all tabs, when everything was sent', async () => {
    const { page } = await openApp()
    const other = await page.context().newPage()
    await other.goto(server.url)
    await other.getByRole('button', { name: 'Your account' }).waitFor()
    await chooseSignOut(page)
    await waitForSignIn(page)
    expect(await readKeys(page)).toEqual(['caseward:preferences'])
    await waitForSignIn(other)
    expect(await readKeys(page)).toEqual(['caseward:preferences'])
    await page.goBack()
    await waitForSignIn(page)
  })

  it.each([
    ['Remove and sign out', []],
    ['Keep and sign out', ['caseward:draft:USER:note', 'caseward:outbox:USER:run-1/result-1']],
  ])('asks first when something was never sent: %s', async (choice, kept) => {
    const { page, id } = await openApp({
      'caseward:draft:USER:note': '{}',
      'caseward:outbox:USER:run-1/result-1': '{}',
      'caseward:outbox:other-user:run-1/result-1': '{}',
      'caseward:outbox-saved:other-user': '[]',
    })
    await chooseSignOut(page)
    await page.getByText('1 result and 1 text that you typed are not saved on the server').waitFor()
    await page.getByRole('button', { name: choice }).click()
    await waitForSignIn(page)
    const ownKeys = kept.map((key) => key.replace('USER', id))
    const expected = [...ownKeys, 'caseward:outbox:other-user:run-1/result-1', 'caseward:preferences']
    expect(await readKeys(page)).toEqual(expected.toSorted())
  })

  it('only waits for a click when another site leads to its page', async () => {
    const { page } = await openApp()
    await page.goto(`${server.url}/sign-out`)
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    expect(await readKeys(page)).toContain(TIMER)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await waitForSignIn(page)
    expect(await readKeys(page)).toEqual(['caseward:preferences'])
  })
})

describe('a session that was ended elsewhere', () => {
  it('leaves no saved result, in an open app and on the sign-in page, and keeps what was never sent', async () => {
    const draft = JSON.stringify({ text: 'Typed', typedAt: Date.now(), base: null })
    const { page, id } = await openApp({ 'caseward:draft:USER:note': draft })
    const key = `caseward:outbox-saved:${id}`
    const waitForRemoval = () => waitUntil(async () => !(await readKeys(page)).includes(key), 'it is removed')
    await server.db.deleteFrom('sessions').where('user_id', '=', id).execute()
    // Servers cache a session for less than a second.
    await page.waitForTimeout(1000)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: 'My work' }).click()
    await page.getByRole('heading', { name: 'Your session ended' }).waitFor()
    await waitForRemoval()
    await page.evaluate((name) => localStorage.setItem(name, '[]'), key)
    await page.goto(server.url)
    await waitForSignIn(page)
    await waitForRemoval()
    expect(await readKeys(page)).toContain(`caseward:draft:${id}:note`)
  })
})
