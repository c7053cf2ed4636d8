import { formatSteps, makeSharedStepScenario } from '@caseward/test-support/shared-step-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, describe, it } from 'vitest'

import { openAs } from './open-as.ts'
import { checkPage } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('shared steps in a test case', () => {
  it('are made of its steps, shown as one piece, kept while others are edited, inserted and detached', async () => {
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
    await expect.poll(getText).toBe('Open the shop | Leave | Sign in v1: Enter the user, Enter the password')

    await page.getByRole('button', { name: 'Shared steps', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Insert a shared step' }).click()
    await page.getByLabel('Place').selectOption('At the start')
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    await expect.poll(() => group.count()).toBe(2)
    const signIn = 'Sign in v1: Enter the user, Enter the password'
    expect(await getText()).toBe(`${signIn} | Open the shop | Leave | ${signIn}`)

    await page.getByRole('button', { name: 'Detach the shared step Sign in' }).first().click()
    await expect.poll(() => group.count()).toBe(0)
    expect((await read(id)).steps).toHaveLength(6)
  })
})

describe('the pages of shared steps', () => {
  it('list them, change one for some of the test cases, and delete it', async () => {
    const { project, make, create, read, edit } = await makeSharedStepScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/shared-steps`, 'member')
    await page.getByText('No shared steps yet').waitFor()
    await checkPage(page, 'shared-steps-empty')
    await page.keyboard.press('c')
    await page.getByLabel('Title', { exact: true }).fill('Sign in')
    await page.getByLabel('Action of the first step').fill('Enter the user')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('No test case uses it yet.').waitFor()

    await make('A shared step with a title that is as long as some titles are when they come from other tools', 'Pay')
    await page.getByRole('main').getByRole('link', { name: 'Shared steps' }).click()
    await page.reload()
    await page.getByRole('link', { name: /as long as some/ }).waitFor()
    await checkPage(page, 'shared-steps-list')
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    const sharedId = page.url().split('/').at(-1) ?? ''
    const cases = []
    for (const title of ['One', 'Two']) cases.push(await create({ title, steps: [{ shared_step_id: sharedId }] }))
    await page.reload()
    await page.getByRole('link', { name: 'WEB-2 Two' }).waitFor()

    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.keyboard.type('Enter the password')
    await page.getByRole('button', { name: 'Save…' }).click()
    await page.getByText('2 test cases will change with it.').waitFor()
    await page.getByLabel('Change', { exact: true }).selectOption('Only those that I choose')
    await page.getByLabel('WEB-1 One').uncheck()
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
  })
})
