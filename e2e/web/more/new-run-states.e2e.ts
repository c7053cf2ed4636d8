import { makeFolder, makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { beforeAll, describe, expect, it } from 'vitest'

import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { chooseSource, expectCount, makeNewRunScenario, newRunPath } from '../new-run-scenario.ts'
import { endSessions, openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

let scenario: Awaited<ReturnType<typeof makeNewRunScenario>>
beforeAll(async () => {
  scenario = await makeNewRunScenario(server)
})

describe('the page for a new run', () => {
  it('is accessible while all test cases, folders or a filter are chosen', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, newRunPath(scenario.project))
    await page.getByText('Last results:').waitFor()
    await checkPage(page, 'new-run-all')
    await chooseSource(page, 'Folders')
    await page.getByRole('treeitem', { name: 'Shop' }).click()
    await expectCount(page, '2 test cases in 2 folders')
    await checkPage(page, 'new-run-folders')
    await chooseSource(page, 'Filter')
    await page.getByLabel('Text').fill('sign')
    await expectCount(page, '1 test case in 1 folder')
    await checkPage(page, 'new-run-filter')
  })

  it('is accessible while test cases are chosen by hand or from a run, and without a name', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, newRunPath(scenario.project))
    await chooseSource(page, 'By hand')
    await page.getByRole('checkbox', { name: 'Select Basket' }).click()
    await expectCount(page, '1 test case in 1 folder')
    await checkPage(page, 'new-run-by-hand')
    await chooseSource(page, 'From a run')
    await page.getByLabel('Run', { exact: true }).selectOption('Nightly 812')
    await expectCount(page, '3 test cases in 2 folders')
    await page.getByLabel('Name').fill('')
    await page.getByRole('button', { name: 'Start run' }).click()
    await page.getByText('A run needs a name.').waitFor()
    await checkPage(page, 'new-run-from-run')
  })

  it('tells viewers that they cannot start runs', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, newRunPath(scenario.project), 'viewer')
    await page.getByRole('heading', { name: 'You can view this project, but not start runs' }).waitFor()
    expect(await page.getByRole('button', { name: 'Start run' }).count()).toBe(0)
    await checkPage(page, 'new-run-viewer')
  })

  it('says that the project has no test cases', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project))
    await expectCount(page, '0 test cases')
    await expect.poll(() => page.getByRole('button', { name: 'Start run' }).isDisabled()).toBe(true)
    await checkPage(page, 'new-run-empty')
  })

  it('keeps what was chosen while the browser is offline, and after the session has ended', async () => {
    const page = await browser.newPage()
    const user = await openAs(
      page,
      server,
      scenario.project,
      newRunPath(scenario.project, `?folder=${scenario.shop.id}`),
    )
    await expectCount(page, '2 test cases in 2 folders')
    await page.getByLabel('Name').fill('Kept')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Start run' }).click()
    await page.getByText('The run was not started. The server does not answer. What you typed is kept.').waitFor()
    await checkPage(page, 'new-run-offline')
    await page.context().setOffline(false)
    await endSessions(server, user)
    await page.getByRole('button', { name: 'Start run' }).click()
    await page.getByRole('dialog', { name: 'Your session ended', exact: true }).waitFor()
    await checkPage(page, 'new-run-session-ended')
    await page.getByRole('button', { name: 'Later' }).click()
    await expectCount(page, '2 test cases in 2 folders')
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Kept')
  })

  it('says that the page could not be loaded, and loads it again on request', async () => {
    const page = await browser.newWindow()
    const tryAgain = await failUntilTriedAgain(page, '**/folders')
    await openAs(page, server, scenario.project, newRunPath(scenario.project))
    await page.getByText('The page could not be loaded.').waitFor()
    await checkPage(page, 'new-run-failed')
    await tryAgain()
    await expectCount(page, '4 test cases in 3 folders')
  })

  it('keeps its layout with ten levels of folders and names of 255 characters', async () => {
    const project = await makeProject(server, { name: 'W'.repeat(200) })
    let parent_id: string | null = null
    const folders: string[] = []
    for (let level = 1; level <= 10; level += 1) {
      const name = level === 1 ? 'Level1'.repeat(42) : `Level ${level} with a long name`
      parent_id = (await makeFolder(server, project, { name, parent_id })).id
      folders.push(parent_id)
    }
    for (const folder_id of folders) await makeTestCase(server, project, { title: 'W'.repeat(255), folder_id })
    const page = await browser.newPage()
    await openAs(page, server, project, newRunPath(project, `?folder=${folders.at(-1)}`))
    await expectCount(page, '1 test case in 1 folder')
    await checkPage(page, 'new-run-deep-folders')
    await chooseSource(page, 'By hand')
    await page.getByRole('columnheader').getByRole('checkbox').click()
    await expectCount(page, '10 test cases in 10 folders')
    await checkPage(page, 'new-run-long-titles')
  })
})
