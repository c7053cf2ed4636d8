import { makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { getPanel, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function openCases(query = '') {
  const scenario = await makeCaseScenario(server)
  const { id } = await makeMember(server, scenario.project.id, 'member')
  await server.db.updateTable('users').set({ name: 'Mira Tanaka' }).where('id', '=', id).execute()
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, scenario.path + query)
  return { page, scenario, mira: id }
}

describe('the owner and the estimate of a test case', () => {
  it('are set in its panel; an estimate that cannot be read says so and is not stored', async () => {
    const { page, scenario, mira } = await openCases('?case=WEB-1')
    const panel = getPanel(page)
    await panel.getByLabel('Owner').selectOption('Mira Tanaka')
    await expect.poll(async () => (await scenario.read('WEB-1')).owner_id).toBe(mira)
    const estimate = panel.getByLabel('Estimate')
    await estimate.fill('soon')
    await estimate.blur()
    await panel.getByText('The estimate cannot be read: write it like 90s, 15m or 1h 30m.').waitFor()
    await checkPage(page, 'an estimate that cannot be read')
    await estimate.fill('90 min')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await scenario.read('WEB-1')).estimate).toBe(5400)
    await expect.poll(() => estimate.inputValue()).toBe('1h 30m')
    await panel.getByLabel('Owner').selectOption('Nobody')
    await expect.poll(async () => (await scenario.read('WEB-1')).owner_id).toBeNull()
  })

  it('are set for several test cases and undone, and filter the list and a new run', async () => {
    const { page, scenario, mira } = await openCases()
    await getRow(page, 'WEB-1').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Owner' }).count()).toBe(0)
    for (const id of ['WEB-1', 'WEB-2']) await getRow(page, id).getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Set the owner' }).click()
    const dialog = page.getByRole('dialog', { name: 'Owner of 2 test cases' })
    await dialog.getByLabel('Owner').selectOption('Mira Tanaka')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Owner of 2 test cases set to Mira Tanaka').waitFor()
    expect((await scenario.read('WEB-2')).owner_id).toBe(mira)
    await getRow(page, 'WEB-2').getByText('Mira Tanaka').waitFor()

    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await scenario.read('WEB-2')).owner_id).toBeNull()

    await scenario.changeAsOther('WEB-1', { owner_id: mira })
    await page.getByRole('button', { name: 'Owner', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: /Nobody/ }).click()
    await page.keyboard.press('Escape')
    await getRow(page, 'WEB-1').waitFor({ state: 'detached' })
    await getRow(page, 'WEB-2').waitFor()
    await page.getByRole('button', { name: 'Owner: Nobody' }).waitFor()
  })

  it('say how long a run takes: a new one, and what is left of one', async () => {
    const { page, scenario } = await openCases()
    const { project } = scenario
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) await scenario.changeAsOther(id, { estimate: 1200 })
    const run = await makeRun(server, project)
    await server.request('PUT', `/v1/runs/${run.id}/results/WEB-1`, {
      token: project.admin.token,
      body: { status: 'passed' },
    })
    await openAs(page, server, project, `/projects/${project.id}/runs/new`)
    await page.getByText('About 1 h by the estimates.').waitFor()
    await openAs(page, server, project, `/runs/${run.id}`)
    const left = page.getByText('About 40 min left')
    await left.waitFor()
    expect(await left.getAttribute('title')).toBe('3 test cases without an estimate')
    await page.getByRole('link', { name: 'Execute' }).click()
    await page.getByText('About 40 min left').waitFor()
  })
})
