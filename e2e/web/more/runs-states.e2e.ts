import { randomUUID } from 'node:crypto'

import { makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { beforeAll, describe, expect, it } from 'vitest'

import { endSessions, openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { getRunRow, makeRunsScenario, runsPath, selectRun } from '../runs-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

let scenario: Awaited<ReturnType<typeof makeRunsScenario>>
beforeAll(async () => {
  scenario = await makeRunsScenario(server)
})

describe('the list of runs', () => {
  it('is accessible with a selection, while it asks before it deletes, and if no run matches', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, runsPath(scenario.project))
    await selectRun(page, 'Regression 2.4')
    await checkPage(page, 'runs-selection')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').waitFor()
    await checkPage(page, 'runs-delete')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.getByLabel('Search runs').fill('nothing')
    await page.getByRole('heading', { name: 'No run matches' }).waitFor()
    await checkPage(page, 'runs-no-match')
  })

  it('is accessible without runs, and to viewers', async () => {
    const empty = await makeProject(server)
    const page = await browser.newPage()
    const { id } = await openAs(page, server, empty, runsPath(empty))
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
    await checkPage(page, 'runs-empty')
    const membership = { project_id: scenario.project.id, user_id: id, role: 'viewer' } as const
    await server.db.insertInto('memberships').values(membership).execute()
    await page.goto(server.url + runsPath(scenario.project))
    await getRunRow(page, 'Regression 2.4').waitFor()
    await checkPage(page, 'runs-viewer')
  })

  it('says that the server does not answer, and loads again when the browser is online', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, runsPath(scenario.project))
    await getRunRow(page, 'Regression 2.4').waitFor()
    await page.context().setOffline(true)
    await page.getByLabel('Search runs').fill('Regression')
    await page.getByText('The runs could not be loaded.').waitFor()
    await checkPage(page, 'runs-offline')
    await page.context().setOffline(false)
    await getRunRow(page, 'Regression 2.4').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('asks for a sign-in when the session has ended', async () => {
    const page = await browser.newPage()
    const user = await openAs(page, server, scenario.project, runsPath(scenario.project))
    await selectRun(page, 'Regression 2.4')
    await endSessions(server, user)
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('dialog', { name: 'Your session ended', exact: true }).waitFor()
    await checkPage(page, 'runs-session-ended')
  })

  it('does nothing on a letter while letters are switched off', async () => {
    const page = await browser.newPage()
    await page.addInitScript(`localStorage.setItem('caseward:preferences', '{"singleLetterKeys":false}')`)
    await openAs(page, server, scenario.project, runsPath(scenario.project))
    await getRunRow(page, 'Regression 2.4').focus()
    for (const key of ['c', 'x', 'j', 'o', '/', 'g', 'c', '?']) await page.keyboard.press(key)
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Nightly 812')
    expect(await page.getByRole('toolbar', { name: 'Selected rows' }).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe(runsPath(scenario.project))
  })

  it('shows 10,000 runs with names of 200 characters by pages, which are steps of Back', async () => {
    const project = await makeProject(server, { name: 'W'.repeat(200) })
    const milestone = await makeMilestone(server, project, { name: 'A milestone with a long name '.repeat(7).trim() })
    const ids = await makeTestCases(server, project, 1)
    await makeRun(server, project, { name: 'Oldest', milestone_id: milestone.id, test_case_ids: ids })
    await insertRuns(project.id, 9999)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await page.getByText('1 to 50 of 9,999').waitFor()
    await checkPage(page, 'runs-10000')
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('51 to 100 of 9,999').waitFor()
    await page.waitForURL((url) => url.search === '?page=2')
    await page.goBack()
    await page.getByText('1 to 50 of 9,999').waitFor()
    await page.getByLabel('Search runs').fill('Run 9998')
    await getRunRow(page, 'Run 9998').waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
    await selectRun(page, 'Run 9998')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').waitFor()
    await checkPage(page, 'runs-delete-long-name')
  })
})

/** Inserts newer runs that look like the project's only one, with long names and counts of seven digits. */
async function insertRuns(projectId: string, count: number): Promise<void> {
  const { run_group, milestone_id } = await server.db
    .selectFrom('runs')
    .select(['run_group', 'milestone_id'])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    name: `Run ${index} ${(index % 2 === 0 ? 'of the nightly regression ' : 'NightlyRegression').repeat(12)}`.slice(
      0,
      200,
    ),
    project_id: projectId,
    run_group,
    milestone_id,
    passed_count: 1_234_567,
    failed_count: 1_000_000,
    status: 'completed' as const,
    completed_at: new Date(Date.now() - 30_000),
    created_at: new Date(Date.now() - 60_000 + index),
  }))
  for (let start = 0; start < count; start += 1000) {
    await server.db
      .insertInto('runs')
      .values(rows.slice(start, start + 1000))
      .execute()
  }
  await server.db
    .updateTable('projects')
    .set({ run_count: count + 1 })
    .where('id', '=', projectId)
    .execute()
}
