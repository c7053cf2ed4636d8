import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Chromium, startChromium } from '@caseward/test-support/chromium'
import { INSTALL_TIMEOUT_MS } from '@caseward/test-support/programs'
import type { Tab } from '@caseward/test-support/tab'
import { startTestServer, type TestServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { pageStates } from './page-states.ts'

/** Where pictures of the pages are put, for somebody to look at; nowhere by default. */
const pictures = process.env['PICTURES']

let chromium: Chromium
let server: TestServer
let tab: Tab
beforeAll(async () => {
  server = await startTestServer({ oidcIssuer: 'https://login.example.test', oidcClientId: 'x', oidcName: 'Example' })
  chromium = await startChromium()
  tab = await chromium.newTab()
  if (pictures !== undefined) await mkdir(pictures, { recursive: true })
}, INSTALL_TIMEOUT_MS)
afterAll(async () => {
  await chromium.close()
  await server.close()
})

// What there is to object to depends on the width or on the colours, never on both: each is looked at once.
const looks = [
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
    wrong: violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => [id, html, failureSummary])),
  }))`

/** By keyboard from the top: for each thing that can be used, whether it was reached in its turn and is seen to be. */
async function walk(): Promise<{ name: string; reached: boolean; outlined: boolean }[]> {
  await tab.evaluate(`{
    globalThis.usable = [...document.querySelectorAll('a[href], button, input:not([hidden]), select')]
    document.body.tabIndex = -1
    document.body.focus()
  }`)
  const count = await tab.evaluate<number>('usable.length')
  const steps = []
  for (let index = 0; index < count; index += 1) {
    await tab.press('Tab')
    steps.push(
      await tab.evaluate<{ name: string; reached: boolean; outlined: boolean }>(`{
        const [here, style] = [usable[${index}], getComputedStyle(usable[${index}])]
        const outlined = style.outlineStyle === 'solid' && Number.parseFloat(style.outlineWidth) >= 2
        const name = here.id || here.textContent.trim()
        ;({ name, reached: document.activeElement === here, outlined })
      }`),
    )
  }
  return steps
}

/** Comes to a page as somebody who was never here. */
async function arriveAt(name: string): Promise<void> {
  await tab.clearCookies()
  await pageStates.find((state) => state.name === name)?.arrive(tab, server)
}

describe.each(pageStates)('the page $name', ({ name, status, wrong = [] }) => {
  beforeAll(async () => {
    await tab.setAppearance(1280, 'light')
    await arriveAt(name)
  })

  it('says beside each field what is wrong with it, and starts at the first', async () => {
    const told = () =>
      tab.evaluate(`{
      const invalid = [...document.querySelectorAll('[aria-invalid]')]
      const fields = invalid.map(({ id, ariaDescribedByElements }) => ({
        id,
        told: ariaDescribedByElements.some((note) => note.id === id + '-error' && note.textContent !== ''),
      }))
      ;({ fields, first: invalid.length === 0 ? null : document.activeElement.id })
    }`)
    const fields = wrong.map((id) => ({ id, told: true }))
    await expect.poll(told).toEqual({ fields, first: wrong[0] ?? null })
  })

  it('answers with its status, in English, and its title says when something is wrong', async () => {
    expect([await tab.status(), await tab.evaluate('document.documentElement.lang')]).toEqual([status, 'en'])
    const hasAlert = await tab.evaluate('document.querySelector("[role=alert]") !== null')
    expect(await tab.title()).toMatch(hasAlert === true ? /^Error: .+ · Caseward$/ : /^(?!Error).+ · Caseward$/)
  })

  it.each(looks)('has nothing that axe objects to %i pixels wide, in %s colours', async (width, scheme) => {
    await tab.setAppearance(width, scheme)
    if (pictures !== undefined)
      await writeFile(join(pictures, `${name}-${scheme}-${width}.png`), await tab.screenshot())
    await tab.evaluate(`if (!('axe' in globalThis)) { ${axe.source} }; null`)
    const { rules, wrong: objections } = await tab.evaluate<{ rules: number; wrong: string[][] }>(audit)
    expect(objections).toEqual([])
    expect(rules).toBeGreaterThan(15)
  })

  it('needs no sideways scrolling 360 pixels wide', async () => {
    await tab.setAppearance(360, 'light')
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })

  it('is worked by keyboard, in the order of its things, and shows where one is', async () => {
    const steps = await walk()
    expect(steps.length).toBeGreaterThan(0)
    expect(steps).toEqual(steps.map((step) => ({ ...step, reached: true, outlined: true })))
  })
})

describe('the pages', () => {
  it('have titles of their own, by which tabs and the browser’s history tell them apart', async () => {
    const titles: string[] = []
    for (const name of [
      'sign-in',
      'join-new',
      'reset',
      'reset-asked',
      'reset-form',
      'reset-ended',
      'account',
      'not-found',
    ]) {
      await arriveAt(name)
      titles.push(await tab.title())
    }
    expect(new Set(titles).size).toBe(8)
  })

  it('sign in by keyboard alone', async () => {
    const { email } = await makeUserWithPassword(server)
    await arriveAt('sign-in')
    // The browser moves to the first field when it first paints, which may be after it has told that the page is there.
    await expect.poll(() => tab.evaluate('document.activeElement.id')).toBe('email')
    await tab.type(email)
    await tab.press('Tab')
    await tab.type(PASSWORD)
    await tab.pressEnter()
    expect([await tab.path(), (await tab.text()).includes(email)]).toEqual(['/account', true])
  })

  it('say with both fields of a sign-in that it failed, and start at the password', async () => {
    await arriveAt('sign-in-wrong')
    const told = () =>
      tab.evaluate(`({
      focused: document.activeElement.id,
      described: [...document.querySelectorAll('main input')].map((field) => field.ariaDescribedByElements[0]?.textContent),
    })`)
    const problem = 'No account has this e-mail address and password.'
    await expect.poll(told).toEqual({ focused: 'password', described: [problem, problem] })
  })

  it.each([
    ['setup', { name: 'name', email: 'email', password: 'new-password' }],
    ['sign-in', { email: 'username', password: 'current-password' }],
    ['join-new', { name: 'name', password: 'new-password' }],
    ['reset', { email: 'email' }],
    ['reset-form', { username: 'username', password: 'new-password' }],
    ['account', { name: 'off', username: 'username', current_password: 'current-password', password: 'new-password' }],
  ])('tell browsers and password managers what to fill in: %s', async (state, expected) => {
    await arriveAt(state)
    const fills = await tab.evaluate(
      'Object.fromEntries([...document.querySelectorAll("input")].map((field) => [field.name, field.autocomplete]))',
    )
    expect(fills).toEqual(expected)
  })
})
