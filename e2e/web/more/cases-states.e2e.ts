import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { paste, withClipboard } from '../case-actions.ts'
import { type CaseScenario, getRow, makeCaseScenario } from '../case-scenario.ts'
import { follow } from '../follow.ts'
import { endSessions, openAs, type Role } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

/* The states that something else than the URL makes; cases-appearance.e2e.ts has the others. */

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })
let scenario: CaseScenario
beforeAll(async () => {
  scenario = await makeCaseScenario(server)
})

async function open(query = '', role: Role = 'member', options = {}) {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options })
  const user = await openAs(page, server, scenario.project, scenario.path + query, role)
  return { page, user }
}

const getTitle = (page: Page) => page.getByRole('textbox', { name: 'Title' })
const getBar = (page: Page) => page.getByRole('toolbar', { name: 'Selected rows' })

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

describe('a test case is accessible', () => {
  it('while the browser is offline, and in the conflict afterwards', async () => {
    const { page } = await open('?case=WEB-1')
    await getTitle(page).waitFor()
    await page.context().setOffline(true)
    await getTitle(page).fill('Mine')
    await page.keyboard.press('Tab')
    await page.getByText('Your changes are not saved.').waitFor()
    await checkPage(page, 'cases offline')
    await scenario.changeAsOther('WEB-1', { title: 'Theirs' })
    await page.context().setOffline(false)
    await page.getByRole('region', { name: 'Two versions' }).waitFor()
    await checkPage(page, 'cases conflict')
  })

  it('when the server refuses a field, and when the session has ended', async () => {
    const { page, user } = await open('?case=WEB-3')
    await scenario.changeAsOther('WEB-2', { automation_key: 'checkout.pays' })
    await page.getByRole('textbox', { name: 'Automation key' }).fill('checkout.pays')
    await page.keyboard.press('Enter')
    await page.getByText('Not saved', { exact: true }).waitFor()
    await checkPage(page, 'cases refused')
    await getTitle(page).fill('After the session')
    // The page notices it by itself. A key would press a button of the dialog that appears.
    await endSessions(server, user)
    await page.getByRole('dialog', { name: 'Your session ended', exact: true }).waitFor()
    await checkPage(page, 'cases session ended')
  })

  it('with pasted steps', async () => {
    const { page } = await open('?case=WEB-4', 'member', withClipboard)
    await page.getByRole('button', { name: 'Add a step' }).press('Enter')
    await paste(page, '1. One => First\n2. Two\n3. Three')
    await page.getByText('3 steps in what you pasted').waitFor()
    await checkPage(page, 'cases pasted steps')
  })
})

describe('the list is accessible', () => {
  it('after a deletion, and with the bar of a selection and its menu', async () => {
    const { page } = await open()
    await getRow(page, 'WEB-3').focus()
    await page.keyboard.press('Delete')
    // The toast stays while the pointer is on it.
    await page.getByRole('button', { name: 'Undo' }).hover()
    await checkPage(page, 'cases deleted', { widths: [1440] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await getRow(page, 'WEB-3').getByRole('checkbox').click()
    await getBar(page).getByRole('button', { name: 'Edit' }).press('Enter')
    await page.getByRole('menuitem', { name: 'End to end' }).waitFor()
    await checkPage(page, 'cases menu of the bar', { widths: [1440] })
  })

  it('with the dialogs for runs and folders', async () => {
    const { page } = await open()
    await getRow(page, 'WEB-3').getByRole('checkbox').click()
    await getBar(page).getByRole('button', { name: 'Add to run' }).press('Enter')
    await page.getByText('No run is in progress.').waitFor()
    await checkPage(page, 'cases add to run')
    await closeDialog(page)
    await getRow(page, 'WEB-3').focus()
    await page.keyboard.press('Shift+N')
    await page.getByRole('button', { name: 'Create folder' }).press('Enter')
    await page.getByText('A folder needs a name.').waitFor()
    await checkPage(page, 'cases new folder')
    await closeDialog(page)
    await page.setViewportSize({ width: 390, height: 900 })
    await page.getByRole('button', { name: 'All test cases' }).press('Enter')
    await page.getByRole('treeitem', { name: /Account/ }).waitFor()
    await checkPage(page, 'cases folders', { widths: [390] })
    await page.setViewportSize({ width: 390, height: 900 })
    await closeDialog(page)
    await getBar(page).getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await checkPage(page, 'cases menu of the bar', { widths: [390] })
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Filter/ }).press('Enter')
    await page.getByRole('button', { name: 'Tag', exact: true }).press('Enter')
    await page.getByRole('checkbox', { name: 'smoke' }).waitFor()
    await checkPage(page, 'cases filters', { widths: [390] })
  })

  it('to viewers, who find nothing to change in the panel and on the page of a test case', async () => {
    const { page } = await open('', 'viewer')
    await page.getByRole('row', { name: /WEB-2/ }).waitFor()
    await checkPage(page, 'cases viewer list')
    for (const [name, path] of [
      ['panel', '?case=WEB-2'],
      ['page', '/WEB-2'],
    ] as const) {
      await follow(page, scenario.path + path)
      await page.getByText('Open the shop').waitFor()
      expect(await page.getByRole('textbox').or(page.getByRole('combobox')).count()).toBe(0)
      await checkPage(page, `cases viewer ${name}`)
    }
  })

  it('in a project without test cases, and when it cannot be loaded', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage({ reducedMotion: 'reduce' })
    await openAs(page, server, project, `/projects/${project.id}/cases`)
    await page.getByRole('heading', { name: 'No test cases yet' }).waitFor()
    await checkPage(page, 'cases empty')
    await page.route('**/test-cases?**', (route) => route.abort())
    await page.reload()
    await page.getByText('The test cases could not be loaded.').waitFor()
    await checkPage(page, 'cases not loaded')
  })
})
