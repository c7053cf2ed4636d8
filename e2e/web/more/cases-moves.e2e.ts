import { makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type CaseScenario, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function openScenario(query = ''): Promise<{ page: Page; scenario: CaseScenario }> {
  const scenario = await makeCaseScenario(server)
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, scenario.path + query)
  await page.getByRole('row').nth(1).waitFor()
  return { page, scenario }
}

/** Drags with the mouse, slowly enough that the browser sends its events. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 5, from.y + 5, { steps: 3 })
  await page.mouse.move(to.x, to.y - 3, { steps: 5 })
  await page.mouse.move(to.x, to.y, { steps: 3 })
  await page.mouse.up()
}

async function getPlace(locator: ReturnType<Page['locator']>, part = 0.5): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('The element is not visible')
  return { x: box.x + box.width / 2, y: box.y + box.height * part }
}

const readFolder = async (scenario: CaseScenario, id: string) => (await scenario.read(id)).folder_id

describe('test cases', () => {
  it('move into a folder with M, and back with Undo', async () => {
    const { page, scenario } = await openScenario()
    await getRow(page, 'WEB-3').focus()
    for (const key of ['x', 'Shift+J', 'm']) await page.keyboard.press(key)
    await page.getByRole('dialog', { name: 'Move 2 test cases' }).waitFor()
    await page.keyboard.type('acc')
    await page.keyboard.press('Enter')
    await expect.poll(() => readFolder(scenario, 'WEB-4')).toBe(scenario.folders.account)
    expect(await readFolder(scenario, 'WEB-3')).toBe(scenario.folders.account)
    await page.getByText('2 test cases moved to Account').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => readFolder(scenario, 'WEB-4')).toBe(scenario.folders.checkout)
  })

  it('are dragged within a folder, and a new run has their order', async () => {
    const { page, scenario } = await openScenario()
    await drag(page, await getPlace(getRow(page, 'WEB-4')), await getPlace(getRow(page, 'WEB-3'), 0.2))
    await expect.poll(() => scenario.readOrder()).toEqual(['WEB-4', 'WEB-3', 'WEB-1', 'WEB-2', 'WEB-5', 'WEB-6'])
    const run = await makeRun(server, scenario.project)
    const { body } = await server.request<{ data: { test_case_id: string }[] }>('GET', `/v1/runs/${run.id}/results`, {
      token: scenario.project.admin.token,
    })
    expect(body.data.map(({ test_case_id }) => test_case_id)).toEqual(await scenario.readOrder())
  })

  it('are dragged onto a folder, all that are selected together', async () => {
    const { page, scenario } = await openScenario()
    await getRow(page, 'WEB-3').getByRole('checkbox').click()
    await getRow(page, 'WEB-6').getByRole('checkbox').click()
    await drag(
      page,
      await getPlace(getRow(page, 'WEB-6')),
      await getPlace(page.getByRole('treeitem', { name: /Account/ })),
    )
    await expect.poll(() => readFolder(scenario, 'WEB-6')).toBe(scenario.folders.account)
    expect(await readFolder(scenario, 'WEB-3')).toBe(scenario.folders.account)
  })

  it('get a priority by key, and a type and tags with the bar, each with Undo', async () => {
    const { page, scenario } = await openScenario()
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await getRow(page, 'WEB-1').focus()
    await page.keyboard.press('4')
    await page.getByText('Priority of 6 test cases set to low').waitFor()
    await expect.poll(async () => (await scenario.read('WEB-1')).priority).toBe('low')
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await expect.poll(async () => (await scenario.read('WEB-1')).priority).toBe('critical')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('menuitem', { name: 'End to end' }).click()
    await expect.poll(async () => (await scenario.read('WEB-6')).type).toBe('end_to_end')
    await getRow(page, 'WEB-1').focus()
    await page.keyboard.press('t')
    await page.getByRole('dialog', { name: 'Tags of 6 test cases' }).waitFor()
    await page.keyboard.type('payment,')
    await page.getByRole('checkbox', { name: 'smoke' }).click()
    await page.getByRole('checkbox', { name: 'smoke' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect.poll(async () => (await scenario.read('WEB-1')).tags).toEqual(['payment'])
    expect((await scenario.read('WEB-6')).tags).toEqual(['payment'])
    await getRow(page, 'WEB-1').focus()
    await page.getByText('Tags of 6 test cases changed').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(async () => (await scenario.read('WEB-1')).tags).toEqual(['smoke'])
  })

  it('are added to a run in progress', async () => {
    const { page, scenario } = await openScenario()
    const run = await makeRun(server, scenario.project, { name: 'Regression 2.4', test_case_ids: ['WEB-1'] })
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByRole('button', { name: 'Add to run' }).click()
    await page.getByRole('combobox', { name: 'Run in progress' }).waitFor()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('6 test cases added to Regression 2.4').waitFor()
    const { body } = await server.request<{ data: { stats: { not_tested: number } } }>('GET', `/v1/runs/${run.id}`, {
      token: scenario.project.admin.token,
    })
    expect(body.data.stats.not_tested).toBe(6)
  })

  it('disappear when they are deleted, come back with Undo, and are deleted when the tab is closed', async () => {
    const { page, scenario } = await openScenario()
    await getRow(page, 'WEB-1').focus()
    await page.keyboard.press('Delete')
    await getRow(page, 'WEB-1').waitFor({ state: 'detached' })
    expect(await scenario.read('WEB-1')).toMatchObject({ id: 'WEB-1' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await getRow(page, 'WEB-1').waitFor()
    await getRow(page, 'WEB-2').focus()
    await page.keyboard.press('Delete')
    await getRow(page, 'WEB-2').waitFor({ state: 'detached' })
    await page.close({ runBeforeUnload: false })
    await expect.poll(async () => await scenario.readOrder(), { timeout: 5000 }).not.toContain('WEB-2')
    expect(await scenario.readOrder()).toContain('WEB-1')
  })
})

describe('folders', () => {
  it('are created, renamed, moved and deleted by keyboard alone', async () => {
    const { page, scenario } = await openScenario()
    const readFolders = async () => {
      const path = `/v1/projects/${scenario.project.id}/folders`
      const { token } = scenario.project.admin
      const { body } = await server.request<{ data: { id: string; name: string; parent_id: string | null }[] }>(
        'GET',
        path,
        { token },
      )
      return body.data
    }
    await getRow(page, 'WEB-3').focus()
    await page.keyboard.press('Shift+N')
    await page.getByRole('dialog', { name: 'New folder' }).waitFor()
    await page.keyboard.type('Search')
    await page.keyboard.press('Enter')
    const item = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
    await item('Search').waitFor()
    await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()
    await item('Search').focus()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'New name of Search' }).fill('Find')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await readFolders()).map(({ name }) => name)).toContain('Find')
    await item('Find').focus()
    await page.keyboard.press('Control+Shift+D')
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await readFolders()).find(({ name }) => name === 'Find')?.parent_id, { timeout: 3000 })
      .not.toBe(null)
    await page.keyboard.press('Control+z')
    await item('Account').focus()
    await page.keyboard.press('Delete')
    await item('Account').waitFor({ state: 'detached' })
    await page.getByText('Folder Account deleted').waitFor()
    await page.reload()
    await expect.poll(async () => (await readFolders()).map(({ name }) => name)).not.toContain('Account')
    expect(await readFolder(scenario, 'WEB-5')).toBeNull()
  })

  it('are moved with their menu', async () => {
    const { page, scenario } = await openScenario()
    await page.getByRole('treeitem', { name: /Account/ }).click()
    await page.getByRole('button', { name: 'Actions of Account' }).click()
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await page.getByRole('dialog', { name: 'Move Account' }).waitFor()
    await page.keyboard.type('pay')
    await page.keyboard.press('Enter')
    await page.getByText('Folder Account moved').waitFor()
    await expect
      .poll(async () => {
        const { body } = await server.request<{ data: { id: string; parent_id: string | null }[] }>(
          'GET',
          `/v1/projects/${scenario.project.id}/folders`,
          { token: scenario.project.admin.token },
        )
        return body.data.find(({ id }) => id === scenario.folders.account)?.parent_id
      })
      .toBe(scenario.folders.payment)
  })

  it('say what is wrong with a name', async () => {
    const { page } = await openScenario()
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('button', { name: 'Create folder' }).click()
    await page.getByText('A folder needs a name.').waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true')
  })
})
