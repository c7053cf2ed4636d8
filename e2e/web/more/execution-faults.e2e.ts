import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { blockEvents } from '../block-events.ts'
import { endSessions, openAs, signInAgain } from '../open-as.ts'
import { makeRunScenario, type RunScenario, waitForCase, waitUntilSaved } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const noteField = (page: Page) => page.getByLabel('Note', { exact: true })
const getPath = (scenario: RunScenario) => `/runs/${scenario.runId}/execute`

async function openExecution(scenario: RunScenario, { hasClock = false } = {}) {
  const page = await browser.newPage()
  if (hasClock) await page.clock.install()
  const user = await openAs(page, server, scenario.project, getPath(scenario))
  await waitForCase(page, 1)
  return { page, user }
}

const completeRun = ({ runId, project }: RunScenario) =>
  server.request('PATCH', `/v1/runs/${runId}`, { token: project.admin.token, body: { status: 'completed' } })

describe('a typed note', () => {
  it('survives a reload, Back and a crash', async () => {
    const scenario = await makeRunScenario(server)
    const { page } = await openExecution(scenario)
    await noteField(page).fill('The total is wrong')
    await page.reload()
    await waitForCase(page, 1)
    await expect.poll(() => noteField(page).inputValue()).toBe('The total is wrong')
    await page.getByRole('link', { name: 'Regression 2.4' }).click()
    await page.getByRole('grid').waitFor()
    await page.goBack()
    await waitForCase(page, 1)
    await expect.poll(() => noteField(page).inputValue()).toBe('The total is wrong')
    const other = await page.context().newPage()
    await page.close()
    await other.goto(server.url + getPath(scenario))
    await waitForCase(other, 1)
    await expect.poll(() => noteField(other).inputValue()).toBe('The total is wrong')
    await other.keyboard.press('f')
    await waitUntilSaved(other)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'failed', note: 'The total is wrong' })
  })
})

describe('results', () => {
  it('are all stored after the server has failed three times', async () => {
    const scenario = await makeRunScenario(server, 30)
    const { page } = await openExecution(scenario)
    let failures = 0
    await page.route('**/results/**', async (route) => {
      if (route.request().method() === 'GET' || failures === 3) return await route.continue()
      failures += 1
      return await route.fulfill({ status: 503, contentType: 'text/plain', body: 'no' })
    })
    for (let number = 1; number <= 30; number += 1) {
      await waitForCase(page, number)
      await page.keyboard.press('p')
    }
    await page.getByText(/^All saved/).waitFor({ timeout: 20_000 })
    expect(failures).toBe(3)
    const statuses = await Promise.all(scenario.caseIds.map(async (id) => (await scenario.getResult(id)).status))
    expect(statuses.filter((status) => status === 'passed')).toHaveLength(30)
  })

  it('wait while the browser is offline for a minute, and are sent when it is online again', async () => {
    const scenario = await makeRunScenario(server)
    const { page } = await openExecution(scenario, { hasClock: true })
    await page.context().setOffline(true)
    for (const number of [1, 2, 3]) {
      await waitForCase(page, number)
      await page.keyboard.press('p')
    }
    await page.getByText('Not saved yet, trying again (3 waiting)').waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(!\) /)
    await page.clock.fastForward(60_000)
    await page.getByText('Not saved yet, trying again (3 waiting)').waitFor()
    expect((await scenario.getResult('WEB-1')).status).toBe('not_tested')
    await page.context().setOffline(false)
    await waitUntilSaved(page)
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) expect((await scenario.getResult(id)).status).toBe('passed')
    await expect.poll(() => page.title()).not.toMatch(/^\(!\)/)
  })

  it('are sent after the session has ended and the user has signed in again in another tab', async () => {
    const scenario = await makeRunScenario(server)
    const { page, user } = await openExecution(scenario)
    // Offline, because the page notices the end of its session at once, and then takes no more results.
    await page.context().setOffline(true)
    await noteField(page).fill('Kept over the sign-in')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await endSessions(server, user)
    await page.context().setOffline(false)
    await signInAgain(page, user)
    await page.bringToFront()
    await page.getByRole('dialog', { name: 'Your session ended', exact: true }).waitFor({ state: 'hidden' })
    await waitUntilSaved(page)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'failed', note: 'Kept over the sign-in' })
  })
})

describe('a page whose code cannot be loaded', () => {
  it('takes results without the part that is missing, and stays as it is until the user has signed in again', async () => {
    const scenario = await makeRunScenario(server)
    const page = await browser.newPage()
    await page.route('**/assets/result-links-*.js', (route) => route.abort())
    const user = await openAs(page, server, scenario.project, getPath(scenario))
    await waitForCase(page, 1)
    const failed = page.getByRole('alert').filter({ hasText: 'This part could not be loaded.' })
    await failed.waitFor()
    await page.keyboard.press('p')
    await waitForCase(page, 2)
    await waitUntilSaved(page)
    expect((await scenario.getResult('WEB-1')).status).toBe('passed')

    let isDown = true
    await page.route('**/execute*', (route) => (isDown ? route.abort() : route.continue()))
    await failed.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The page could not be loaded.').waitFor()
    await endSessions(server, user)
    await page.unroute('**/assets/result-links-*.js')
    isDown = false
    await signInAgain(page, user)
    await waitForCase(page, 2)
    await page.getByRole('button', { name: 'Add link' }).waitFor()
  })
})

describe('a run that somebody completes', () => {
  it('shows the banner at once, and keeps the note that is being typed', async () => {
    const scenario = await makeRunScenario(server)
    const { page } = await openExecution(scenario)
    await page.getByText('Live', { exact: true }).waitFor()
    await noteField(page).fill('Half a sentence')
    await completeRun(scenario)
    await page.getByText('This run is completed').waitFor()
    await page.getByText('Half a sentence').waitFor()
    await page.getByRole('button', { name: 'Copy note' }).waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    // Until the field takes the place of the text.
    await expect.poll(() => noteField(page).inputValue()).toBe('Half a sentence')
  })

  it('is reopened to save what was set in the meantime', async () => {
    const scenario = await makeRunScenario(server)
    const page = await browser.newPage()
    await blockEvents(page)
    await openAs(page, server, scenario.project, getPath(scenario))
    await waitForCase(page, 1)
    await completeRun(scenario)
    await noteField(page).fill('Not lost')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await page.getByText('1 result not saved').waitFor()
    await page.getByText('WEB-1: failed').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Reopen and save' }).click()
    await waitUntilSaved(page)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'failed', note: 'Not lost' })
  })
})

describe('a result that somebody else has set meanwhile', () => {
  async function openWithConflict() {
    const scenario = await makeRunScenario(server)
    const page = await browser.newPage()
    await blockEvents(page)
    await openAs(page, server, scenario.project, getPath(scenario))
    await waitForCase(page, 1)
    await scenario.setResult('WEB-1', { status: 'blocked', note: 'No test system' })
    await noteField(page).fill('Works for me')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+P')
    const conflict = page.getByRole('region', { name: 'Two results' })
    await conflict.waitFor()
    return { scenario, page, conflict }
  }

  it('is shown beside the own one, and not overwritten', async () => {
    const { scenario, page, conflict } = await openWithConflict()
    await expect.poll(() => conflict.textContent()).toMatch(/Blocked.*No test system.*You.*Passed.*Works for me/)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'blocked', note: 'No test system' })
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await waitUntilSaved(page)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'passed', note: 'Works for me' })
  })

  it('is kept if the user takes it, which can be undone', async () => {
    const { scenario, page, conflict } = await openWithConflict()
    await page.keyboard.press('j')
    await waitForCase(page, 2)
    await page.getByText('someone else has set another result').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await conflict.getByRole('button', { name: 'Take theirs' }).click()
    await conflict.waitFor({ state: 'hidden' })
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'blocked' })
    await page.keyboard.press('Control+z')
    await expect.poll(() => scenario.getResult('WEB-1')).toMatchObject({ status: 'passed', note: 'Works for me' })
  })

  it('is announced while the test case is open, and not replaced without a question', async () => {
    const scenario = await makeRunScenario(server)
    const { page } = await openExecution(scenario)
    await page.getByText('Live', { exact: true }).waitFor()
    await scenario.setResult('WEB-1', { status: 'blocked', note: 'No test system' })
    const arrived = page.getByRole('region', { name: 'Another result' })
    await expect.poll(() => arrived.textContent()).toMatch(/has set a result while.*Blocked.*No test system/)
    await page.keyboard.press('Shift+P')
    const conflict = page.getByRole('region', { name: 'Two results' })
    await expect.poll(() => conflict.textContent()).toMatch(/Blocked.*No test system.*You.*Passed/)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'blocked', note: 'No test system' })
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await waitUntilSaved(page)
    expect((await scenario.getResult('WEB-1')).status).toBe('passed')
    // What was seen when the test case was opened is replaced without a question.
    await scenario.setResult('WEB-2', { status: 'failed' })
    await page.getByRole('option').filter({ hasText: 'WEB-2A' }).getByRole('img', { name: 'Failed' }).waitFor()
    await page.keyboard.press('j')
    await waitForCase(page, 2)
    await page.keyboard.press('Shift+P')
    await expect.poll(async () => (await scenario.getResult('WEB-2')).status).toBe('passed')
  })
})
