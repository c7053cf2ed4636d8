import { useSharedServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { chooseSignOut, openWithRest, readKeys, waitForSignIn } from './sign-out-scenario.ts'
import { useBrowser } from './use-browser.ts'

const server = useSharedServer()
const browser = useBrowser()

describe('signing out', () => {
  it('leaves nothing but the preferences, in all tabs, when everything was sent', async () => {
    const { page } = await openWithRest(browser, server)
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
})
