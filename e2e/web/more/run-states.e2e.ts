import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { endSessions, openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario, type RunScenario, setVariousResults } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

let scenario: RunScenario
beforeAll(async () => {
  scenario = await makeRunScenario(server, 12)
  await setVariousResults(scenario)
})

const getPath = ({ runId }: RunScenario) => `/runs/${runId}`
const waitForList = (page: Page) => page.getByText('A customer pays in way 2', { exact: true }).waitFor()

describe('the page of a run', () => {
  it('is accessible with its menu, and while it asks before it is deleted', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, getPath(scenario))
    await waitForList(page)
    await checkPage(page, 'run')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menu').waitFor()
    await checkPage(page, 'run-menu')
    await page.getByRole('menuitem', { name: 'Delete run' }).click()
    await page.getByRole('alertdialog').waitFor()
    await checkPage(page, 'run-delete')
  })

  it('is accessible with an open result, and if no result matches', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, getPath(scenario))
    await page.getByText('A customer pays in way 2', { exact: true }).click()
    await page.getByRole('article').getByRole('table').waitFor()
    await page.getByRole('article').getByText('Go to payment').waitFor()
    await checkPage(page, 'run-result')
    await page.goBack()
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('No result matches').waitFor()
    await checkPage(page, 'run-no-match')
  })

  it('is accessible to viewers, and after somebody has completed it', async () => {
    const other = await makeRunScenario(server, 2)
    const page = await browser.newPage()
    await openAs(page, server, other.project, getPath(other), 'viewer')
    await waitForList(page)
    await page.getByText('Live', { exact: true }).waitFor()
    await checkPage(page, 'run-viewer')
    const { token } = other.project.admin
    await server.request('PATCH', `/v1/runs/${other.runId}`, { token, body: { status: 'completed' } })
    await page.getByText('Completed', { exact: true }).waitFor()
    await checkPage(page, 'run-completed')
  })

  it('says that it has no test cases', async () => {
    const other = await makeRunScenario(server, 1)
    const { token } = other.project.admin
    const body = { test_case_ids: other.caseIds }
    await server.request('DELETE', `/v1/runs/${other.runId}/test-cases`, { token, body })
    const page = await browser.newPage()
    await openAs(page, server, other.project, getPath(other))
    await page.getByText('This run has no test cases').waitFor()
    await checkPage(page, 'run-empty')
  })

  it('says why it cannot be opened, and tries again on request', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, '/runs/019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01')
    await page.getByRole('heading', { name: 'Run not found' }).waitFor()
    await checkPage(page, 'run-not-found')
    const tryAgain = await failUntilTriedAgain(page, `**/v1/runs/${scenario.runId}*`)
    await page.goto(server.url + getPath(scenario))
    await page.getByRole('heading', { name: 'The run could not be loaded' }).waitFor()
    await checkPage(page, 'run-failed')
    await tryAgain()
    await waitForList(page)
  })

  it('stays readable while the browser is offline, and asks for a sign-in when the session has ended', async () => {
    const page = await browser.newPage()
    const user = await openAs(page, server, scenario.project, getPath(scenario))
    await waitForList(page)
    await page.context().setOffline(true)
    await page.getByText('Offline', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('The server does not answer.').waitFor()
    await checkPage(page, 'run-offline')
    await endSessions(server, user)
    await page.context().setOffline(false)
    await page.getByRole('dialog', { name: 'Your session ended', exact: true }).waitFor()
    await checkPage(page, 'run-session-ended')
  })

  it('does nothing on a letter while letters are switched off', async () => {
    const page = await browser.newWindow()
    await page.addInitScript(`localStorage.setItem('caseward:preferences', '{"singleLetterKeys":false}')`)
    await openAs(page, server, scenario.project, getPath(scenario))
    await page.getByRole('row').filter({ hasText: 'way 1' }).first().focus()
    for (const key of ['e', 'j', 'o', '/', 'g', 'r', '?']) await page.keyboard.press(key)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('way 2')
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(getPath(scenario))
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
