import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { checkPage } from '../page-checks.ts'
import { openRun, resultRows } from '../run-actions.ts'
import { makeRunScenario } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('the page of a run', () => {
  it('shows what a result was before somebody overwrote it', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'The total is **wrong**', elapsed: 65 })
    const page = await openRun(browser, server, scenario)
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

  it('is run again with what did not pass, and shown together with its rerun', async () => {
    const scenario = await makeRunScenario(server)
    for (const [index, status] of ['failed', 'blocked', 'retest', 'passed'].entries()) {
      await scenario.setResult(`WEB-${index + 1}`, { status, note: `Was ${status}` })
    }
    const page = await openRun(browser, server, scenario)
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
})
