import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { getRunResults, makeMilestone, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import { chooseSource, expectCount, makeNewRunScenario, newRunPath, type Project } from './new-run-scenario.ts'
import { follow } from './follow.ts'
import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const listTitles = (page: Page) =>
  page.getByRole('list', { name: 'First test cases' }).getByRole('listitem').allInnerTexts()

/** Starts the run. @returns its id */
async function start(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Start run' }).click()
  await page.waitForURL((url) => /^\/runs\/[^/]+$/.test(url.pathname))
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

const listCases = async (project: Project, runId: string) => [
  ...(await getRunResults(server, runId, project.admin.token)).keys(),
]

describe('the page for a new run', () => {
  it('updates the number of test cases with all five ways to choose them', async () => {
    const { project } = await makeNewRunScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project))
    await expectCount(page, '4 test cases in 3 folders')
    // All of them stand in their folders; without one, the others are left.
    await expect.poll(() => page.getByRole('treeitem', { name: 'Shop' }).getAttribute('aria-checked')).toBe('true')
    await page.getByRole('treeitem', { name: 'Shop' }).click()
    await expectCount(page, '2 test cases in 1 folder')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expectCount(page, '4 test cases in 3 folders')

    await chooseSource(page, 'Folders')
    await expectCount(page, '0 test cases')
    await expect.poll(() => page.getByRole('button', { name: 'Start run' }).isDisabled()).toBe(true)
    await page.getByRole('treeitem', { name: 'Shop' }).focus()
    await page.keyboard.press('Space')
    await expectCount(page, '2 test cases in 2 folders')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectCount(page, '1 test case in 1 folder')
    await expect.poll(() => page.getByRole('treeitem', { name: 'Shop' }).getAttribute('aria-checked')).toBe('mixed')
    await page.getByRole('treeitem', { name: 'No folder' }).click()
    await expectCount(page, '2 test cases in 1 folder')

    await chooseSource(page, 'Filter')
    await page.getByRole('button', { name: 'Priority' }).click()
    await page.getByRole('menuitemcheckbox', { name: /Critical/ }).click()
    await page.keyboard.press('Escape')
    await expectCount(page, '1 test case in 1 folder')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Text').fill('sign')
    await expectCount(page, '1 test case in 1 folder')

    await chooseSource(page, 'By hand')
    await page.getByRole('checkbox', { name: 'Select Basket' }).click()
    await page.getByRole('row').filter({ hasText: 'Imprint' }).focus()
    await page.keyboard.press('x')
    await expectCount(page, '2 test cases in 1 folder')

    await chooseSource(page, 'From a run')
    await page.getByLabel('Run', { exact: true }).selectOption('Nightly 812')
    await expectCount(page, '3 test cases in 2 folders')
    await page.getByRole('checkbox', { name: 'Blocked' }).uncheck()
    await expectCount(page, '2 test cases in 1 folder')
  })

  it('starts a run of the test cases with a status in another run, and shows their last outcome', async () => {
    const { project, before } = await makeNewRunScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project, `?from=${before.id}&status=failed&status=blocked`))
    await expectCount(page, '2 test cases in 2 folders')
    await page.getByRole('img', { name: '1 failed, 1 blocked' }).waitFor()
    await expect.poll(async () => (await listTitles(page)).at(-1)).toContain('Card')
    expect(await listCases(project, await start(page))).toEqual(['WEB-3', 'WEB-2'])
  })

  it('starts a run in the order of the tree, with the suggested name and milestone', async () => {
    const { project } = await makeNewRunScenario(server)
    const { id: milestone_id } = await makeMilestone(server, project, { name: 'Release 2.4' })
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project))
    await expectCount(page, '4 test cases in 3 folders')
    await page.getByLabel('Milestone').selectOption('Release 2.4')
    const readName = () => page.getByLabel('Name').inputValue()
    await expect.poll(readName).toMatch(/^Release 2\.4, \d{1,2} [A-Z][a-z]+ \d{4}$/)
    const name = await readName()
    await expect
      .poll(async () => (await listTitles(page)).map((text) => text.split('\n').at(-1)))
      .toEqual(['Sign in', 'Basket', 'Card', 'Imprint'])
    const runId = await start(page)
    expect(await listCases(project, runId)).toEqual(['WEB-4', 'WEB-3', 'WEB-2', 'WEB-1'])
    const run = await server.db.selectFrom('runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
    expect(run).toMatchObject({ name, milestone_id })

    await follow(page, newRunPath(project))
    await page.getByLabel('Milestone').selectOption('Release 2.4')
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('form input')?.value.endsWith('(2)'))
    await page.getByLabel('Name').fill('  ')
    await page.getByRole('button', { name: 'Start run' }).click()
    await page.getByText('A run needs a name.').waitFor()
    await page.getByLabel('Name').fill('Mine')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
  })

  it('takes what is typed at once as the name, instead of the suggestion', async () => {
    const { project } = await makeNewRunScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project))
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Typed at once')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Typed at once')
  })

  it('keeps what was chosen and typed over a reload, until the user starts over', async () => {
    const { project, shop } = await makeNewRunScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project))
    await chooseSource(page, 'Folders')
    await page.getByRole('treeitem', { name: 'Account' }).click()
    await page.getByLabel('Name').fill('My name')
    await page.reload()
    await expectCount(page, '1 test case in 1 folder')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('My name')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expectCount(page, '4 test cases in 3 folders')
    await expect.poll(() => page.getByLabel('Name').inputValue()).not.toBe('My name')

    await page.goto(server.url + newRunPath(project, `?folder=${shop.id}`))
    await expectCount(page, '2 test cases in 2 folders')
    await page.goto(server.url + newRunPath(project, '?tag=smoke'))
    await expectCount(page, '2 test cases in 2 folders')
    await page.goto(server.url + newRunPath(project, '?ids=WEB-1'))
    await expectCount(page, '1 test case')
  })

  it('creates one run when the button is pressed twice and the first response is lost', async () => {
    const { project } = await makeNewRunScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project))
    await expectCount(page, '4 test cases in 3 folders')
    await page.getByLabel('Name').fill('Once')
    await page.route('**/v1/projects/*/runs', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Start run' }).dblclick()
    await page.getByText('The run was not started.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await expectCount(page, '4 test cases in 3 folders')
    await start(page)
    const runs = await server.db.selectFrom('runs').select('id').where('name', '=', 'Once').execute()
    expect(runs).toHaveLength(1)
  })

  it('shows changes of others', async () => {
    const { project } = await makeNewRunScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project))
    await expectCount(page, '4 test cases in 3 folders')
    await makeTestCase(server, project, { title: 'New' })
    await expectCount(page, '5 test cases in 3 folders')
    await expect.poll(async () => (await listTitles(page)).join()).toContain('New')
  })
})
