import { useSharedServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { checkPage } from './page-checks.ts'
import { getTab, openRun, resultRows } from './run-actions.ts'
import { makeRunScenario, type RunScenario } from './run-scenario.ts'
import { useBrowser } from './use-browser.ts'

const server = useSharedServer()
const browser = useBrowser({ staysOpen: true })

const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })
const getRun = async ({ runId, project }: RunScenario) =>
  (await server.request<{ data: { status: string } }>('GET', `/v1/runs/${runId}`, { token: project.admin.token })).body
    .data

describe('the page of a run', () => {
  it('shows counts that add up, filters that match them, and the first line of notes', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'expected 200, got 500\nat line 12' })
    await scenario.setResult('WEB-2', { status: 'failed' })
    await scenario.setResult('WEB-3', { status: 'passed' })
    await scenario.setResult('WEB-4', { status: 'blocked' })
    const page = await openRun(browser, server, scenario)
    await expect.poll(() => page.title()).toBe('Regression 2.4 · Web shop · Caseward')
    const counts = await summary(page).getByRole('listitem').allTextContents()
    const numbers = counts.map((text) => Number.parseInt(text, 10))
    expect(numbers).toEqual([1, 2, 1, 0, 2])
    await summary(page)
      .getByRole('img', { name: /^67 % tested/ })
      .waitFor()
    await page.getByText('expected 200, got 500', { exact: true }).waitFor()
    await expect.poll(() => resultRows(page).count()).toBe(6)
    for (const [name, count] of [
      ['Failed', 2],
      ['Blocked', 1],
      ['Not tested', 2],
      ['Passed', 1],
      ['Retest', 0],
    ] as const) {
      await getTab(page, name).click()
      await expect.poll(() => resultRows(page).count()).toBe(count)
      await expect.poll(() => getTab(page, name).textContent()).toBe(`${name}${count}`)
    }
    await page.getByText('No result matches').waitFor()
    await page.reload()
    await page.getByText('No result matches').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('searchbox').fill('got 500')
    await expect.poll(() => resultRows(page).count()).toBe(1)
    await expect.poll(() => getTab(page, 'All').textContent()).toBe('All1')
  })

  it('opens a result beside the list with its note and steps; Back closes it, E executes', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'First line\nSecond line' })
    const page = await openRun(browser, server, scenario)
    await resultRows(page).first().click()
    const panel = page.getByRole('article')
    await panel.getByText('Second line').waitFor()
    await panel.getByText('The form asks for a card').waitFor()
    expect(page.url()).toContain('result=')
    await page.goBack()
    await panel.waitFor({ state: 'hidden' })
    await page.keyboard.press('e')
    await page.getByRole('listbox').waitFor()
    expect(page.url()).toContain(`/runs/${scenario.runId}/execute`)
  })

  it('is completed and reopened, which can be undone', async () => {
    const scenario = await makeRunScenario(server, 2)
    const page = await openRun(browser, server, scenario)
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    expect((await getRun(scenario)).status).toBe('completed')
    expect(await page.getByRole('link', { name: 'Execute' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Execute' }).waitFor()
    expect((await getRun(scenario)).status).toBe('in_progress')
  })

  it('is accessible with a menu, a dialog and a message', async () => {
    const scenario = await makeRunScenario(server, 2)
    const page = await openRun(browser, server, scenario)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menu').waitFor()
    await checkPage(page, 'run with its menu', { isBrief: true })
    await page.getByRole('menuitem', { name: 'Delete run' }).click()
    await page.getByRole('alertdialog').waitFor()
    await checkPage(page, 'run that is deleted', { isBrief: true })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Complete' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    // The message stays while the pointer is on it.
    await undo.hover()
    await checkPage(page, 'run with a message', { isBrief: true })
  })

  it('shows results and build data of CI at once', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openRun(browser, server, scenario)
    await page.getByText('Live', { exact: true }).waitFor()
    await scenario.setResult('WEB-2', { status: 'failed', note: 'Timeout' })
    await page.getByText('Timeout', { exact: true }).waitFor({ timeout: 3000 })
    await expect.poll(() => summary(page).getByRole('listitem').nth(1).textContent()).toMatch(/^1/)
    const metadata = {
      branch: 'main',
      commit: '8a006ed1234567890abcdef1234567890abcdef1',
      ci_url: 'https://ci.example.com/1',
    }
    const { token } = scenario.project.admin
    await server.request('PATCH', `/v1/runs/${scenario.runId}`, { token, body: { metadata, status: 'completed' } })
    await page.getByText('8a006ed', { exact: true }).waitFor({ timeout: 3000 })
    await expect
      .poll(() => page.getByRole('link', { name: /^Open build/ }).getAttribute('href'))
      .toBe('https://ci.example.com/1')
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
  })
})
