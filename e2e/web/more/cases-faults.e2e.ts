import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { expectFocus, holdRequests } from '../case-actions.ts'
import { type CaseScenario, getPanel, getRow, makeCaseScenario } from '../case-scenario.ts'
import { endSessions, openAs, signInAgain } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** The app saves after 1.5 s without typing, and tries again after 5 s. */
const RETRY_MS = 5000

async function openCase(query = '?case=WEB-1', { hasClock = false } = {}) {
  const scenario: CaseScenario = await makeCaseScenario(server)
  const page = await browser.newPage()
  if (hasClock) await page.clock.install()
  const user = await openAs(page, server, scenario.project, scenario.path + query)
  await getTitle(page).waitFor()
  return { page, scenario, user }
}

const getTitle = (page: Page) => getPanel(page).getByRole('textbox', { name: 'Title' })
const getState = (page: Page, text: string) => getPanel(page).getByText(text, { exact: true })
const getConflict = (page: Page) => page.getByRole('region', { name: 'Two versions' })

async function typePrecondition(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Edit precondition' }).press('Enter')
  await page.keyboard.type(text)
}

describe('what is typed', () => {
  it('is saved after three responses with status 503, and typing goes on meanwhile', async () => {
    const { page, scenario } = await openCase('?case=WEB-1', { hasClock: true })
    let failures = 0
    await page.route('**/test-cases/WEB-1', async (route) => {
      if (route.request().method() === 'GET' || failures === 3) return await route.continue()
      failures += 1
      return await route.fulfill({ status: 503, contentType: 'text/plain', body: 'no' })
    })
    await getTitle(page).fill('Typed in a bad moment')
    await page.keyboard.press('Tab')
    for (let failure = 1; failure <= 3; failure += 1) {
      await getState(page, 'Not saved').waitFor()
      expect(failures).toBe(failure)
      if (failure === 2) await typePrecondition(page, 'A guest')
      await page.clock.fastForward(RETRY_MS)
    }
    await getState(page, 'Saved').waitFor()
    expect(await scenario.read('WEB-1')).toMatchObject({ title: 'Typed in a bad moment', precondition: 'A guest' })
    expect(failures).toBe(3)
  })

  it('waits while the browser is offline, and is saved when it is online again', async () => {
    const { page, scenario } = await openCase()
    await page.context().setOffline(true)
    await getTitle(page).fill('Typed offline')
    await page.keyboard.press('Tab')
    await getState(page, 'Not saved').waitFor()
    await page.getByText('The server does not answer. What you typed is kept.').waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(!\) /)
    await typePrecondition(page, 'On a train')
    await page.context().setOffline(false)
    await getState(page, 'Saved').waitFor()
    await expect
      .poll(() => scenario.read('WEB-1'))
      .toMatchObject({
        title: 'Typed offline',
        precondition: 'On a train',
      })
  })

  it('is saved after the session has ended and the user has signed in again in another tab', async () => {
    const { page, scenario, user } = await openCase()
    await endSessions(server, user)
    await getTitle(page).fill('Typed after the session')
    await page.keyboard.press('Tab')
    const dialog = page.getByRole('dialog', { name: 'Your session ended', exact: true })
    await dialog.waitFor()
    // Not by its role: the dialog hides it from screen readers.
    await page.locator('[role=status]', { hasText: 'Not saved' }).waitFor()
    await signInAgain(page, user)
    await page.bringToFront()
    await dialog.waitFor({ state: 'hidden' })
    await getState(page, 'Saved').waitFor()
    expect((await scenario.read('WEB-1')).title).toBe('Typed after the session')
  })

  it('is marked after its panel is closed, and sent when the app is opened again', async () => {
    const { page, scenario } = await openCase()
    await page.route('**/test-cases/WEB-1', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort('connectionrefused'),
    )
    await getTitle(page).fill('Typed while the server was away')
    await page.keyboard.press('Tab')
    await getState(page, 'Not saved').waitFor()
    await page.getByRole('button', { name: 'Close the panel' }).click()
    const banner = page.getByText(/^Changes not saved, kept in this browser/)
    await banner.getByRole('link', { name: 'WEB-1' }).waitFor()
    await getRow(page, 'WEB-1').getByText('Not saved').waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'WEB-1 not saved' }).waitFor()
    await checkPage(page, 'cases-unsent')
    const reopened = await page.context().newPage()
    await page.close()

    // Another user has changed another field meanwhile.
    const path = `/v1/projects/${scenario.project.id}/test-cases/WEB-1`
    const { token } = scenario.project.admin
    await server.request('PATCH', path, { token, body: { priority: 'critical' } })
    await reopened.goto(`${server.url}/projects/${scenario.project.id}/runs`)
    const expected = { title: 'Typed while the server was away', priority: 'critical' }
    await expect.poll(() => scenario.read('WEB-1')).toMatchObject(expected)
    await reopened.getByRole('link', { name: 'WEB-1 not saved' }).waitFor({ state: 'detached' })
  })

  it('is sent when the tab is closed at once', async () => {
    const { page, scenario } = await openCase()
    await getTitle(page).fill('Typed last')
    await page.close({ runBeforeUnload: false })
    await expect.poll(async () => (await scenario.read('WEB-1')).title).toBe('Typed last')
  })

  it('stays when the user may no longer save it', async () => {
    const { page, scenario, user } = await openCase()
    await getTitle(page).fill('Typed too late')
    const path = `/v1/projects/${scenario.project.id}/members/${user.id}`
    await server.request('PATCH', path, { token: scenario.project.admin.token, body: { role: 'viewer' } })
    await page.keyboard.press('Tab')
    await page.getByText('Your changes are not saved.').waitFor()
    await getPanel(page).getByRole('heading', { name: 'Typed too late' }).waitFor()
    expect(await page.getByRole('button', { name: 'New case' }).count()).toBe(0)
  })
})

describe('a new test case', () => {
  it('is a draft that survives closing the tab, and is created once', async () => {
    const { page, scenario } = await openCase('?case=new')
    // Otherwise it may be saved before the tab is closed.
    await page.route('**/test-cases', async (route) => {
      if (route.request().method() === 'POST') await route.abort()
      else await route.fallback()
    })
    await getTitle(page).fill('Begun yesterday')
    const other = await page.context().newPage()
    await page.close({ runBeforeUnload: false })
    await other.goto(server.url + scenario.path)
    await getRow(other, 'WEB-1').waitFor()
    expect(await scenario.readOrder()).toHaveLength(6)
    await other.keyboard.press('c')
    await expectFocus(other, 'Title')
    await expect.poll(() => getTitle(other).inputValue()).toBe('Begun yesterday')
    await getState(other, 'Saved').waitFor()
    await getRow(other, 'WEB-7').waitFor()
    await other.reload()
    await getTitle(other).waitFor()
    await other.keyboard.press('c')
    await expect.poll(() => getTitle(other).inputValue()).toBe('')
  })

  it('is created once if reading it afterwards fails', async () => {
    const { page, scenario } = await openCase('?case=new')
    await page.route('**/test-cases/WEB-7', async (route) => {
      if (route.request().method() === 'GET') await route.abort()
      else await route.continue()
    })
    await getTitle(page).fill('Created once')
    await page.keyboard.press('Tab')
    await getState(page, 'Saved').waitFor()
    await getTitle(page).fill('Created once, and edited')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await scenario.read('WEB-7')).title).toBe('Created once, and edited')
    expect(await scenario.readOrder()).toHaveLength(7)
  })

  it('does not come back to the panel if another one was opened while it was created', async () => {
    const { page } = await openCase('?case=new')
    const release = await holdRequests(page, '**/test-cases', 'POST')
    await getTitle(page).fill('Created meanwhile')
    await getRow(page, 'WEB-2').click()
    await expect.poll(() => getTitle(page).inputValue()).toBe('A guest pays by invoice')
    release()
    await getRow(page, 'WEB-7').waitFor()
    expect(new URL(page.url()).searchParams.get('case')).toBe('WEB-2')
  })

  it('does not hold up who leaves the page while it is created', async () => {
    const { page, scenario } = await openCase('?case=new')
    const create = await holdRequests(page, '**/test-cases', 'POST')
    const loadRuns = await holdRequests(page, '**/assets/runs.page-*.js', 'GET')
    await getTitle(page).fill('Created on the way')
    await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Runs' }).click()
    create()
    await expect.poll(async () => (await scenario.readOrder()).length).toBe(7)
    await page.waitForTimeout(300)
    loadRuns()
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor()
  })
})

describe('two editors of the same fields', () => {
  async function openConflict() {
    const { page, scenario } = await openCase()
    await page.context().setOffline(true)
    await getPanel(page).getByRole('combobox', { name: 'Priority' }).selectOption('low')
    await typePrecondition(page, 'Of mine')
    await getTitle(page).fill('Mine')
    await scenario.changeAsOther('WEB-1', { title: 'Theirs', precondition: 'Of theirs', expected_result: 'All done' })
    await page.context().setOffline(false)
    await getConflict(page).waitFor()
    return { page, scenario }
  }

  it('lose nothing if the tab is closed before the user has chosen, and each field is chosen for itself', async () => {
    const { page, scenario } = await openConflict()
    const context = page.context()
    await page.close({ runBeforeUnload: false })
    const other = await context.newPage()
    await other.goto(`${server.url}${scenario.path}?case=WEB-1`)
    const conflict = getConflict(other)
    const getField = (name: string) => conflict.getByRole('radiogroup', { name })
    for (const [mine, theirs] of [
      ['Mine', 'Theirs'],
      ['Of mine', 'Of theirs'],
    ] as const) {
      await conflict.getByText(mine, { exact: true }).last().waitFor()
      await conflict.getByText(theirs, { exact: true }).last().waitFor()
    }
    await getField('Title').getByText('Keep mine').click()
    await expect.poll(() => conflict.getByRole('button', { name: 'Save the choice' }).isDisabled()).toBe(true)
    await getField('Precondition').getByText('Take theirs').click()
    await conflict.getByRole('button', { name: 'Save the choice' }).click()
    await getState(other, 'Saved').waitFor()
    expect(await scenario.read('WEB-1')).toMatchObject({
      title: 'Mine',
      precondition: 'Of theirs',
      expected_result: 'All done',
      priority: 'low',
    })
  })

  it('are asked again if the test case changes once more before the choice is saved', async () => {
    const { page, scenario } = await openConflict()
    await scenario.changeAsOther('WEB-1', { title: 'Theirs again' })
    await getConflict(page).getByRole('button', { name: 'Keep all mine' }).click()
    await getConflict(page).getByText('Theirs again', { exact: true }).waitFor()
    await getConflict(page).getByText('Take theirs', { exact: true }).click()
    await getConflict(page).getByRole('button', { name: 'Save the choice' }).click()
    await getState(page, 'Saved').waitFor()
    expect(await scenario.read('WEB-1')).toMatchObject({ title: 'Theirs again', priority: 'low' })
    await expectFocus(page, 'Title')
  })

  it('do not change rows with what they go on typing when the choice appears', async () => {
    const { page, scenario } = await openConflict()
    await page.keyboard.type('4xm')
    await page.keyboard.press('Delete')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('row', { selected: true }).count()).toBe(0)
    await expect.poll(() => getRow(page, 'WEB-1').count()).toBe(1)
    expect((await scenario.read('WEB-1')).version).toBe(2)
    await page.keyboard.press('Escape')
    await getPanel(page).waitFor({ state: 'detached' })
  })
})
