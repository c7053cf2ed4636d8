import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findAxeViolations } from '../find-axe-violations.ts'
import { pageStates } from '../server-page-states.ts'
import { takePicture } from '../take-picture.ts'
import { useBrowser } from '../use-browser.ts'

/* The pages that the server renders. Their passkeys are tested in passkeys.e2e.ts. */

const singleSignOn = { oidcIssuer: 'https://login.example.test', oidcClientId: 'x', oidcName: 'Example' }
const server = useTestServer(singleSignOn)
const strictServer = useTestServer({ ...singleSignOn, signIn: 'single-sign-on' })
const browser = useBrowser()

// Faults depend on the width or on the color scheme, never on both, so two combinations are enough.
const appearances = [
  [1280, 'light'],
  [360, 'dark'],
] as const

async function setAppearance(width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
}

/** Shows one state after another: opening a window takes longer than the tests of a state. */
let page: Page
let close: () => Promise<void>
beforeAll(async () => {
  ;({ page, close } = await browser.openPage())
})
afterAll(() => close())

/** Brings the page into a state, without cookies and whatever else the one before has left. */
async function openState(name: string): Promise<void> {
  await setAppearance(1280, 'light')
  await page.context().clearCookies()
  await page.goto(`${server.url}/healthz`)
  await page.evaluate(() => localStorage.clear())
  await pageStates.find((state) => state.name === name)?.open(page, server)
}

interface InvalidField {
  id: string
  isDescribed: boolean
}

/** Finds the fields that are marked as invalid, and the one with the focus if there are any. */
const readInvalidFields = (): Promise<{ fields: InvalidField[]; focused: string | null }> =>
  page.evaluate(() => {
    const fields = [...document.querySelectorAll('[aria-invalid]')].map(({ id, ariaDescribedByElements }) => ({
      id,
      isDescribed:
        ariaDescribedByElements?.some((note) => note.id === `${id}-error` && note.textContent !== '') === true,
    }))
    return { fields, focused: fields.length === 0 ? null : (document.activeElement?.id ?? null) }
  })

const controls = 'a[href], button, input:not([hidden]), select'

interface FocusStep {
  name: string
  /** Whether Tab moved the focus to this element in its order. */
  isReached: boolean
  isOutlined: boolean
}

/** Presses Tab once for each control of the page, from its top. */
async function tabThroughControls(): Promise<FocusStep[]> {
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
  })
  const steps: FocusStep[] = []
  for (const control of await page.locator(controls).filter({ visible: true }).all()) {
    await page.keyboard.press('Tab')
    steps.push(
      await control.evaluate((element) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        const isOutlined = outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2
        const name = element.id === '' ? element.textContent.trim() : element.id
        return { name, isReached: document.activeElement === element, isOutlined }
      }),
    )
  }
  return steps
}

describe.each(pageStates)('the page $name', ({ name, status, invalidFields = [] }) => {
  beforeAll(() => openState(name))

  it('describes each invalid field and focuses the first one', async () => {
    const fields = invalidFields.map((id) => ({ id, isDescribed: true }))
    // The browser focuses a field when it paints, which may be after the load event.
    await expect.poll(() => readInvalidFields()).toEqual({ fields, focused: invalidFields[0] ?? null })
  })

  it('has its HTTP status, the language English, and a title that begins with Error if it has an alert', async () => {
    const { actualStatus, language } = await page.evaluate(() => {
      const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
      return { actualStatus: navigation?.responseStatus, language: document.documentElement.lang }
    })
    expect([actualStatus, language]).toEqual([status, 'en'])
    const hasAlert = (await page.getByRole('alert').count()) > 0
    await expect.poll(() => page.title()).toMatch(hasAlert ? /^Error: .+ · Caseward$/ : /^(?!Error).+ · Caseward$/)
  })

  it.each(appearances)(
    'passes the rules of axe at a width of %i pixels with the %s color scheme',
    async (width, scheme) => {
      await setAppearance(width, scheme)
      await takePicture(page, `${name}-${scheme}-${width}`)
      expect(await findAxeViolations(page, { checksOnlyColors: scheme === 'dark', checksLandmarks: true })).toEqual([])
    },
  )

  it('does not scroll horizontally at a width of 360 pixels', async () => {
    await setAppearance(360, 'light')
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  it('can be used with the keyboard, in order and with a visible focus', async () => {
    const steps = await tabThroughControls()
    expect(steps.length).toBeGreaterThan(0)
    expect(steps).toEqual(steps.map((step) => ({ ...step, isReached: true, isOutlined: true })))
  })
})

describe('the pages', () => {
  it('have different titles', async () => {
    const names = ['sign-in', 'link-account', 'join-new', 'reset', 'reset-requested', 'reset-form', 'reset-ended']
    const titles = new Set<string>()
    for (const name of [...names, 'not-found']) {
      await openState(name)
      titles.add(await page.title())
    }
    expect(titles.size).toBe(names.length + 1)
  })

  it('allow to sign in with the keyboard alone', async () => {
    const { email } = await makeUserWithPassword(server)
    await openState('sign-in')
    // The browser focuses the first field when it paints, which may be after the load event.
    await page.locator('#email:focus').waitFor()
    await page.keyboard.insertText(email)
    await page.keyboard.press('Tab')
    await page.keyboard.insertText(PASSWORD)
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.url}/`)
  })

  it('describe both fields of a failed sign-in and focus the password', async () => {
    await openState('sign-in-wrong')
    await page.locator('#password:focus').waitFor()
    const descriptions = await page
      .locator('main input')
      .evaluateAll((fields) => fields.map(({ ariaDescribedByElements }) => ariaDescribedByElements?.[0]?.textContent))
    const problem = 'Incorrect email address or password.'
    expect(descriptions).toEqual([problem, problem])
  })

  it.each([
    ['setup', { name: 'name', email: 'email', password: 'new-password' }],
    ['sign-in', { email: 'username', password: 'current-password' }],
    ['link-account', { username: 'username', password: 'current-password' }],
    ['join-new', { name: 'name', password: 'new-password' }],
    ['reset', { email: 'email' }],
    ['reset-form', { username: 'username', password: 'new-password' }],
  ])('have autocomplete attributes for browsers and password managers: %s', async (state, expected) => {
    await openState(state)
    const fields = await page
      .locator('input:not([type=checkbox])')
      .evaluateAll((inputs) =>
        (inputs as HTMLInputElement[]).map(({ name, autocomplete }) => [name, autocomplete] as const),
      )
    expect(Object.fromEntries(fields)).toEqual(expected)
  })
})

describe('the sign-in page of a server that requires single sign-on', () => {
  it.each(appearances)('has only the button of the provider, at a width of %i pixels', async (width, scheme) => {
    await page.context().clearCookies()
    await setAppearance(width, scheme)
    await page.goto(`${strictServer.url}/sign-in`)
    await takePicture(page, `sign-in-required-${scheme}-${width}`)
    expect(await page.locator(controls).filter({ visible: true }).allTextContents()).toEqual(['Sign in with Example'])
    expect(await findAxeViolations(page, { checksLandmarks: true })).toEqual([])
  })
})
