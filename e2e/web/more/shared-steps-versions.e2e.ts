import { makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('the versions of a test case with shared steps', () => {
  it('say which steps come from one, and that one changed, was replaced, fixed, or detached', async () => {
    const { project, make, create, patch, edit, send } = await makeSharedStepScenario(server)
    const signIn = await make('Sign in', 'Enter the user', 'Enter the password')
    const pay = await make('Pay by card', 'Enter the number of the card')
    const cash = await make('Pay in cash', 'Count the coins')
    const [open, leave] = [{ action: 'Open the shop' }, { action: 'Leave the shop' }]
    const first = [open, { shared_step_id: signIn.id }, { shared_step_id: pay.id }, leave]
    const { id } = await create({ title: 'A customer pays', steps: first })
    await edit(signIn.id, {
      steps: [{ action: 'Enter the user' }, { action: 'Enter the code' }, { action: 'Confirm' }],
      apply_to: 'all',
    })
    await patch(id, { steps: [open, { shared_step_id: signIn.id }, { shared_step_id: cash.id }, leave] })
    await edit(cash.id, { title: 'Pay with coins', apply_to: 'all' })
    await send('POST', `/shared-steps/${signIn.id}/detach`, { test_case_ids: [id] })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/cases?case=${id}&panel=versions`)
    const list = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect.poll(() => list.count()).toBe(5)
    await list.first().getByText('Shared steps', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^v5/ }).click()
    await page.getByText('Sign in (v2) was detached: its steps belong to the test case').waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Pay in cash (v1) → Pay with coins (v2)').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Pay by card (v1) was replaced by Pay in cash (v1)').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Sign in: v1 → v2').waitFor()
    const rows = await page.getByRole('region', { name: 'Version 2' }).getByRole('row').allInnerTexts()
    expect(rows.slice(1).map((text) => text.trim().split(/\s+/).join(' '))).toEqual([
      'Unchanged 1 Open the shop',
      'Sign in (shared, v1 → v2)',
      'Unchanged 2 Enter the user',
      '~ Changed 3 Enter the passwordcode',
      '+ Added 4 Confirm',
      'Pay by card (shared, v1)',
      'Unchanged 5 Enter the number of the card',
      'Unchanged 6 Leave the shop',
    ])
    await checkPage(page, 'case versions with shared steps')
    await page.keyboard.press('d')
    await page.getByRole('list', { name: 'Steps of Sign in' }).getByText('Enter the code').waitFor()
    await page.getByText('Sign in (shared, v2)').waitFor()
  })
})

describe('the versions of a shared step', () => {
  it('are listed, read, compared with each other, and restored as a new version', async () => {
    const { project, make, edit, getShared } = await makeSharedStepScenario(server)
    const { id } = await make('Sign in', 'Enter the user', 'Enter the password')
    await edit(id, { steps: [{ action: 'Enter the user and the password' }], apply_to: 'all' })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/shared-steps/${id}`, 'member')
    await page.getByRole('link', { name: 'Versions' }).click()
    const list = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect.poll(() => list.count()).toBe(2)
    await edit(id, { title: 'Log in', steps: [{ action: 'Enter the user and the code' }], apply_to: 'all' })
    await page.reload()
    await expect.poll(() => list.count()).toBe(3)
    await checkPage(page, 'shared-step-versions')

    await page.getByRole('button', { name: /^v3/ }).click()
    const version = page.getByRole('region', { name: 'Version 3' })
    await version.getByRole('cell', { name: '~ Changed 1' }).waitFor()
    expect(await version.locator('ins').allTextContents()).toEqual(['Log', 'code'])
    await version.getByLabel('Compared with').selectOption('Since version 1')
    await version.getByRole('cell', { name: '− Removed 2' }).waitFor()
    await checkPage(page, 'shared-step-version-compared')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    const first = page.getByRole('region', { name: 'Version 1' })
    await page.keyboard.press('d')
    await first.getByRole('listitem').nth(1).getByText('Enter the password').waitFor()
    await page.getByRole('button', { name: 'Restore version 1…' }).click()
    await expect.poll(() => page.getByLabel('Title', { exact: true }).inputValue()).toBe('Sign in')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('v4 · used in 0 test cases').waitFor()
    const { version: saved, steps } = await getShared(id)
    expect([saved, ...steps.map(({ action }) => action)]).toEqual([4, 'Enter the user', 'Enter the password'])
  })
})
