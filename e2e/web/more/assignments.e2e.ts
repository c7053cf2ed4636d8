import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { openAs, openAsNewUser, openWithSession } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario, type RunScenario } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const getRow = (page: Page, title: string) =>
  page.getByRole('grid', { name: 'Results' }).getByRole('row').filter({ hasText: title })
const person = (page: Page, name: RegExp) => page.getByRole('dialog').getByRole('checkbox', { name })
const getAssignees = async ({ runId, project }: RunScenario) => {
  const { body } = await server.request<{ data: { assigned_to: string | null }[] }>(
    'GET',
    `/v1/runs/${runId}/results?fields=row`,
    { token: project.admin.token },
  )
  return body.data.map(({ assigned_to: id }) => id)
}

async function openRun(role: 'member' | 'viewer' = 'member') {
  const scenario = await makeRunScenario(server)
  const page = await browser.newPage()
  const user = await openAs(page, server, scenario.project, `/runs/${scenario.runId}`, role)
  await getRow(page, 'A customer pays in way 1').waitFor()
  await server.db.updateTable('users').set({ name: 'Ada Lovelace' }).where('id', '=', user.id).execute()
  return { scenario, page, user }
}

describe('assigning results', () => {
  it('assigns a folder to several people in turn, shows who tests what, and can be undone', async () => {
    const { scenario, page, user } = await openRun()
    const { project } = scenario
    await page.getByRole('checkbox', { name: 'Select all in Checkout', exact: true }).click()
    await page.getByRole('status').getByText('3 selected').waitFor()
    await checkPage(page, 'assign-selection')
    await page.keyboard.press('a')
    await person(page, /\(you\)/).check()
    await person(page, /^(?!.*\(you\))/)
      .first()
      .check()
    await checkPage(page, 'assign-dialog')
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await page.getByText(/3 test cases assigned to/).waitFor()
    expect(await getAssignees(scenario)).toEqual([user.id, project.admin.id, user.id, null, null, null])
    await page.getByRole('button', { name: 'Assigned to: anybody' }).click()
    await page.getByRole('menuitemradio', { name: 'Me' }).click()
    await expect.poll(() => getRow(page, 'A customer pays').count()).toBe(2)
    expect(page.url()).toContain('assigned=me')
    await checkPage(page, 'assign-filtered')
    await page.keyboard.press('Control+z')
    await expect.poll(() => getAssignees(scenario)).toEqual(Array.from({ length: 6 }, () => null))
  })

  it('assigns the open result in its panel, and takes it back', async () => {
    const { scenario, page, user } = await openRun()
    await getRow(page, 'A customer pays in way 2').click()
    const panel = page.getByRole('article')
    await panel.getByRole('button', { name: 'Assign' }).click()
    await person(page, /\(you\)/).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await panel.getByText(/^Assigned to /).waitFor()
    expect((await getAssignees(scenario))[1]).toBe(user.id)
    await checkPage(page, 'assign-panel')
    await panel.getByRole('button', { name: 'Change' }).click()
    await person(page, /\(you\)/).uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign to nobody' }).click()
    await panel.getByText('Not assigned').waitFor()
  })

  it('keeps the dialog and says why if the run was completed meanwhile', async () => {
    const { scenario, page } = await openRun()
    await getRow(page, 'A customer pays in way 2').focus()
    await page.keyboard.press('a')
    await person(page, /\(you\)/).check()
    await page.route('**/results/assign', async (route) => {
      const { token } = scenario.project.admin
      await server.request('PATCH', `/v1/runs/${scenario.runId}`, { token, body: { status: 'completed' } })
      await route.continue()
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(await getAssignees(scenario)).toEqual(Array.from({ length: 6 }, () => null))
  })

  it('is not offered to a viewer', async () => {
    const { page } = await openRun('viewer')
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await getRow(page, 'A customer pays in way 2').click()
    await page.getByRole('article').waitFor()
    await page.keyboard.press('a')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Assign' }).count()).toBe(0)
  })
})

describe('my work', () => {
  it('leads from the header to what is assigned to the user, and goes through it one after another', async () => {
    const { scenario, page, user } = await openRun()
    const { runId, project, caseIds } = scenario
    const assign = (result_ids: string[]) =>
      server.request('POST', `/v1/runs/${runId}/results/assign`, {
        token: project.admin.token,
        body: { result_ids, user_ids: [user.id] },
      })
    await assign([caseIds[1] ?? '', caseIds[4] ?? ''])
    await page.getByRole('link', { name: 'My work' }).click()
    await page.getByText('2 test cases to test in 1 run.').waitFor()
    await checkPage(page, 'work')
    await page.getByRole('link', { name: 'Execute' }).click()
    for (const title of ['A customer pays in way 2', 'A customer pays in way 5']) {
      await page.getByRole('heading', { name: title }).waitFor()
      await page.keyboard.press('p')
    }
    await expect.poll(async () => (await scenario.getResult(caseIds[4] ?? '')).status).toBe('passed')
    expect(await scenario.getResult(caseIds[0] ?? '')).toMatchObject({ status: 'not_tested' })
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByText('You have tested everything that is assigned to you.').waitFor()
    await checkPage(page, 'work-done')
  })

  it('says what appears there if nothing is assigned, and what to do if it cannot be loaded', async () => {
    const page = await browser.newPage()
    const user = await openAsNewUser(page, server, '/work')
    await page.getByRole('heading', { name: 'Nothing is assigned to you' }).waitFor()
    await checkPage(page, 'work-empty')
    const other = await browser.newPage()
    const tryAgain = await failUntilTriedAgain(other, '**/v1/me/work', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    )
    await openWithSession(other, server, user, '/work')
    await other.getByText('Your work could not be loaded.').waitFor()
    await tryAgain()
    await other.getByRole('heading', { name: 'Nothing is assigned to you' }).waitFor()
  })
})
