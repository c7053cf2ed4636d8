import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { getTestPanel, getTestRow, makeTestsArea, selectTest, showResults, type TestsArea } from '../tests-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

let area: TestsArea
beforeAll(async () => {
  area = await makeTestsArea(server)
})

/** It comes back there after a dialog has closed. */
async function waitForFocusInRow(page: Page): Promise<void> {
  const isInRow = () => page.evaluate(() => document.activeElement?.closest('[role=row]') instanceof Element)
  await expect.poll(isInRow).toBe(true)
}

describe('the tests of a run', () => {
  it('are accessible with a selection, an open test, and both dialogs', async () => {
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path)
    await selectTest(page, 'pays by card')
    await checkPage(page, 'tests-selection')
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Create a test case' }).waitFor()
    await checkPage(page, 'tests-create')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocusInRow(page)
    await page.keyboard.press('l')
    await page.getByRole('option', { name: /WEB-2/ }).click()
    await checkPage(page, 'tests-link')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await waitForFocusInRow(page)
    await page.keyboard.press('Enter')
    await getTestPanel(page).getByText('Checkout > pays by card is wrong').first().waitFor()
    // The way to the error is unfolded.
    await getTestPanel(page).getByText('Timed out after 2,000 ms').waitFor()
    expect(await getTestPanel(page).getByText('Open the shop').isVisible()).toBe(false)
    await checkPage(page, 'tests-panel')
  })

  it('are accessible if none matches the filter, and with suite errors', async () => {
    const page = await browser.newPage()
    await openAs(page, server, area.project, `${area.path}?q=nothing`)
    await page.getByRole('heading', { name: 'No test matches the filter' }).waitFor()
    await checkPage(page, 'tests-no-match')
    await page.getByRole('link', { name: '2 errors' }).click()
    await page.getByRole('dialog').getByText('SyntaxError: Unexpected token').waitFor()
    await checkPage(page, 'tests-suite-errors')
  })

  it('have no actions for a viewer', async () => {
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path, 'viewer')
    await getTestRow(page, 'pays by card').click()
    await getTestPanel(page).getByText('This test matches no test case.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    for (const name of ['Create test cases', 'Create a test case', 'Link to a test case']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    }
    await page.keyboard.press('l')
    await page.keyboard.press('c')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('say that the server does not answer, and load again', async () => {
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path)
    await getTestRow(page, 'pays by card').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Outcome').selectOption('Flaky')
    await page.getByText('The tests could not be loaded.').waitFor()
    await page.context().setOffline(false)
    await getTestRow(page, 'removes an item').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('do nothing on a letter while letters are switched off', async () => {
    const page = await browser.newWindow()
    await page.addInitScript(`localStorage.setItem('caseward:preferences', '{"singleLetterKeys":false}')`)
    await openAs(page, server, area.project, area.path)
    await getTestRow(page, 'pays by card').focus()
    for (const key of ['c', 'x', 'l', 'g', 't']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe(area.path)
  })
})

describe('the tests of a project', () => {
  it('are accessible with an open test, and without tests', async () => {
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.projectPath)
    await getTestRow(page, 'adds an item').click()
    await getTestPanel(page).getByRole('button', { name: 'Remove link' }).waitFor()
    await checkPage(page, 'tests-project')
    const empty = await makeProject(server)
    const other = await browser.newPage()
    await openAs(other, server, empty, `/projects/${empty.id}/tests`)
    await other.getByRole('heading', { name: 'No automated tests yet' }).waitFor()
    await checkPage(other, 'tests-empty')
  })
})

describe('automated tests elsewhere', () => {
  it('are accessible beside a result, a test case and in the list of runs', async () => {
    const page = await browser.newPage()
    await openAs(page, server, area.project, `/runs/${area.run.id}/failures`)
    await showResults(page)
    await page.getByText('The basket adds an item', { exact: true }).click()
    await page.getByText('Cart > adds an item is wrong', { exact: true }).waitFor()
    await checkPage(page, 'tests-of-result')
    await page.goto(`${server.url}/projects/${area.project.id}/cases?case=WEB-1&panel=tests`)
    await page.getByRole('link', { name: 'src/cart.test.ts › Cart › adds an item' }).waitFor()
    await checkPage(page, 'tests-of-case')
    await page.goto(`${server.url}/projects/${area.project.id}/runs`)
    await page
      .getByRole('row')
      .filter({ hasText: 'build 1' })
      .getByTitle(/without a test case.* flaky/)
      .waitFor()
    await checkPage(page, 'tests-of-runs')
  })
})

describe('a run without tests', () => {
  it('has no tab and no counts of tests', async () => {
    await makeTestCases(server, area.project, 1)
    const run = await makeRun(server, area.project, { name: 'By hand' })
    const page = await browser.newPage()
    await openAs(page, server, area.project, `/runs/${run.id}`)
    await page.getByRole('grid', { name: 'Results' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Run', exact: true }).count()).toBe(0)
    expect(await page.getByText(/without a test case|flaky/).count()).toBe(0)
  })
})
