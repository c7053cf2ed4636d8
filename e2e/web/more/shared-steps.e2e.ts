import { makeFolder, makeRun } from '@caseward/test-support/factories'
import { formatSteps, makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Locator } from 'playwright-core'
import { expect, describe, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('shared steps in a test case', () => {
  it('are made of its steps, shown and moved as one piece, kept while others are edited, inserted and detached', async () => {
    const { project, create, read } = await makeSharedStepScenario(server)
    const actions = ['Open the shop', 'Enter the user', 'Enter the password', 'Leave']
    const { id } = await create({ title: 'A customer pays', steps: actions.map((action) => ({ action })) })
    const getText = async () => formatSteps(await read(id))
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/cases?case=${id}`, 'member')

    await page.getByRole('button', { name: 'Shared steps', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Make steps shared' }).click()
    const dialog = page.getByRole('dialog', { name: 'Make steps shared' })
    await dialog.getByLabel('Title').fill('Sign in')
    await page.getByLabel('From step').selectOption('2. Enter the user')
    await page.getByLabel('To step').selectOption('3. Enter the password')
    await checkPage(page, 'shared-steps-make')
    await dialog.getByLabel('Title').press('Enter')
    const group = page.getByRole('group', { name: 'Shared step Sign in' })
    await group.getByText('(shared, v1) used in 1').waitFor()
    expect(await getText()).toBe('Open the shop | Sign in v1: Enter the user, Enter the password | Leave')
    await checkPage(page, 'shared-steps-case')

    // Its steps are edited on their own page.
    await page.getByRole('button', { name: 'Edit action of step 1' }).waitFor()
    expect(await page.getByRole('button', { name: 'Edit action of step 2' }).count()).toBe(0)
    await group.getByRole('button', { name: 'Sign in', exact: true }).press('Enter')
    await page.getByText('Enter the user').waitFor({ state: 'hidden' })
    await group.getByRole('button', { name: 'Sign in', exact: true, expanded: false }).press('Enter')
    await page.getByText('Enter the user').waitFor()

    // A step moves past all of it.
    await page.getByRole('button', { name: 'Step 4: move or delete' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    const signIn = 'Sign in v1: Enter the user, Enter the password'
    await expect.poll(getText).toBe(`Open the shop | Leave | ${signIn}`)

    // All of it moves past a step, with keys and by its handle, and takes steps behind its last one.
    const handle = page.getByRole('button', { name: 'Sign in: move' })
    await handle.focus()
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(getText).toBe(`Open the shop | ${signIn} | Leave`)
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(getText).toBe(`${signIn} | Open the shop | Leave`)
    expect(await handle.evaluate((element) => element === document.activeElement)).toBe(true)
    await handle.click()
    await page.getByRole('menuitem', { name: 'Move down' }).click()
    await expect.poll(getText).toBe(`Open the shop | ${signIn} | Leave`)
    const row = (text: string) =>
      page.getByRole('list', { name: 'Steps' }).getByRole('listitem').filter({ hasText: text })
    const dropBelow = async (source: Locator, text: string) => {
      const [from, to] = [await source.boundingBox(), await row(text).boundingBox()]
      if (from === null || to === null) throw new Error(`${text} is not in sight`)
      await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
      await page.mouse.down()
      await page.mouse.move(from.x + 12, from.y + 30, { steps: 4 })
      await page.mouse.move(to.x + 60, to.y + to.height - 3, { steps: 8 })
      await page.mouse.up()
    }
    await dropBelow(handle, 'Leave')
    await expect.poll(getText).toBe(`Open the shop | Leave | ${signIn}`)
    await dropBelow(page.getByRole('button', { name: 'Step 1: move or delete' }), 'Enter the password')
    await expect.poll(getText).toBe(`Leave | ${signIn} | Open the shop`)
    await page.getByRole('button', { name: 'Step 4: move or delete' }).click()
    await page.getByRole('menuitem', { name: 'Move up' }).click()
    await expect.poll(getText).toBe(`Leave | Open the shop | ${signIn}`)

    await page.getByRole('button', { name: 'Shared steps', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Insert a shared step' }).click()
    await page.getByLabel('Place').selectOption('At the start')
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    await expect.poll(() => group.count()).toBe(2)
    expect(await getText()).toBe(`${signIn} | Leave | Open the shop | ${signIn}`)

    await page.getByRole('button', { name: 'Detach the shared step Sign in' }).first().click()
    await expect.poll(() => group.count()).toBe(0)
    expect((await read(id)).steps).toHaveLength(6)
  })
})

describe('the pages of shared steps', () => {
  it('follow changes of others, change one for some of the test cases after saying where it is used, and delete it', async () => {
    const { project, make, create, read, edit, send } = await makeSharedStepScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/shared-steps`, 'member')
    await page.getByText('No shared steps yet').waitFor()
    const rail = page.getByRole('navigation', { name: 'Project' })
    expect(await rail.locator('[aria-current=page]').textContent()).toContain('Cases')
    await checkPage(page, 'shared-steps-empty')
    await page.keyboard.press('c')
    await page.getByLabel('Title', { exact: true }).fill('Sign in')
    await page.getByLabel('Action of the first step').fill('Enter the user')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('No test case uses it yet.').waitFor()

    await make('A shared step with a title that is as long as some titles are when they come from other tools', 'Pay')
    await page.getByRole('main').getByRole('link', { name: 'Shared steps' }).click()
    await page.getByRole('link', { name: /as long as some/ }).waitFor()
    const { id: othersId } = await make('Of others', 'Wait')
    await page.getByRole('link', { name: 'Of others' }).waitFor()
    await edit(othersId, { title: 'Renamed by others', apply_to: 'all' })
    await page.getByRole('link', { name: 'Renamed by others' }).waitFor()
    await send('DELETE', `/shared-steps/${othersId}`)
    await page.getByRole('link', { name: 'Renamed by others' }).waitFor({ state: 'detached' })
    await checkPage(page, 'shared-steps-list')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    const sharedId = page.url().split('/').at(-1) ?? ''
    const cases = []
    const { id: folder } = await makeFolder(server, project, { name: 'Checkout' })
    for (const [title, folder_id] of [
      ['One', folder],
      ['Two', null],
    ] as const) {
      cases.push(await create({ title, folder_id, steps: [{ shared_step_id: sharedId }] }))
    }
    await page.getByRole('link', { name: 'WEB-2 Two' }).waitFor()
    await page.getByText('None contains these test cases.').waitFor()
    const run = await makeRun(server, project, { name: 'Regression 2.4', test_case_ids: ['WEB-1', 'WEB-2'] })
    await page.getByRole('link', { name: 'Regression 2.4' }).waitFor()

    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.keyboard.type('Enter the password')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByText('2 test cases will change with it.').waitFor()
    await page.getByLabel('Change', { exact: true }).selectOption('Only those that I choose')
    await page.getByLabel('WEB-1 One').uncheck()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('2 test cases, not tested yet').waitFor()
    expect(await dialog.getByRole('link').allInnerTexts()).toEqual(['Checkout', 'No folder', 'Regression 2.4'])
    await expect.poll(() => dialog.getByRole('link').last().getAttribute('href')).toBe(`/runs/${run.id}`)
    await checkPage(page, 'shared-steps-apply')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('fixed at v1').waitFor()
    await checkPage(page, 'shared-step')
    expect(await Promise.all(cases.map(async ({ id }) => formatSteps(await read(id))))).toEqual([
      'Sign in v1!: Enter the user',
      'Sign in v2: Enter the user, Enter the password',
    ])

    // Somebody else is faster: nothing of theirs is lost.
    await page.getByLabel('Title', { exact: true }).fill('Log in')
    await edit(sharedId, { title: 'Sign in twice', apply_to: 'all' })
    await page.getByText('Somebody else has changed this shared step: it has version 3 now.').waitFor()
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The shared step has changed since this version').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByRole('heading', { name: 'Sign in twice' }).waitFor()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('2 test cases will keep its steps as their own.').waitFor()
    await page.getByRole('button', { name: 'Delete shared step' }).click()
    await page.getByRole('heading', { name: 'Shared steps' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Sign in twice' }).count()).toBe(0)
    expect(await read(cases[1]?.id ?? '')).not.toHaveProperty('step_groups')

    // One that others delete while it is edited says so, and what was typed stays.
    await page.getByRole('link', { name: /as long as some/ }).click()
    await page.getByLabel('Title', { exact: true }).fill('Pay')
    await send('DELETE', `/shared-steps/${page.url().split('/').at(-1)}`)
    await page.getByText('Somebody else has deleted this shared step.').waitFor()
    await checkPage(page, 'shared-step-deleted', { widths: [390] })
    expect(await page.getByRole('button', { name: 'Save…' }).isDisabled()).toBe(true)
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Pay')
  })
})
