import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { findAxeViolations } from './find-axe-violations.ts'
import { signIn, useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('the app', () => {
  it('opens the requested page after sign-in', async () => {
    const page = await browser.newPage()
    await signIn(page, server, '/projects/some-project/cases?q=card')
    expect(page.url()).toBe(`${server.url}/projects/some-project/cases?q=card`)
  })

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('has no axe violation with the %s theme at a width of %i', async (colorScheme, width) => {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
    await signIn(page, server)
    await page.getByRole('heading', { name: 'Projects', exact: true }).waitFor()
    expect(await page.title()).toBe('Projects · Caseward')
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('shows that a page does not exist, with status 404', async () => {
    const page = await browser.newPage()
    await signIn(page, server)
    const response = await page.goto(`${server.url}/nowhere`)
    expect(response?.status()).toBe(404)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  it('says who is signed in, and signs out', async () => {
    const page = await browser.newPage()
    const { email } = await signIn(page, server)
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByText(email).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL(`${server.url}/sign-in`)
    await page.goto(server.url)
    expect(new URL(page.url()).pathname).toBe('/sign-in')
  })

  it('uses the theme that the user has chosen before anything is painted', async () => {
    const page = await browser.newPage({ colorScheme: 'light' })
    await page.addInitScript(`localStorage.setItem('caseward:preferences', '{"theme":"dark"}')`)
    await signIn(page, server)
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(background).toBe('rgb(13, 15, 19)')
  })
})
