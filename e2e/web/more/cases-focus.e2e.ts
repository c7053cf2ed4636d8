import { makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { expectFocus, getFocus, holdRequests, paste, withClipboard } from '../case-actions.ts'
import { type CaseScenario, getPanel, getRow, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { useBrowser } from '../use-browser.ts'
import { waitUntilStill } from '../wait-until-still.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function openList(query = '', options = {}): Promise<{ page: Page; scenario: CaseScenario }> {
  const scenario = await makeCaseScenario(server)
  const page = await browser.newPage(options)
  await openAs(page, server, scenario.project, scenario.path + query)
  return { page, scenario }
}

/** Focuses a row as the keys do. */
async function focusRow(page: Page, id: string): Promise<void> {
  await getRow(page, id).waitFor()
  await page.keyboard.press('j')
  await getRow(page, id).focus()
}

describe('the focus', () => {
  it('comes to the title with E, as soon as a slow server has sent the test case, and with C', async () => {
    const { page } = await openList()
    await focusRow(page, 'WEB-4')
    const release = await holdRequests(page, '**/test-cases/WEB-4', 'GET')
    await page.keyboard.press('e')
    await getPanel(page).getByText('The basket survives a sign-in').waitFor()
    release()
    await expectFocus(page, 'Title')
    await expect
      .poll(() => getPanel(page).getByRole('textbox', { name: 'Title' }).inputValue())
      .toBe('The basket survives a sign-in')
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await expectFocus(page, 'Title')
    await getPanel(page).getByText('New case').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await expectFocus(page, 'Title')
  })

  it('is in the title of a new test case after a double click on New case, whose typing is no key of the page', async () => {
    const scenario = await makeCaseScenario(server)
    const page = await browser.newWindow()
    const releasePanel = await holdRequests(page, '**/assets/case-panel-*.js', 'GET')
    await openAs(page, server, scenario.project, scenario.path)
    await page.getByRole('button', { name: /^New case/ }).dblclick()
    await page.keyboard.type('Jack ')
    releasePanel()
    await expectFocus(page, 'Title')
    await page.keyboard.type('pays cash')
    await expect.poll(() => getPanel(page).getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Jack pays cash')
    // The second press may also come late, and then hits what the panel has there.
    await getPanel(page).locator('button:disabled').first().click({ force: true, clickCount: 2 })
    await page.keyboard.type('!')
    await expect.poll(() => getPanel(page).getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Jack pays cash!')
  })

  it('takes what is typed to the title when the code of the panel arrives late, and to the first field of a dialog', async () => {
    const scenario = await makeCaseScenario(server)
    const page = await browser.newWindow()
    const releasePanel = await holdRequests(page, '**/assets/case-panel-*.js', 'GET')
    const releaseDialogs = await holdRequests(page, '**/assets/cases-dialogs-*.js', 'GET')
    await openAs(page, server, scenario.project, scenario.path)
    await getRow(page, 'WEB-1').waitFor()
    await page.getByRole('button', { name: /^New case/ }).waitFor()
    await page.keyboard.press('c')
    await page.keyboard.type('Text me')
    releasePanel()
    await expectFocus(page, 'Title')
    await page.keyboard.type('!')
    await expect.poll(() => getPanel(page).getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Text me!')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Shift+N')
    await page.keyboard.type('Returns')
    releaseDialogs()
    await expect.poll(() => page.getByRole('dialog').getByRole('textbox').first().inputValue()).toBe('Returns')
  })

  it('comes to the title with C after a folder was chosen, in which letters find other folders until then', async () => {
    const { page } = await openList()
    const getFolder = (name: string) => page.getByRole('treeitem', { name: new RegExp(name) })
    await getFolder('Account').click()
    await page.keyboard.press('c')
    await expectFocus(page, 'Title')
    await page.keyboard.press('Escape')
    await getFolder('Account').focus()
    await page.keyboard.press('c')
    await expectFocus(page, /^Checkout/)
    await page.keyboard.press('Enter')
    await expect.poll(() => getFolder('Checkout').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('c')
    await expectFocus(page, 'Title')
  })

  it('comes to the title of the first new test case at once, because the panel was loaded with the rows', async () => {
    const { project, path } = await makeCaseScenario(server)
    const page = await browser.newWindow()
    await openAs(page, server, project, path)
    await getRow(page, 'WEB-1').waitFor()
    const findPanel = () =>
      performance.getEntriesByType('resource').find(({ name }) => /\/case-panel[^/]*\.js$/.test(name))?.name
    const panel = await page.waitForFunction(findPanel)
    // Until all that it imports is there, too, its styles among it.
    await page.evaluate(`import(${JSON.stringify(await panel.jsonValue())}).then(() => {})`)
    const areStylesLoaded = () =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].every(({ sheet }) => sheet !== null)
    await page.waitForFunction(areStylesLoaded)
    await waitUntilStill(page)
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (document.querySelector('[aria-label="Loading the test case"]') !== null)
          document.body.dataset['late'] = 'yes'
      }).observe(document.body, { childList: true, subtree: true })
    })
    await page.keyboard.press('c')
    await expectFocus(page, 'Title')
    expect(await page.evaluate(() => document.body.dataset['late'])).toBeUndefined()
  })

  it('comes to the title with E from the history', async () => {
    const { page } = await openList('?case=WEB-1&panel=history')
    await page.getByText('No run contains this test case yet.').waitFor()
    await page.keyboard.press('e')
    await expectFocus(page, 'Title')
  })

  it('stays in the list with Enter, so that the next test case can be opened', async () => {
    const { page } = await openList()
    await focusRow(page, 'WEB-3')
    for (const [key, id] of [
      ['Enter', 'WEB-3'],
      ['j', 'WEB-4'],
      ['Enter', 'WEB-4'],
    ] as const) {
      await page.keyboard.press(key)
      await expectFocus(page, new RegExp(id))
    }
    await expect.poll(() => new URL(page.url()).searchParams.get('case')).toBe('WEB-4')
    await page.keyboard.press('Escape')
    await getPanel(page).waitFor({ state: 'detached' })
    await expectFocus(page, /WEB-4/)
  })

  it('stays on the buttons of the panel that open the neighbours', async () => {
    const { page } = await openList('?case=WEB-3')
    await page.getByRole('button', { name: 'Next test case' }).focus()
    for (const id of ['WEB-4', 'WEB-1']) {
      await page.keyboard.press('Enter')
      await getPanel(page).getByRole('region', { name: id }).waitFor()
      await expect.poll(() => getFocus(page)).toBe('Next test case')
    }
  })

  it('returns from every dialog to where it was', async () => {
    const { page } = await openList()
    await focusRow(page, 'WEB-4')
    for (const key of ['m', 't', 'Shift+N', 'm']) {
      await page.keyboard.press(key)
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectFocus(page, /WEB-4/)
    }
    await page.keyboard.press('x')
    for (const name of ['Move', 'Tags', 'Add to run']) {
      await page.getByRole('toolbar').getByRole('button', { name }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectFocus(page, name)
    }
    await page.getByRole('treeitem', { name: /Account/ }).click()
    const actions = page.getByRole('button', { name: 'Actions of Account' })
    for (const name of ['New subfolder', 'Rename', 'Move to…']) {
      await actions.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name }).press('Enter')
      await page.getByRole('dialog').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expectFocus(page, 'Actions of Account')
    }
  })

  it('comes to the next row when rows are deleted or moved away', async () => {
    const { page } = await openList()
    await focusRow(page, 'WEB-4')
    await page.keyboard.press('Delete')
    await expectFocus(page, /WEB-1/)
    await page.keyboard.press('Delete')
    await expectFocus(page, /WEB-2/)
    await page.keyboard.press('x')
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await expectFocus(page, /WEB-5/)
    await page.keyboard.press('Control+z')
    await getRow(page, 'WEB-2').waitFor()
    await expect.poll(() => getFocus(page)).toMatch(/WEB-5/)
  })

  it('comes back from a step that is left, removed or not used', async () => {
    const { page } = await openList('?case=WEB-1', withClipboard)
    await page.getByRole('button', { name: 'Add a step' }).press('Enter')
    await paste(page, 'Two\nThree')
    await expectFocus(page, 'Add 2 steps')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'expected result of step 3')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'action of step 4')
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Step 3: move or delete')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await expectFocus(page, 'Step 2: move or delete')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move up' }).press('Enter')
    await expectFocus(page, 'Step 1: move or delete')
    const precondition = page.getByRole('button', { name: 'Edit precondition' })
    await precondition.press('Enter')
    await page.keyboard.type('A guest')
    await page.keyboard.press('Escape')
    await expectFocus(page, 'Edit precondition')
    await getPanel(page).getByText('A guest', { exact: true }).waitFor()
  })
})

describe('the focus in a narrow window', () => {
  it('comes to the page of the test case, and back to its row, which is where it was', async () => {
    const scenario = await makeCaseScenario(server)
    await makeTestCases(server, scenario.project, 80)
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await openAs(page, server, scenario.project, scenario.path)
    await getRow(page, 'WEB-3').waitFor()
    await page.keyboard.press('End')
    await expectFocus(page, /WEB-86/)
    for (let step = 0; step < 20; step += 1) await page.keyboard.press('k')
    await expectFocus(page, /WEB-66/)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).waitFor()
    await expectFocus(page, 'Back to the list')
    await page.keyboard.press('Enter')
    await expectFocus(page, /WEB-66/)
    const box = await getRow(page, 'WEB-66').boundingBox()
    expect(box?.y).toBeGreaterThan(0)
    expect(box?.y).toBeLessThan(844 - 60)
  })
})
