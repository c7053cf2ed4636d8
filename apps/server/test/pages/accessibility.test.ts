import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Chromium, startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { Tab } from '@caseward/test-support/tab'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { pageStates } from './page-states.ts'

/** A directory for screenshots of all pages; by default none are taken. */
const screenshots = process.env['PICTURES']

let chromium: Chromium
const server = useTestServer({
  oidcIssuer: 'https://login.example.test',
  oidcClientId: 'x',
  oidcName: 'Example',
})
let tab: Tab
beforeAll(async () => {
  chromium = await startChromium()
  tab = await chromium.newTab()
  if (screenshots !== undefined) await mkdir(screenshots, { recursive: true })
}, INSTALL_TIMEOUT_MS)
afterAll(() => chromium.close())

// Faults depend on the width or on the color scheme, never on both, so two combinations are enough.
const appearances = [
  [1280, 'light'],
  [360, 'dark'],
] as const

const audit = `axe
  .run({
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    resultTypes: ['violations'],
  })
  .then(({ violations, passes }) => ({
    rules: passes.length,
    faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary])),
  }))`

interface FocusStep {
  name: string
  /** Whether Tab moved the focus to this element in its order. */
  isReached: boolean
  isOutlined: boolean
}

/** Presses Tab once for each control of the page, from its top. */
async function tabThroughControls(): Promise<FocusStep[]> {
  await tab.evaluate(`{
    globalThis.controls = [...document.querySelectorAll('a[href], button, input:not([hidden]), select')]
    document.body.tabIndex = -1
    document.body.focus()
  }`)
  const count = await tab.evaluate<number>('controls.length')
  const steps = []
  for (let index = 0; index < count; index += 1) {
    await tab.press('Tab')
    steps.push(
      await tab.evaluate<FocusStep>(`{
        const [control, style] = [controls[${index}], getComputedStyle(controls[${index}])]
        const isOutlined = style.outlineStyle === 'solid' && Number.parseFloat(style.outlineWidth) >= 2
        const name = control.id || control.textContent.trim()
        ;({ name, isReached: document.activeElement === control, isOutlined })
      }`),
    )
  }
  return steps
}

/** Opens a page in a browser without cookies. */
async function openPage(name: string): Promise<void> {
  await tab.clearCookies()
  await pageStates.find((state) => state.name === name)?.open(tab, server)
}

describe.each(pageStates)('the page $name', ({ name, status, invalidFields = [] }) => {
  beforeAll(async () => {
    await tab.setAppearance(1280, 'light')
    await openPage(name)
  })

  it('describes each invalid field and focuses the first one', async () => {
    const readInvalidFields = () =>
      tab.evaluate(`{
      const invalid = [...document.querySelectorAll('[aria-invalid]')]
      const fields = invalid.map(({ id, ariaDescribedByElements }) => ({
        id,
        isDescribed: ariaDescribedByElements.some((note) => note.id === id + '-error' && note.textContent !== ''),
      }))
      ;({ fields, first: invalid.length === 0 ? null : document.activeElement.id })
    }`)
    const fields = invalidFields.map((id) => ({ id, isDescribed: true }))
    await expect.poll(readInvalidFields).toEqual({ fields, first: invalidFields[0] ?? null })
  })

  it('has its HTTP status, the language English, and a title that begins with Error if it has an alert', async () => {
    expect([await tab.status(), await tab.evaluate('document.documentElement.lang')]).toEqual([status, 'en'])
    const hasAlert = await tab.evaluate('document.querySelector("[role=alert]") !== null')
    expect(await tab.title()).toMatch(hasAlert === true ? /^Error: .+ · Caseward$/ : /^(?!Error).+ · Caseward$/)
  })

  it.each(appearances)(
    'passes the rules of axe at a width of %i pixels with the %s color scheme',
    async (width, scheme) => {
      await tab.setAppearance(width, scheme)
      if (screenshots !== undefined)
        await writeFile(join(screenshots, `${name}-${scheme}-${width}.png`), await tab.screenshot())
      await tab.evaluate(`if (!('axe' in globalThis)) { ${axe.source} }; null`)
      const { rules, faults } = await tab.evaluate<{ rules: number; faults: string[][] }>(audit)
      expect(faults).toEqual([])
      expect(rules).toBeGreaterThan(15)
    },
  )

  it('does not scroll horizontally at a width of 360 pixels', async () => {
    await tab.setAppearance(360, 'light')
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })

  it('can be used with the keyboard, in order and with a visible focus', async () => {
    const steps = await tabThroughControls()
    expect(steps.length).toBeGreaterThan(0)
    expect(steps).toEqual(steps.map((step) => ({ ...step, isReached: true, isOutlined: true })))
  })
})

describe('the pages', () => {
  it('have different titles', async () => {
    const titles: string[] = []
    for (const name of [
      'sign-in',
      'link-account',
      'join-new',
      'reset',
      'reset-requested',
      'reset-form',
      'reset-ended',
      'account',
      'not-found',
    ]) {
      await openPage(name)
      titles.push(await tab.title())
    }
    expect(new Set(titles).size).toBe(9)
  })

  it('allow to sign in with the keyboard alone', async () => {
    const { email } = await makeUserWithPassword(server)
    await openPage('sign-in')
    // The browser focuses the first field when it paints, which may be after the load event.
    await expect.poll(() => tab.evaluate('document.activeElement.id')).toBe('email')
    await tab.type(email)
    await tab.press('Tab')
    await tab.type(PASSWORD)
    await tab.pressEnter()
    expect(await tab.path()).toBe('/')
  })

  it('describe both fields of a failed sign-in and focus the password', async () => {
    await openPage('sign-in-wrong')
    const readFields = () =>
      tab.evaluate(`({
      focused: document.activeElement.id,
      described: [...document.querySelectorAll('main input')].map((field) => field.ariaDescribedByElements[0]?.textContent),
    })`)
    const problem = 'Incorrect email address or password.'
    await expect.poll(readFields).toEqual({ focused: 'password', described: [problem, problem] })
  })

  it.each([
    ['setup', { name: 'name', email: 'email', password: 'new-password' }],
    ['sign-in', { email: 'username', password: 'current-password' }],
    ['link-account', { username: 'username', password: 'current-password' }],
    ['join-new', { name: 'name', password: 'new-password' }],
    ['reset', { email: 'email' }],
    ['reset-form', { username: 'username', password: 'new-password' }],
    ['account', { name: 'off', username: 'username', current_password: 'current-password', password: 'new-password' }],
  ])('have autocomplete attributes for browsers and password managers: %s', async (state, expected) => {
    await openPage(state)
    const fills = await tab.evaluate(
      'Object.fromEntries([...document.querySelectorAll("input:not([type=checkbox])")].map((field) => [field.name, field.autocomplete]))',
    )
    expect(fills).toEqual(expected)
  })
})
