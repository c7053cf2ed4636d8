import { makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { getTab, openRun, resultRows } from '../run-actions.ts'
import { makeRunScenario } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('the page of a run', () => {
  it('groups by folder, and hides the results of a folder', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openRun(browser, server, scenario)
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
    const page = await openRun(browser, server, scenario, { runId: next.id })
    await expect.poll(() => getTab(page, 'New failures').textContent()).toBe('New failures2')
    await getTab(page, 'New failures').click()
    await expect.poll(() => resultRows(page).count()).toBe(2)
    expect(await page.getByText('WEB-1', { exact: true }).count()).toBe(0)
    await page.getByRole('img', { name: 'Latest results, newest first: passed' }).waitFor()
  })

  it('asks before it is deleted, and opens the list of runs then', async () => {
    const scenario = await makeRunScenario(server, 2)
    await scenario.setResult('WEB-1', { status: 'passed' })
    const page = await openRun(browser, server, scenario)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete run' }).click()
    await page.getByText('1 result with notes will be lost').waitFor()
    await page.getByRole('button', { name: 'Delete run' }).click()
    await page.waitForURL(`**/projects/${scenario.project.id}/runs`)
    await server.expectProblem(404, 'GET', `/v1/runs/${scenario.runId}`, { token: scenario.project.admin.token })
  })

  it('prints the counts in words and what did not pass, without its controls', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-1', { status: 'failed', note: 'expected 200\n\ngot 500' })
    await scenario.setResult('WEB-2', { status: 'passed' })
    const page = await openRun(browser, server, scenario)
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
    const page = await openRun(browser, server, scenario, { role: 'viewer' })
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
