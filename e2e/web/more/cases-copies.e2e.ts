import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeField, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { getPanel, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('copies of test cases', () => {
  it('open with the title focused, several get numbers, many are copied with one key, and all can be undone', async () => {
    const scenario = await makeCaseScenario(server)
    const { project, path, read, readOrder } = scenario
    const page = await browser.newPage()
    await openAs(page, server, project, `${path}?case=WEB-1`)
    const panel = getPanel(page)
    const menu = async (name: string) => {
      await panel.getByRole('button', { name: /^More about/ }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    // What was typed just before is in the copy, although the server has not saved it yet.
    await page.route('**/test-cases/WEB-1', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500))
      await route.continue()
    })
    await panel.getByRole('button', { name: 'Edit precondition' }).click()
    await panel.getByRole('textbox', { name: 'precondition' }).fill('A full basket')
    await menu('Make a copy')
    await panel.getByRole('button', { name: 'More about WEB-7' }).waitFor()
    expect((await read('WEB-7')).precondition).toBe('A full basket')
    const title = panel.getByRole('textbox', { name: 'Title' })
    await expect.poll(() => title.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('A customer pays by voucher')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await read('WEB-7')).title).toBe('A customer pays by voucher')
    await getRow(page, 'WEB-7').waitFor()
    expect((await read('WEB-7')).steps).toMatchObject([{ action: 'Open the shop' }])
    await page.getByText('WEB-7 is a copy of WEB-1').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await getRow(page, 'WEB-7').waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).searchParams.get('case')).toBeNull()

    // The key acts on the selected rows, which are copied beside themselves.
    for (const id of ['WEB-1', 'WEB-3']) await getRow(page, id).getByRole('checkbox').check()
    await page.keyboard.press('Shift+D')
    const dialog = page.getByRole('dialog', { name: 'Copy 2 test cases' })
    await checkPage(page, 'copies of several test cases')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2 test cases copied').waitFor()
    await getRow(page, 'WEB-9').waitFor()
    // In the order of the list, where WEB-3 is first.
    expect((await read('WEB-8')).folder_id).toBe(scenario.folders.checkout)
    await page.keyboard.press('Control+z')
    await getRow(page, 'WEB-9').waitFor({ state: 'detached' })
    expect(await readOrder()).toHaveLength(6)

    await getRow(page, 'WEB-3').getByRole('checkbox').uncheck()
    await page.getByRole('toolbar').getByRole('button', { name: 'Copy' }).click()
    const one = page.getByRole('dialog', { name: 'Copy WEB-1' })
    await one.getByRole('spinbutton', { name: 'Copies' }).fill('51')
    await one.getByText('From 1 to 50.').waitFor()
    await one.getByRole('spinbutton', { name: 'Copies' }).fill('3')
    await one.getByRole('option', { name: 'Account' }).click()
    await checkPage(page, 'copies of a test case')
    await one.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('3 copies of WEB-1 made').waitFor()
    await panel.getByRole('button', { name: 'More about WEB-10' }).waitFor()
    expect(await read('WEB-12')).toMatchObject({
      title: 'A customer pays by card (3)',
      folder_id: scenario.folders.account,
    })
  })

  it('go into another project, and what they lack there is said', async () => {
    const { project, path } = await makeCaseScenario(server)
    const { token } = project.admin
    const other = await makeProject(server, { name: 'Back office', prefix: 'BO', token })
    await makeField(server, project, { key: 'risk', name: 'Risk' })
    const send = (method: string, url: string, body?: object) =>
      server.request<{ data: TestCase }>(method, `/v1/projects/${url}`, { token, ...(body && { body }) })
    await send('PATCH', `${project.id}/test-cases/WEB-1`, { fields: { risk: 3 } })
    const page = await browser.newPage()
    const user = await openAs(page, server, project, `${path}/WEB-1`)
    await sql`insert into memberships (project_id, user_id, role) values (${other.id}, ${user.id}, 'member')`.execute(
      server.db,
    )
    await page.reload()
    await page.getByRole('button', { name: 'More about WEB-1' }).click()
    await page.getByRole('menuitem', { name: 'Copy to…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy WEB-1' })
    await dialog.getByLabel('Project').selectOption('Back office')
    await checkPage(page, 'copy to another project')
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    const outcome = page.getByRole('dialog', { name: '1 copy of WEB-1' })
    await outcome.getByText('BO-1 was created in Back office.').waitFor()
    await outcome.getByText('Risk: there is no such field').waitFor()
    await checkPage(page, 'what a copy lacks')
    await outcome.getByRole('link', { name: 'Open BO-1' }).click()
    await page.waitForURL(`**/projects/${other.id}/cases/BO-1`)
    await page.getByRole('heading', { name: 'BO-1 A customer pays by card' }).waitFor()
    expect((await send('GET', `${other.id}/test-cases/BO-1`)).body.data).toMatchObject({ folder_id: null })
  })
})
