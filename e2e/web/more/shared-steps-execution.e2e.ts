import { makeRun } from '@caseward/test-support/factories'
import { makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { waitForCase, waitUntilSaved } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

describe('the steps of a shared step in execution', () => {
  it('stand below its title, are set by position, fold, open for keys, and keep the tested version, also offline', async () => {
    const { project, make, create, edit, send, token } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'Enter the user', 'Enter the password')
    const steps = [{ action: 'Open the shop' }, { shared_step_id: id }, { action: 'Go to payment' }]
    const cases = []
    for (const way of [1, 2]) cases.push(await create({ title: `A customer pays in way ${way}`, steps }))
    const run = await makeRun(server, project, { test_case_ids: cases.map((testCase) => testCase.id) })
    const path = `/v1/runs/${run.id}/results/${cases[0]?.id}`
    const getSteps = async () => {
      const { body } = await server.request<{ data: { steps: { position: number; status: string }[] } }>('GET', path, {
        token,
      })
      return body.data.steps.map(({ position, status }) => `${position} ${status}`)
    }
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}/execute`)
    const group = page.getByRole('group').filter({ hasText: 'Sign in' })
    const head = group.getByText('Sign in (shared, v1)')
    await head.waitFor()
    const list = page.getByRole('list', { name: 'Steps of Sign in' }).getByRole('listitem')
    expect(await list.count()).toBe(2)

    await press(page, 'Space', '3', 'Shift+Digit2')
    await page.getByRole('button', { name: 'Step 3, failed' }).waitFor()
    await checkPage(page, 'execution-shared-step')
    await head.click()
    await group.getByText('1 of 2').waitFor()
    await page.getByText('Enter the user').waitFor({ state: 'hidden' })
    // Folded steps are passed over, and none of them is set unseen.
    await press(page, '1', 'ArrowDown', 'Shift+Digit3')
    await page.getByRole('button', { name: 'Step 4, blocked' }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await press(page, 'Space')
    await page.getByRole('button', { name: 'Step 2, passed' }).waitFor()
    await waitUntilSaved(page)
    expect(await getSteps()).toEqual(['1 passed', '2 passed', '3 failed', '4 blocked'])
    await head.click()
    await group.getByText('2 of 2').waitFor()
    await checkPage(page, 'execution-shared-step-folded', { widths: [1440] })
    await press(page, 'f', 'Escape', 'j')
    await waitForCase(page, 2)
    await waitUntilSaved(page)

    // The other one is tested offline.
    await page.context().setOffline(true)
    await press(page, '2', 'Shift+Digit1')
    await head.click()
    await group.getByText('1 of 2').waitFor()
    await page.context().setOffline(false)
    await waitUntilSaved(page)

    await edit(id, { title: 'Log in', steps: [{ action: 'Follow the link' }], apply_to: 'all' })
    await send('PATCH', `/shared-steps/${id}`, { title: 'Log in quickly', apply_to: 'all' })
    await page.reload()
    await waitForCase(page, 2)
    await press(page, 'k')
    await waitForCase(page, 1)
    await page.getByText('Changed since you began').waitFor()
    await head.waitFor()
    expect(await list.count()).toBe(2)
    await page.getByRole('button', { name: 'Test the new text' }).click()
    await page.getByRole('group').getByText('Log in quickly (shared, v3)').waitFor()
    await page.getByRole('button', { name: 'Step 3, blocked' }).waitFor()
  })
})
