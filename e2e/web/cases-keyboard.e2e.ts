import type { TestCase } from '@caseward/contract/test-case-schemas'
import { makeProject } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { expectFocus, getFocus, hasVisibleFocus, paste, tabTo, withClipboard } from './case-actions.ts'
import { getPanel } from './case-scenario.ts'
import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useSharedServer()
const browser = useBrowser()

const STEPS = '1. Open the shop => The basket is empty\n2. Go to payment\n3. Pay by card => It is paid'

it('creates a folder and three test cases with pasted steps, and moves one, by keyboard alone', async () => {
  const project = await makeProject(server)
  const page = await browser.newPage(withClipboard)
  await openAs(page, server, project, `/projects/${project.id}/cases`)
  await page.getByRole('heading', { name: 'No test cases yet' }).waitFor()
  const { keyboard } = page
  await keyboard.press('Shift+N')
  await page.getByRole('dialog', { name: 'New folder' }).waitFor()
  await expectFocus(page, 'Name')
  await keyboard.type('Checkout')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'This folder is empty' }).waitFor()

  for (const [index, title] of ['Pays by card', 'Pays by invoice', 'Pays by voucher'].entries()) {
    await keyboard.press('c')
    await expectFocus(page, 'Title')
    await keyboard.type(title)
    await tabTo(page, /^Add a step/)
    await expect.poll(() => hasVisibleFocus(page)).toBe(true)
    await keyboard.press('Enter')
    await expectFocus(page, 'action of step 1')
    await paste(page, STEPS)
    await expectFocus(page, 'Add 3 steps')
    await keyboard.press('Enter')
    await expectFocus(page, 'expected result of step 3')
    await keyboard.press('Escape')
    await expectFocus(page, 'Edit expected result of step 3')
    await getPanel(page).getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('row', { name: new RegExp(`WEB-${index + 1} `) }).waitFor()
  }

  await keyboard.press('Escape')
  await expectFocus(page, /Pays by voucher/)
  await keyboard.press('k')
  await expectFocus(page, /Pays by invoice/)
  await keyboard.press('m')
  await page.getByRole('dialog', { name: 'Move WEB-2' }).waitFor()
  await keyboard.type('no f')
  await keyboard.press('Enter')
  await page.getByText('1 test case moved to no folder').waitFor()
  // The row that takes its place in the folder.
  await expect.poll(() => getFocus(page)).toContain('Pays by voucher')

  const { body } = await server.request<{ data: TestCase[] }>(
    'GET',
    `/v1/projects/${project.id}/test-cases?fields=all`,
    { token: project.admin.token },
  )
  const steps = [
    ['Open the shop', 'The basket is empty'],
    ['Go to payment', ''],
    ['Pay by card', 'It is paid'],
  ]
  const found = body.data.map((item) => [
    item.title,
    item.folder_id !== null,
    item.steps.map(({ action, expected }) => [action, expected]),
  ])
  expect(found).toEqual([
    ['Pays by card', true, steps],
    ['Pays by invoice', false, steps],
    ['Pays by voucher', true, steps],
  ])
})
