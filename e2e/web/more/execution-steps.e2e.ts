import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario, type RunScenario, waitForCase, waitUntilSaved } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

async function openExecution({ project, runId }: RunScenario, query = ''): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, server, project, `/runs/${runId}/execute${query}`)
  await page.getByText('Go to payment').waitFor()
  return page
}

const waitForStep = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).waitFor()
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

describe('the steps in execution', () => {
  it('are set with keys, survive a reload, suggest a status, and can be undone', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openExecution(scenario)
    await press(page, 'Space', '2', 'Shift+Digit2', 'Enter')
    await page.keyboard.type('Error 500, see **log**')
    await press(page, 'Escape')
    await waitUntilSaved(page)
    const failed = { position: 2, status: 'failed', actual: 'Error 500, see **log**' }
    const steps = [{ position: 1, status: 'passed', actual: null }, failed]
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'not_tested', step_state: 'failed', steps })
    await checkPage(page, 'execution-steps')

    // What is offline, and what is being typed, is there after a reload.
    await page.context().setOffline(true)
    await press(page, '1', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter')
    await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Enter')
    await page.keyboard.type('Half a')
    await page.getByText('Not saved yet, trying again (1 waiting)').waitFor()
    await page.context().setOffline(false)
    await page.reload()
    await waitForStep(page, 'Step 1, blocked')
    await expect.poll(() => page.getByLabel('Actual result of step 1').inputValue()).toBe('Half a')
    await page.getByLabel('Actual result of step 1').focus()
    await press(page, 'Control+Enter')
    await waitUntilSaved(page)
    expect((await scenario.getResult('WEB-1')).steps[0]).toEqual({ position: 1, status: 'blocked', actual: 'Half a' })
    await press(page, 'Shift+Digit0', 'Control+z', 'Control+z', 'Control+z')
    await waitForStep(page, 'Step 1, blocked')

    await press(page, 's')
    await waitForCase(page, 2)
    await press(page, 'k', 'Shift+P')
    await page.getByText('A step failed', { exact: true }).waitFor()
    await page.getByRole('option').getByRole('img', { name: 'A step failed' }).waitFor()
    await waitUntilSaved(page)
    await page.getByText('1 earlier result in this run').click()
    await page.getByRole('list', { name: 'Steps of the earlier result' }).getByText('Error 500').waitFor()
    await checkPage(page, 'execution-step-failed', { widths: [1440] })
    expect(await scenario.getResult('WEB-1')).toMatchObject({ status: 'passed', step_state: 'failed' })
  })

  it('become what was ticked with an earlier version, once', async () => {
    const scenario = await makeRunScenario(server, 2)
    const page = await openExecution(scenario, '?result=none')
    const id = await page.evaluate(() => new URL(location.href).searchParams.get('result'))
    await page.evaluate(
      ([run, result]) => localStorage.setItem(`caseward:ticks:${run}`, JSON.stringify([[result, [1, 7]]])),
      [scenario.runId, id],
    )
    await page.reload()
    await waitForStep(page, 'Step 2, passed')
    await waitUntilSaved(page)
    expect((await scenario.getResult('WEB-1')).steps).toEqual([{ position: 2, status: 'passed', actual: null }])
    expect(await page.evaluate((run) => localStorage.getItem(`caseward:ticks:${run}`), scenario.runId)).toBeNull()
  })

  it('decide the status if the project says so, and of 500 all can be reached with keys', async () => {
    const scenario = await makeRunScenario(server, 2, 500)
    const { token } = scenario.project.admin
    const body = { steps_decide: 'derive' }
    await server.request('PATCH', `/v1/projects/${scenario.project.id}/run-settings`, { token, body })
    const page = await openExecution(scenario)
    await press(page, '9', 'Shift+Digit2')
    await waitForStep(page, 'Step 9, failed')
    await expect.poll(async () => (await scenario.getResult('WEB-1')).status).toBe('failed')
    await press(page, 'ArrowDown', 'Shift+Digit4')
    await waitForStep(page, 'Step 10, retest')
    await page.getByRole('heading', { level: 1 }).click()
    await press(page, 'ArrowUp', 'Shift+Digit3', '9', 'Space', 'Space')
    await waitForStep(page, 'Step 500, blocked')
    await waitForStep(page, 'Step 9, not tested')
    await expect.poll(async () => (await scenario.getResult('WEB-1')).status).toBe('blocked')
    const steps = [
      { position: 10, status: 'retest', actual: null },
      { position: 500, status: 'blocked', actual: null },
    ]
    await expect.poll(async () => (await scenario.getResult('WEB-1')).steps).toEqual(steps)
    await press(page, 'p')
    await waitForCase(page, 2)
    await expect.poll(async () => (await scenario.getResult('WEB-1')).status).toBe('passed')
  })
})
