import { describe, expect, it } from 'vitest'

import { makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import {
  chooseSource,
  expectCount,
  listCases,
  listTitles,
  makeNewRunScenario,
  newRunPath,
  startRun,
} from '../new-run-scenario.ts'
import { openAs } from '../open-as.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

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
    expect(await listCases(server, project, await startRun(page))).toEqual(['WEB-3', 'WEB-2'])
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
