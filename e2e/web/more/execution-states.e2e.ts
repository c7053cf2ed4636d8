import { makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { blockEvents } from '../block-events.ts'
import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { endSessions, openAs, type PageUser, type Role } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario, type RunScenario, setVariousResults, waitForCase } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

interface OpenOptions {
  role?: Role
  /** Whether the page learns nothing from others. */
  isBlind?: boolean
}

async function openExecution(
  { project, runId }: RunScenario,
  { role = 'member', isBlind = false }: OpenOptions = {},
): Promise<{ page: Page; user: PageUser }> {
  const page = await (isBlind ? browser.newWindow() : browser.newPage())
  if (isBlind) await blockEvents(page)
  const user = await openAs(page, server, project, `/runs/${runId}/execute`, role)
  await page.getByText('Go to payment').waitFor()
  return { page, user }
}

/** Types a note and sets the open test case to failed. */
async function fail(page: Page): Promise<void> {
  await page.getByLabel('Note', { exact: true }).fill('The total is wrong')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+F')
}

describe('execution', () => {
  it('is accessible with a note and a selection', async () => {
    const scenario = await makeRunScenario(server, 12)
    await setVariousResults(scenario)
    const { page } = await openExecution(scenario)
    await checkPage(page, 'execution')
    await page.keyboard.press('n')
    await page.getByLabel('Note', { exact: true }).fill('Typed')
    await checkPage(page, 'execution-note')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await page.getByText('2 test cases selected').waitFor()
    await checkPage(page, 'execution-selection')
  })

  it('is accessible with a toast, a menu and no match', async () => {
    const { page } = await openExecution(await makeRunScenario(server, 12))
    await page.keyboard.press('p')
    await page.getByText(/^All saved/).waitFor()
    // Toasts stay while the pointer is on them.
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await page.getByRole('button', { name: 'Undo' }).hover()
      await checkPage(page, 'execution-toast', { widths: [width] })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole('button', { name: 'Status: All' }).click()
    await page.getByRole('menu').waitFor()
    await checkPage(page, 'execution-menu', { widths: [1440] })
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('No test case matches').waitFor()
    await checkPage(page, 'execution-no-match', { widths: [1440] })
  })

  it('is accessible with its list in a narrow window', async () => {
    const scenario = await makeRunScenario(server, 12)
    const page = await browser.newPage({ viewport: { width: 390, height: 844 }, hasTouch: true })
    await openAs(page, server, scenario.project, `/runs/${scenario.runId}/execute`)
    await page.getByText('Go to payment').waitFor()
    // Phones have no key `M`.
    await page.getByPlaceholder(/^Write a comment\./).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: '1 of 12' }).click()
    await page.getByRole('listbox').waitFor()
    await checkPage(page, 'execution-list', { widths: [390] })
    await page.getByRole('button', { name: 'Status: All' }).click()
    await page.getByRole('menu').waitFor()
    await checkPage(page, 'execution-list-menu', { widths: [390] })
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('No test case matches').waitFor()
    await checkPage(page, 'execution-list-no-match', { widths: [390] })
  })

  it('is accessible to viewers', async () => {
    const { page } = await openExecution(await makeRunScenario(server), { role: 'viewer' })
    await page.getByText('Setting results needs the role member or admin').waitFor()
    await checkPage(page, 'execution-viewer')
  })

  it('is accessible while it shows two results of the same test case', async () => {
    const scenario = await makeRunScenario(server)
    const { page } = await openExecution(scenario, { isBlind: true })
    await scenario.setResult('WEB-1', { status: 'blocked', note: 'No test system' })
    await fail(page)
    await page.getByRole('region', { name: 'Two results' }).waitFor()
    await checkPage(page, 'execution-conflict')
    await page.keyboard.press('j')
    await page.getByText('someone else has set another result').waitFor()
    await checkPage(page, 'execution-conflict-elsewhere')
  })

  it('is accessible after somebody has completed the run, with a result that is not saved', async () => {
    const scenario = await makeRunScenario(server)
    const { page } = await openExecution(scenario, { isBlind: true })
    const { token } = scenario.project.admin
    await server.request('PATCH', `/v1/runs/${scenario.runId}`, { token, body: { status: 'completed' } })
    await fail(page)
    await page.getByText('1 result not saved').waitFor()
    await checkPage(page, 'execution-completed')
  })

  it('keeps a result that the user may not set any more, which can be copied', async () => {
    const scenario = await makeRunScenario(server)
    const { page, user } = await openExecution(scenario, { isBlind: true })
    const path = `/v1/projects/${scenario.project.id}/members/${user.id}`
    await server.request('PATCH', path, { token: scenario.project.admin.token, body: { role: 'viewer' } })
    await fail(page)
    await page.getByText(/^1 result not saved: /).waitFor()
    await page.getByText('Setting results needs the role member or admin').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('The total is wrong')
    await checkPage(page, 'execution-forbidden')
  })

  it('is accessible while the browser is offline and results wait, and when the session has ended', async () => {
    const scenario = await makeRunScenario(server)
    const { page, user } = await openExecution(scenario)
    await page.context().setOffline(true)
    await page.keyboard.press('p')
    await waitForCase(page, 2)
    await page.getByText('Not saved yet, trying again (1 waiting)').waitFor()
    await checkPage(page, 'execution-offline')
    await endSessions(server, user)
    await page.context().setOffline(false)
    await page.getByRole('dialog', { name: 'Your session ended', exact: true }).waitFor()
    await checkPage(page, 'execution-session-ended')
    expect((await scenario.getResult('WEB-1')).status).toBe('not_tested')
  })

  it('says that the run could not be loaded, or has no test cases', async () => {
    const scenario = await makeRunScenario(server, 1)
    const page = await browser.newWindow()
    const tryAgain = await failUntilTriedAgain(page, `**/v1/runs/${scenario.runId}*`)
    await openAs(page, server, scenario.project, `/runs/${scenario.runId}/execute`)
    await page.getByRole('heading', { name: 'The run could not be loaded' }).waitFor()
    await checkPage(page, 'execution-failed')
    const { token } = scenario.project.admin
    const body = { test_case_ids: scenario.caseIds }
    await server.request('DELETE', `/v1/runs/${scenario.runId}/test-cases`, { token, body })
    await tryAgain()
    await page.getByText('This run has no test cases').waitFor()
    await checkPage(page, 'execution-empty')
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
