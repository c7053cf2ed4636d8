import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { getRowStatus, openExecution } from '../execution-actions.ts'
import { openAs } from '../open-as.ts'
import { makeRunScenario, waitForCase, waitUntilSaved } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const countRows = (page: Page) => page.getByRole('listbox').getByRole('option').count()

describe('execution', () => {
  it('opens the first test case without a result, and its precondition and steps', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult(scenario.caseIds[0] ?? '', { status: 'passed' })
    const page = await openExecution(browser, server, scenario)
    await waitForCase(page, 2)
    await page.getByText('A guest without an account').waitFor()
    await page.getByText('The form asks for a card').waitFor()
    await expect.poll(() => page.title()).toBe('Execute Regression 2.4 · Web shop · Caseward')
    await page.getByText('2 of 6').first().waitFor()
  })

  it('does nothing on a letter while letters are switched off, and buttons still work', async () => {
    const scenario = await makeRunScenario(server, 2)
    const page = await openExecution(browser, server, scenario)
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
    const page = await openExecution(browser, server, scenario)
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
    const page = await openExecution(browser, server, scenario)
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
    const page = await openExecution(browser, server, scenario)
    await waitForCase(page, 1)
    await page.getByRole('option').filter({ hasText: 'way 4' }).click()
    await waitForCase(page, 4)
    await page.goBack()
    await waitForCase(page, 1)
    await expect.poll(() => page.locator('[role=option][aria-current]').textContent()).toContain('WEB-1')
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
})
