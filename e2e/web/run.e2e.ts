import { makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { follow } from './follow.ts'
import { openAs, type Role } from './open-as.ts'
import { checkPage } from './page-checks.ts'
import { makeRunScenario, type RunScenario } from './run-scenario.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

interface OpenOptions {
  query?: string
  role?: Role
  runId?: string
}

async function openRun(
  scenario: RunScenario,
  { query = '', role = 'member', runId = scenario.runId }: OpenOptions = {},
) {
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, `/runs/${runId}${query}`, role)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('grid').waitFor()
  return page
}

/** Rows of results, without the heads of folders and the table. */
const resultRows = (page: Page) => page.getByRole('row').filter({ hasText: /WEB-\d/ })
const tab = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
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
    const page = await openRun(scenario)
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
      await tab(page, name).click()
      await expect.poll(() => resultRows(page).count()).toBe(count)
      await expect.poll(() => tab(page, name).textContent()).toBe(`${name}${count}`)
    }
    await page.getByText('No result matches').waitFor()
    await page.reload()
    await page.getByText('No result matches').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('searchbox').fill('got 500')
    await expect.poll(() => resultRows(page).count()).toBe(1)
    await expect.poll(() => tab(page, 'All').textContent()).toBe('All1')
  })

  it('groups by folder, and hides the results of a folder', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openRun(scenario)
    const head = page.getByRole('row').filter({ hasText: 'Checkout › Payment' })
    await head.waitFor()
    await head.click()
    await expect.poll(() => resultRows(page).count()).toBe(3)
    await page.getByRole('combobox', { name: 'Folder' }).selectOption({ label: '\u2003Payment' })
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'Checkout' }).count()).toBe(1)
  })

  it('finds failures that were none in the run before', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed' })
    await scenario.setResult('WEB-2', { status: 'passed' })
    const next = await makeRun(server, scenario.project, { name: 'Regression 2.5', test_case_ids: scenario.caseIds })
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) {
      const path = `/v1/runs/${next.id}/results/${id}`
      await server.request('PUT', path, { token: scenario.project.admin.token, body: { status: 'failed' } })
    }
    const page = await openRun(scenario, { runId: next.id })
    await expect.poll(() => tab(page, 'New failures').textContent()).toBe('New failures2')
    await tab(page, 'New failures').click()
    await expect.poll(() => resultRows(page).count()).toBe(2)
    expect(await page.getByText('WEB-1', { exact: true }).count()).toBe(0)
    await page.getByRole('img', { name: 'Latest results, newest first: passed' }).waitFor()
  })

  it('shows what a result was before somebody overwrote it', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'The total is **wrong**', elapsed: 65 })
    const page = await openRun(scenario)
    await resultRows(page).first().click()
    const panel = page.getByRole('article')
    await panel.getByText('The form asks for a card').waitFor()
    expect(await panel.getByText('earlier result').count()).toBe(0)
    await scenario.setResult('WEB-1', { status: 'passed', note: null })
    await panel.getByText('1 earlier result in this run').click()
    const change = panel.getByRole('listitem').filter({ hasText: 'The total is wrong' })
    await expect.poll(() => change.textContent()).toMatch(/^Failed.*, 1 min/)
    await scenario.setResult('WEB-1', { status: 'blocked' })
    await panel.getByText('2 earlier results in this run').waitFor()
    await panel
      .getByRole('listitem')
      .filter({ hasText: /^Passed/ })
      .waitFor()
    await checkPage(page, 'run-earlier-results')
  })

  it('opens a result beside the list with its note and steps; Back closes it, E executes', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'First line\nSecond line' })
    const page = await openRun(scenario)
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

  it('is run again with what did not pass, and shown together with its rerun', async () => {
    const scenario = await makeRunScenario(server)
    for (const [index, status] of ['failed', 'blocked', 'retest', 'passed'].entries()) {
      await scenario.setResult(`WEB-${index + 1}`, { status, note: `Was ${status}` })
    }
    const page = await openRun(scenario)
    await page.keyboard.press('Shift+E')
    const dialog = page.getByRole('dialog', { name: 'Run again' })
    await dialog.getByRole('button', { name: 'Start rerun of 3 test cases' }).waitFor()
    await checkPage(page, 'run rerun dialog')
    await dialog.getByRole('checkbox', { name: 'Retest' }).uncheck()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    // Once more, from the menu: what was chosen before is given up.
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Run again' }).click()
    await dialog.getByRole('button', { name: 'Start rerun of 3 test cases' }).click()
    await page.getByRole('heading', { name: 'Regression 2.4, rerun 1' }).waitFor()
    const grid = page.getByRole('grid', { name: 'Results' })
    await expect.poll(() => grid.getByRole('row', { name: /WEB-/ }).count()).toBe(3)
    const rerunId = /runs\/([^/?]+)/.exec(page.url())?.[1] ?? ''
    const { token } = scenario.project.admin
    const path = `/v1/runs/${rerunId}/results/WEB-1`
    await server.request('PUT', path, { token, body: { status: 'passed', note: 'Works now' } })
    await page.getByRole('link', { name: 'Rerun 1 · Together' }).click()
    await page.getByRole('heading', { name: 'Regression 2.4', exact: true }).waitFor()
    await grid.getByRole('row', { name: /WEB-1/ }).getByText('Works now').waitFor()
    expect(await grid.getByRole('row', { name: /WEB-/ }).count()).toBe(6)
    await checkPage(page, 'run together')
    await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Blocked' }).click()
    await expect.poll(() => grid.getByRole('row', { name: /WEB-/ }).count()).toBe(1)
    await grid.getByRole('row', { name: /WEB-2/ }).click()
    await page.getByRole('region', { name: 'Result' }).getByText('Was blocked').waitFor()
    await page.getByRole('link', { name: '1 rerun · Together' }).waitFor()
    // What the rerun has changed.
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Compare with another run' }).click()
    await page.getByRole('heading', { name: 'Choose two runs' }).waitFor()
    await page.getByLabel('Older run').selectOption({ label: 'Regression 2.4, rerun 1' })
    const comparison = page.getByRole('grid', { name: 'Comparison' })
    // With the rerun as the older one, it looks as if the test case had begun to fail.
    await comparison.getByRole('row', { name: /WEB-1/ }).getByText('Was failed').waitFor()
    await page.getByRole('button', { name: 'Swap the runs' }).click()
    await page.getByText('Nothing fails that passed before').waitFor()
    await page.getByRole('link', { name: /^Fixed/ }).click()
    await comparison.getByRole('row', { name: /WEB-1/ }).getByText('Works now').waitFor()
    await page.getByRole('link', { name: /^All/ }).click()
    await expect.poll(() => comparison.getByRole('row', { name: /WEB-/ }).count()).toBe(6)
    await checkPage(page, 'run comparison')
    await comparison.getByRole('row', { name: /WEB-2/ }).click()
    await page.getByRole('region', { name: 'Result' }).waitFor()
    expect(page.url()).toContain(rerunId)
  })

  it('is completed and reopened, which can be undone', async () => {
    const scenario = await makeRunScenario(server, 2)
    const page = await openRun(scenario)
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    expect((await getRun(scenario)).status).toBe('completed')
    expect(await page.getByRole('link', { name: 'Execute' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'Execute' }).waitFor()
    expect((await getRun(scenario)).status).toBe('in_progress')
  })

  it('asks before it is deleted, and opens the list of runs then', async () => {
    const scenario = await makeRunScenario(server, 2)
    await scenario.setResult('WEB-1', { status: 'passed' })
    const page = await openRun(scenario)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete run' }).click()
    await page.getByText('1 result with notes will be lost').waitFor()
    await page.getByRole('button', { name: 'Delete run' }).click()
    await page.waitForURL(`**/projects/${scenario.project.id}/runs`)
    await server.expectProblem(404, 'GET', `/v1/runs/${scenario.runId}`, { token: scenario.project.admin.token })
  })

  it('shows results and build data of CI at once', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openRun(scenario)
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

  it('prints the counts in words and what did not pass, without its controls', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'expected 200\n\ngot 500' })
    await scenario.setResult('WEB-2', { status: 'passed' })
    const page = await openRun(scenario)
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '')
    })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Print' }).click()
    await page.locator('[data-printed]').waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByText('6 test cases: 1 passed, 1 failed, 4 not tested. 33 % tested, pass rate 50 %.').waitFor()
    await expect
      .poll(() => page.getByRole('cell', { name: 'expected 200 got 500', includeHidden: true }).isVisible())
      .toBe(true)
    expect(await page.getByRole('link', { name: 'Execute' }).isVisible()).toBe(false)
    expect(await page.getByRole('searchbox').isVisible()).toBe(false)
  })

  it('shows a viewer no actions that change something', async () => {
    const scenario = await makeRunScenario(server, 2)
    const page = await openRun(scenario, { role: 'viewer' })
    expect(await page.getByRole('link', { name: 'Execute' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Complete' }).count()).toBe(0)
    await page.getByRole('button', { name: 'More' }).click()
    await expect
      .poll(() => page.getByRole('menuitem').allTextContents())
      .toEqual([
        'Compare with another run',
        'Export as CSV',
        'Export as Excel',
        'All as CSV',
        'All as Excel',
        'Files of the run',
        'Comments on the run',
        'Print',
      ])
  })

  it('says why it cannot be opened', async () => {
    const [scenario, other] = [await makeRunScenario(server, 1), await makeRunScenario(server, 1)]
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, `/runs/${other.runId}`)
    await page.getByRole('heading', { name: 'You cannot open this run' }).waitFor()
    await follow(page, '/runs/019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01')
    await page.getByRole('heading', { name: 'Run not found' }).waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
  })
})
