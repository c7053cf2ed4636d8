import { describe, expect, it } from 'vitest'

import { makeMilestone } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'

import { expectCount, listCases, listTitles, makeNewRunScenario, newRunPath, startRun } from './new-run-scenario.ts'
import { follow } from './follow.ts'
import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useSharedServer()
const browser = useBrowser({ staysOpen: true })

describe('the page for a new run', () => {
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
    const runId = await startRun(page)
    expect(await listCases(server, project, runId)).toEqual(['WEB-4', 'WEB-3', 'WEB-2', 'WEB-1'])
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
    await startRun(page)
    const { id } = project
    const runs = await server.db.selectFrom('runs').where('project_id', '=', id).where('name', '=', 'Once').execute()
    expect(runs).toHaveLength(1)
  })
})
