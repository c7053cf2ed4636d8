import { useTestServer } from '@caseward/test-support/test-server'
import { makeRun } from '@caseward/test-support/factories'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { tabToElement } from './case-actions.ts'
import { joinProject, openAs } from './open-as.ts'
import { makeRunScenario, type RunScenario, waitForCase, waitUntilSaved } from './run-scenario.ts'
import { setVisibility, useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function openExecution(scenario: RunScenario, query = '', { hasClock = false } = {}): Promise<Page> {
  const page = await (hasClock ? browser.newWindow() : browser.newPage())
  if (hasClock) await page.clock.install()
  await openAs(page, server, scenario.project, `/runs/${scenario.runId}/execute${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Keys act once the user's role and the run are known, as the buttons do.
  await page.getByRole('button', { name: 'Passed' }).first().waitFor()
  return page
}

const countRows = (page: Page) => page.getByRole('listbox').getByRole('option').count()
/** The status of a row of the list, in words. */
const getRowStatus = (page: Page, id: string) =>
  page
    .getByRole('option')
    .filter({ hasText: `${id}A customer` })
    .getByRole('img')
    .first()
    .getAttribute('aria-label')

describe('execution', () => {
  it('opens the first test case without a result, and its precondition and steps', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult(scenario.caseIds[0] ?? '', { status: 'passed' })
    const page = await openExecution(scenario)
    await waitForCase(page, 2)
    await page.getByText('A guest without an account').waitFor()
    await page.getByText('The form asks for a card').waitFor()
    await expect.poll(() => page.title()).toBe('Execute Regression 2.4 · Web shop · Caseward')
    await page.getByText('2 of 6').first().waitFor()
  })

  it('saves a status with one key and goes on; with Shift it stays, and U clears', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openExecution(scenario)
    await waitForCase(page, 1)
    for (const [index, key] of ['p', 'f', 'b', 'r'].entries()) {
      await page.keyboard.press(key)
      await waitForCase(page, index + 2)
    }
    await page.keyboard.press('Shift+P')
    await expect.poll(() => getRowStatus(page, 'WEB-5')).toBe('Passed')
    await waitForCase(page, 5)
    await waitUntilSaved(page)
    const statuses = await Promise.all(scenario.caseIds.map(async (id) => (await scenario.getResult(id)).status))
    expect(statuses).toEqual(['passed', 'failed', 'blocked', 'retest', 'passed', 'not_tested'])
    expect((await scenario.getResult('WEB-1')).note).toBeNull()
    expect(await page.locator('[aria-modal=true], [role=alertdialog]').count()).toBe(0)
    await page.keyboard.press('u')
    await expect.poll(async () => (await scenario.getResult('WEB-5')).status).toBe('not_tested')
  })

  it('does nothing on a letter while letters are switched off, and buttons still work', async () => {
    const scenario = await makeRunScenario(server, 2)
    const page = await openExecution(scenario)
    await page.evaluate(`localStorage.setItem('caseward:preferences', '{"singleLetterKeys":false}')`)
    await page.reload()
    await waitForCase(page, 1)
    await page.keyboard.press('p')
    await page.getByRole('group', { name: 'Result', exact: true }).getByRole('button', { name: 'Failed' }).click()
    await waitForCase(page, 2)
    await waitUntilSaved(page)
    expect((await scenario.getResult('WEB-1')).status).toBe('failed')
  })

  it('moves with J, K and L, and keeps the row in the middle of the list', async () => {
    const scenario = await makeRunScenario(server, 60)
    await scenario.setResult('WEB-50', { status: 'failed' })
    const page = await openExecution(scenario)
    await waitForCase(page, 1)
    await page.keyboard.press('j')
    await waitForCase(page, 2)
    await page.keyboard.press('k')
    await waitForCase(page, 1)
    await page.keyboard.press('l')
    await waitForCase(page, 50)
    for (let presses = 0; presses < 13; presses += 1) await page.keyboard.press('k')
    await waitForCase(page, 37)
    const list = await page.getByRole('listbox').boundingBox()
    const row = await page.locator('[role=option][aria-current]').boundingBox()
    const middle = (box: typeof row) => (box?.y ?? 0) + (box?.height ?? 0) / 2
    expect(Math.abs(middle(row) - middle(list))).toBeLessThan(40)
    const active = await page.getByRole('listbox').getAttribute('aria-activedescendant')
    await expect.poll(() => page.locator(`[id="${active}"]`).textContent()).toContain('WEB-37')
  })

  it('keeps filters in the URL, and the place of a row whose status no longer matches', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-3', { status: 'blocked' })
    const page = await openExecution(scenario)
    await page.getByRole('button', { name: 'Status: All' }).click()
    await page.getByRole('menuitemcheckbox', { name: /^Not tested/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await expect.poll(() => countRows(page)).toBe(5)
    await page.keyboard.press('p')
    await waitForCase(page, 2)
    await expect.poll(() => countRows(page)).toBe(5)
    await expect.poll(() => getRowStatus(page, 'WEB-1')).toBe('Passed')
    await waitUntilSaved(page)
    await page.reload()
    await waitForCase(page, 2)
    await expect.poll(() => countRows(page)).toBe(4)
    await page.getByRole('searchbox').fill('way 5')
    await expect.poll(() => countRows(page)).toBe(1)
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => countRows(page)).toBe(6)
  })

  it('goes back to the row before when a row was clicked', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openExecution(scenario)
    await waitForCase(page, 1)
    await page.getByRole('option').filter({ hasText: 'way 4' }).click()
    await waitForCase(page, 4)
    await page.goBack()
    await waitForCase(page, 1)
    await expect.poll(() => page.locator('[role=option][aria-current]').textContent()).toContain('WEB-1')
  })

  it('sets several results with one key and one note, and undoes all of them', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-2', { status: 'passed', note: 'It was fine' })
    const page = await openExecution(scenario)
    await waitForCase(page, 1)
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('Shift+J')
    await page.getByText('3 test cases selected').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Note for all selected').fill('The test system is down')
    await page.keyboard.press('Escape')
    await page.keyboard.press('b')
    await waitUntilSaved(page)
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) {
      expect(await scenario.getResult(id)).toMatchObject({ status: 'blocked', note: 'The test system is down' })
    }
    await waitForCase(page, 4)
    await page.keyboard.press('Control+z')
    await expect
      .poll(async () => await scenario.getResult('WEB-2'))
      .toMatchObject({ status: 'passed', note: 'It was fine' })
    await expect.poll(async () => await scenario.getResult('WEB-1')).toMatchObject({ status: 'not_tested', note: null })
  })

  it('shows Undo for 8 seconds, and as long as it has the focus', async () => {
    const page = await openExecution(await makeRunScenario(server), '', { hasClock: true })
    await page.keyboard.press('p')
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.waitFor()
    await undo.focus()
    await page.clock.runFor(30_000)
    expect(await undo.count()).toBe(1)
    await undo.evaluate((button: HTMLElement) => button.blur())
    await page.clock.runFor(9000)
    await undo.waitFor({ state: 'detached' })
  })

  it('restores status and note with Undo, and keeps the typed note as a draft', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'First try' })
    const page = await openExecution(scenario, '?status=failed')
    await waitForCase(page, 1)
    await page.getByText('First try').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Note', { exact: true }).fill('Second try')
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await waitUntilSaved(page)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'passed', note: 'Second try' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => scenario.getResult('WEB-1')).toMatchObject({ status: 'failed', note: 'First try' })
    await expect.poll(() => page.getByLabel('Note', { exact: true }).inputValue()).toBe('Second try')
  })

  it('saves a note alone with Ctrl and Enter, and goes on', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openExecution(scenario)
    await page.keyboard.press('n')
    await page.keyboard.type('Ask the designer')
    await page.keyboard.press('Control+Enter')
    await waitForCase(page, 2)
    await waitUntilSaved(page)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'not_tested', note: 'Ask the designer' })
  })

  it('writes the note of the test case that has just failed on N, and that of the open one once it is begun', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openExecution(scenario)
    await page.keyboard.press('f')
    await waitForCase(page, 2)
    await page.getByPlaceholder('N writes the note of WEB-1').waitFor()
    await page.keyboard.press('n')
    await page.keyboard.type('The total is wrong')
    await waitForCase(page, 1)
    await page.keyboard.press('Control+Enter')
    await waitForCase(page, 2)
    await page.keyboard.press('n')
    await page.keyboard.type('Nothing to see')
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await waitForCase(page, 3)
    await waitUntilSaved(page)
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'failed', note: 'The total is wrong' })
    expect(await scenario.getResult('WEB-2')).toMatchObject({ status: 'failed', note: 'Nothing to see' })
    // Its reason is known.
    await page.keyboard.press('n')
    await page.keyboard.type('Third')
    await waitForCase(page, 3)
  })

  it('measures the time of a test case, not while it is paused or hidden', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openExecution(scenario, '', { hasClock: true })
    const timer = page.getByRole('timer')
    await page.clock.fastForward(70_000)
    await expect.poll(() => timer.textContent()).toMatch(/^01:1\d$/)
    await page.keyboard.press('.')
    await page.getByRole('button', { name: 'Resume the timer' }).waitFor()
    await page.clock.fastForward(60_000)
    await page.keyboard.press('.')
    await page.getByRole('button', { name: 'Pause the timer' }).waitFor()
    await setVisibility(page, 'hidden')
    await page.clock.fastForward(60_000)
    await setVisibility(page, 'visible')
    await expect.poll(() => timer.textContent()).toMatch(/^01:1\d$/)
    await page.keyboard.press('p')
    await waitForCase(page, 2)
    await waitUntilSaved(page)
    const { elapsed } = await scenario.getResult('WEB-1')
    expect(elapsed).toBeGreaterThanOrEqual(70)
    expect(elapsed).toBeLessThan(85)
    await expect.poll(() => timer.textContent()).toMatch(/^00:0\d$/)
  })

  it('shows a viewer one explanation and no result buttons', async () => {
    const scenario = await makeRunScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, `/runs/${scenario.runId}/execute`, 'viewer')
    await waitForCase(page, 1)
    await page.getByText('Setting results needs the role member or admin').waitFor()
    expect(await page.getByRole('button', { name: 'Passed' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Step 1/ }).count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Note' }).count()).toBe(0)
    await page.keyboard.press('p')
    await page.keyboard.press('j')
    await waitForCase(page, 2)
    expect((await scenario.getResult('WEB-1')).status).toBe('not_tested')
  })

  it('can be done with the keyboard only, from sign-in to the last test case and the completed run', async () => {
    const scenario = await makeRunScenario(server, 10)
    const page = await browser.newWindow()
    const user = await makeUserWithPassword(server)
    await joinProject(server, scenario.project, user, 'member')
    await page.goto(`${server.url}/runs/${scenario.runId}`)
    await tabToElement(page, page.getByLabel('Email address'))
    await page.keyboard.type(user.email)
    await tabToElement(page, page.getByLabel('Password'))
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Execute' }).waitFor()
    await page.keyboard.press('e')
    for (let number = 1; number <= 10; number += 1) {
      await waitForCase(page, number)
      await page.keyboard.press(number === 3 ? 'f' : 'p')
    }
    await page.getByText('Every test case of this run has a result').waitFor()
    await waitUntilSaved(page)
    const statuses = await Promise.all(scenario.caseIds.map(async (id) => (await scenario.getResult(id)).status))
    expect(statuses.filter((status) => status === 'passed')).toHaveLength(9)
    await tabToElement(page, page.getByRole('button', { name: 'Complete run' }))
    await page.keyboard.press('Enter')
    await page.getByText('This run is completed').waitFor()
  })

  it('shows the results of the run before', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed' })
    const next = await makeRun(server, scenario.project, { name: 'Regression 2.5', test_case_ids: scenario.caseIds })
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, `/runs/${next.id}/execute`)
    const before = page.getByRole('definition').filter({ hasText: 'Regression 2.4' })
    await expect.poll(() => before.getByRole('img').getAttribute('aria-label')).toBe('Failed')
  })
})
