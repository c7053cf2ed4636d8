import { useTestServer } from '@caseward/test-support/test-server'
import { waitUntil } from '@caseward/test-support/wait-until'
import { describe, expect, it } from 'vitest'

import { chooseSignOut, openWithRest, readKeys, TIMER, waitForSignIn } from '../sign-out-scenario.ts'
import { useBrowser } from '../use-browser.ts'

/* What is left in the browser when somebody signs out, or when a session ends in another way. */

const server = useTestServer()
const browser = useBrowser()

describe('signing out', () => {
  it.each([
    ['Remove and sign out', []],
    ['Keep and sign out', ['caseward:draft:USER:note', 'caseward:outbox:USER:run-1/result-1']],
  ])('asks first when something was never sent: %s', async (choice, kept) => {
    const { page, id } = await openWithRest(browser, server, {
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
    const { page } = await openWithRest(browser, server)
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
    const { page, id } = await openWithRest(browser, server, { 'caseward:draft:USER:note': draft })
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
