import { useSharedServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { expectFocus } from './case-actions.ts'
import { type CaseScenario, getPanel, getState, getTitle, makeCaseScenario } from './case-scenario.ts'
import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useSharedServer()
const browser = useBrowser({ staysOpen: true })

async function openCase(query = '?case=WEB-1'): Promise<{ page: Page; scenario: CaseScenario }> {
  const scenario = await makeCaseScenario(server)
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, scenario.path + query)
  await getPanel(page).waitFor()
  return { page, scenario }
}

describe('the editor of a test case', () => {
  it('saves a field when it is left, and after a while without typing, and says so', async () => {
    const { page, scenario } = await openCase()
    await getTitle(page).fill('A customer pays by debit card')
    await getState(page, 'Unsaved').waitFor()
    await expect.poll(() => page.title()).toMatch(/^\(!\) /)
    await page.keyboard.press('Tab')
    await getState(page, 'Saved').waitFor()
    expect((await scenario.read('WEB-1')).title).toBe('A customer pays by debit card')
    await getTitle(page).fill('A customer pays with a debit card')
    await getState(page, 'Saved').waitFor()
    expect((await scenario.read('WEB-1')).title).toBe('A customer pays with a debit card')
    await expect.poll(() => page.title()).not.toContain('(!)')
    await page.getByRole('row', { name: /pays with a debit card/ }).waitFor()
  })

  it('adds, moves, duplicates and deletes steps by keyboard', async () => {
    const { page, scenario } = await openCase()
    // A field gets the focus after the key that opens it: a user types when the field is there.
    await page.getByRole('button', { name: 'Edit action of step 1' }).press('Enter')
    await expectFocus(page, 'action of step 1')
    await page.keyboard.type(' twice')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'expected result of step 1')
    await page.keyboard.press('Enter')
    await expectFocus(page, 'action of step 2')
    await page.keyboard.type('Pay')
    await page.keyboard.press('Tab')
    await expectFocus(page, 'expected result of step 2')
    await page.keyboard.type('It is paid')
    await page.keyboard.press('Alt+ArrowUp')
    await expectFocus(page, 'expected result of step 1')
    await page.keyboard.press('Control+d')
    await expectFocus(page, 'expected result of step 2')
    await page.keyboard.press('Control+Backspace')
    await getState(page, 'Saved').waitFor()
    await expect
      .poll(async () => (await scenario.read('WEB-1')).steps.map(({ action, expected }) => [action, expected]))
      .toEqual([
        ['Pay', 'It is paid'],
        ['Open the shop twice', 'The basket is empty'],
      ])
  })

  it('lets the second of two editors choose for each field, and keeps everything else', async () => {
    const { page, scenario } = await openCase()
    await getTitle(page).waitFor()
    // Without live updates, so that the server refuses the version.
    await page.route('**/test-cases/WEB-1', async (route) => {
      if (route.request().method() === 'GET') await route.abort()
      else await route.continue()
    })
    await scenario.changeAsOther('WEB-1', { title: 'Theirs', precondition: 'A guest' })
    await getTitle(page).fill('Mine')
    await page.keyboard.press('Tab')
    const conflict = page.getByRole('region', { name: 'Two versions' })
    await conflict.getByText('changed this test case').waitFor()
    await expect.poll(() => conflict.getByText('Theirs', { exact: true }).count()).toBe(1)
    await expect.poll(() => conflict.getByText('Mine', { exact: true }).count()).toBeGreaterThan(1)
    await conflict.getByText('Keep mine', { exact: true }).click()
    await conflict.getByRole('button', { name: 'Save the choice' }).click()
    await getState(page, 'Saved').waitFor()
    const { title, precondition } = await scenario.read('WEB-1')
    expect({ title, precondition }).toEqual({ title: 'Mine', precondition: 'A guest' })
  })

  it('keeps what was typed over a failure and a reload, and saves it afterwards', async () => {
    const { page, scenario } = await openCase()
    await page.route('**/test-cases/WEB-1', async (route) => {
      if (route.request().method() === 'PATCH') await route.abort()
      else await route.continue()
    })
    await getTitle(page).fill('Typed without a network')
    await page.keyboard.press('Tab')
    await page.getByText('The server does not answer. What you typed is kept.').waitFor()
    await getState(page, 'Not saved').waitFor()
    await page.reload()
    await expect.poll(() => getTitle(page).inputValue()).toBe('Typed without a network')
    await page.unroute('**/test-cases/WEB-1')
    await getState(page, 'Saved').waitFor()
    expect((await scenario.read('WEB-1')).title).toBe('Typed without a network')
  })
})
