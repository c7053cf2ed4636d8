import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { paste, withClipboard } from './case-actions.ts'
import { type CaseScenario, getRow, makeCaseScenario, openAs } from './case-scenario.ts'
import { findAxeViolations } from './find-axe-violations.ts'
import { hasSidewaysScroll } from './find-cut-off.ts'
import { takePicture } from './take-picture.ts'
import { useBrowser } from './use-browser.ts'

/* The states that cases-appearance.e2e.ts does not have: those that something else than the URL makes. */

const server = useTestServer()
const browser = useBrowser()
const widths = [1440, 390] as const

/** Checks the page as it is now in both themes. @returns one line for each fault */
async function check(page: Page, name: string): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await takePicture(page, `cases ${name} ${colorScheme} ${page.viewportSize()?.width ?? 0}`)
    faults.push(...(await findAxeViolations(page)).map((violation) => `${name}, ${colorScheme}: ${violation}`))
  }
  if (await hasSidewaysScroll(page)) faults.push(`${name}: the page scrolls sideways`)
  return faults
}

async function open(
  width: number,
  query = '',
  { role = 'member', ...options }: BrowserContextOptions & { role?: 'member' | 'viewer' } = {},
): Promise<{ page: Page; scenario: CaseScenario }> {
  const scenario = await makeCaseScenario(server)
  const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce', ...options })
  await openAs(page, server, scenario.project, scenario.path + query, role)
  await page.getByRole('main').waitFor()
  return { page, scenario }
}

const getTitle = (page: Page) => page.getByRole('textbox', { name: 'Title' })

describe.each(widths)('at a width of %i, no axe violation and no horizontal scrolling', (width) => {
  it('while the browser is offline, and in the conflict afterwards', async () => {
    const { page, scenario } = await open(width, '?case=WEB-1')
    await getTitle(page).waitFor()
    await page.context().setOffline(true)
    await getTitle(page).fill('Mine')
    await page.keyboard.press('Tab')
    await page.getByText('Your changes are not saved.').waitFor()
    const faults = await check(page, 'offline')
    await scenario.changeAsOther('WEB-1', { title: 'Theirs' })
    await page.context().setOffline(false)
    await page.getByRole('region', { name: 'Two versions' }).waitFor()
    faults.push(...(await check(page, 'conflict')))
    expect(faults).toEqual([])
  })

  it('when the server refuses a field, and when the session has ended', async () => {
    const { page, scenario } = await open(width, '?case=WEB-1')
    await scenario.changeAsOther('WEB-2', { automation_key: 'checkout.pays' })
    await page.getByRole('textbox', { name: 'Automation key' }).fill('checkout.pays')
    await page.keyboard.press('Enter')
    await page.getByText('Not saved', { exact: true }).waitFor()
    const faults = await check(page, 'refused')
    await server.db.deleteFrom('sessions').execute()
    await getTitle(page).fill('After the session')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Your session ended' }).waitFor()
    faults.push(...(await check(page, 'session ended')))
    expect(faults).toEqual([])
  })

  it('with pasted steps, and with the menu of a step', async () => {
    const { page } = await open(width, '?case=WEB-1', withClipboard)
    await page.getByRole('button', { name: 'Add a step' }).press('Enter')
    await paste(page, '1. One => First\n2. Two\n3. Three')
    await page.getByText('3 steps in what you pasted').waitFor()
    const faults = await check(page, 'pasted steps')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Step 2: move or delete' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    faults.push(...(await check(page, 'menu of a step')))
    expect(faults).toEqual([])
  })

  it('with filters, with the bar of a selection, and after a deletion', async () => {
    const { page } = await open(width)
    await getRow(page, 'WEB-3').getByRole('checkbox').click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).press('Enter')
    await page.getByRole('menuitem', { name: 'End to end' }).waitFor()
    const faults = await check(page, 'menu of the bar')
    await page.keyboard.press('Escape')
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('1 test case deleted').waitFor()
    faults.push(...(await check(page, 'deleted')))
    await page.getByRole('button', { name: width === 390 ? /^Filter/ : 'Tag' }).press('Enter')
    if (width === 390) await page.getByRole('button', { name: 'Tag' }).press('Enter')
    await page.getByRole('checkbox', { name: 'smoke' }).waitFor()
    faults.push(...(await check(page, 'filters')))
    expect(faults).toEqual([])
  })

  it('with the dialogs for runs and folders', async () => {
    const { page } = await open(width)
    await getRow(page, 'WEB-3').getByRole('checkbox').click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Add to run' }).press('Enter')
    await page.getByText('No run is in progress.').waitFor()
    const faults = await check(page, 'add to run')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    if (width === 390) {
      await page.getByRole('button', { name: 'All test cases' }).press('Enter')
      await page.getByRole('treeitem', { name: /Account/ }).waitFor()
      faults.push(...(await check(page, 'folders')))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await getRow(page, 'WEB-3').focus()
    await page.keyboard.press('Shift+N')
    await page.getByRole('button', { name: 'Create folder' }).press('Enter')
    await page.getByText('A folder needs a name.').waitFor()
    faults.push(...(await check(page, 'new folder')))
    expect(faults).toEqual([])
  })

  it('for a viewer, in the list, the panel and the page of a test case', async () => {
    const { page, scenario } = await open(width, '', { role: 'viewer' })
    await getRow(page, 'WEB-1').waitFor()
    const faults = await check(page, 'viewer, list')
    for (const [name, path] of [
      ['panel', '?case=WEB-1'],
      ['page', '/WEB-1'],
    ] as const) {
      await page.goto(server.url + scenario.path + path)
      await page.getByText('Open the shop').waitFor()
      faults.push(...(await check(page, `viewer, ${name}`)))
      expect(await page.getByRole('textbox').or(page.getByRole('combobox')).count()).toBe(0)
    }
    expect(faults).toEqual([])
  })

  it('in a project without test cases, and when the list cannot be loaded', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
    await openAs(page, server, project, `/projects/${project.id}/cases`)
    await page.getByRole('heading', { name: 'No test cases yet' }).waitFor()
    const faults = await check(page, 'empty')
    await page.route('**/test-cases?**', (route) => route.abort())
    await page.reload()
    await page.getByText('The test cases could not be loaded.').waitFor()
    faults.push(...(await check(page, 'not loaded')))
    expect(faults).toEqual([])
  })
})
