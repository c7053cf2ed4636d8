import { randomUUID } from 'node:crypto'

import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { makeMilestone, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import { findAxeViolations } from './find-axe-violations.ts'
import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

type Project = Awaited<ReturnType<typeof makeProject>>

const runsPath = ({ id }: Project, query = '') => `/projects/${id}/runs${query}`

async function setResults(project: Project, runId: string, statuses: Record<string, string>): Promise<void> {
  const results = Object.entries(statuses).map(([test_case_id, status]) => ({ test_case_id, status }))
  const path = `/v1/runs/${runId}/results/bulk`
  const { status } = await server.request('POST', path, { token: project.admin.token, body: { results } })
  expect(status).toBe(200)
}

const getStatus = async (runId: string) =>
  (await server.db.selectFrom('runs').select('status').where('id', '=', runId).executeTakeFirst())?.status

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Selects a run by keyboard. */
async function select(page: Page, name: string): Promise<void> {
  await row(page, name).focus()
  await page.keyboard.press('x')
  await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
}

/** A project with a run of four test cases, one of them failed, and an older run of a milestone. */
async function makeScenario() {
  const project = await makeProject(server)
  const ids = await makeTestCases(server, project, 4)
  const milestone = await makeMilestone(server, project, { name: 'Release 2.4' })
  const nightly = await makeRun(server, project, { name: 'Nightly 812', milestone_id: milestone.id })
  const regression = await makeRun(server, project, { name: 'Regression 2.4' })
  await setResults(project, regression.id, {
    [ids[0] ?? '']: 'passed',
    [ids[1] ?? '']: 'failed',
    [ids[2] ?? '']: 'passed',
  })
  return { project, ids, milestone, nightly, regression }
}

describe('the runs page', () => {
  it('shows the bar, the tested share, the failures, the status and the age of each run', async () => {
    const { project } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    const regression = row(page, 'Regression 2.4')
    await regression.getByRole('img', { name: '2 passed, 1 failed, 1 not tested' }).waitFor()
    expect((await regression.innerText()).split(/\s*\n\s*/).join(' ')).toMatch(
      /^Regression 2\.4 In progress 75 % tested 1 failed (now|\d min)$/,
    )
    expect(await row(page, 'Nightly 812').innerText()).toContain('Release 2.4')
    expect(await page.title()).toBe('Runs · Web shop · Caseward')
  })

  it('keeps the filters in the URL, over a reload', async () => {
    const { project, milestone, nightly } = await makeScenario()
    const { token } = project.admin
    await server.request('PATCH', `/v1/runs/${nightly.id}`, { token, body: { status: 'completed' } })
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await row(page, 'Regression 2.4').waitFor()
    expect(await row(page, 'Nightly 812').count()).toBe(0)

    await page.getByLabel('Status').selectOption('All runs')
    await row(page, 'Nightly 812').waitFor()
    await page.getByLabel('Milestone').selectOption('Release 2.4')
    await row(page, 'Regression 2.4').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    expect(await page.getByLabel('Milestone').inputValue()).toBe(milestone.id)
    await page.getByLabel('Search runs').fill('NIGHT')
    await page.waitForURL((url) => url.search === `?status=all&milestone=${milestone.id}&q=NIGHT`)
    await page.reload()
    await row(page, 'Nightly 812').waitFor()
    await page.getByLabel('Search runs').fill('nothing')
    await page.getByRole('heading', { name: 'No run matches' }).waitFor()
    await page
      .getByText('You see all runs, of the milestone Release 2.4')
      .or(page.getByText(/with “nothing” in their name/))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await row(page, 'Regression 2.4').waitFor()
    expect(new URL(page.url()).search).toBe('?status=all')
  })

  it('updates bars, and shows new runs, without a reload', async () => {
    const { project, ids, regression } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await page.getByText('Live', { exact: true }).waitFor()
    await row(page, 'Regression 2.4').getByRole('img', { name: '2 passed, 1 failed, 1 not tested' }).waitFor()
    await setResults(project, regression.id, { [ids[3] ?? '']: 'failed' })
    await row(page, 'Regression 2.4').getByRole('img', { name: '2 passed, 2 failed' }).waitFor()
    await makeRun(server, project, { name: 'Smoke' })
    await row(page, 'Smoke').waitFor()
    expect(await page.getByRole('row').count()).toBe(4)
  })

  it('opens a run with Enter, and in a new tab with Ctrl+Enter', async () => {
    const { project, regression, nightly } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await row(page, 'Regression 2.4').focus()
    await page.keyboard.press('j')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')])
    await tab.waitForURL(`${server.url}/runs/${nightly.id}`)
    await tab.close()
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.url}/runs/${regression.id}`)
    await page.goBack()
    await row(page, 'Regression 2.4').waitFor()
    await page.keyboard.press('c')
    await page.waitForURL(`${server.url}${runsPath(project)}/new`)
    expect(await page.title()).toMatch(/^New run/)
  })

  it('completes and reopens runs, and undoes it', async () => {
    const { project, regression, nightly } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project, '?status=all'))
    await select(page, 'Regression 2.4')
    await page.keyboard.press('Shift+J')
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('2 runs completed').waitFor()
    await row(page, 'Regression 2.4').getByText('Completed').waitFor()
    expect([await getStatus(regression.id), await getStatus(nightly.id)]).toEqual(['completed', 'completed'])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await row(page, 'Regression 2.4').getByText('In progress').waitFor()
    await row(page, 'Nightly 812').getByText('In progress').waitFor()

    await server.request('PATCH', `/v1/runs/${nightly.id}`, {
      token: project.admin.token,
      body: { status: 'completed' },
    })
    await row(page, 'Nightly 812').getByText('Completed').waitFor()
    await select(page, 'Nightly 812')
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('“Nightly 812” reopened').waitFor()
    await row(page, 'Nightly 812').getByText('In progress').waitFor()
    await page.keyboard.press('Control+z')
    await row(page, 'Nightly 812').getByText('Completed').waitFor()
  })

  it('asks before it deletes a run with results', async () => {
    const { project, regression } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await select(page, 'Regression 2.4')
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete “Regression 2.4”?' })
    await dialog.getByText('3 results with notes will be lost.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await getStatus(regression.id)).toBe('in_progress')
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete run' }).click()
    await row(page, 'Regression 2.4').waitFor({ state: 'detached' })
    await page.getByText('“Regression 2.4” deleted').waitFor()
    expect(await getStatus(regression.id)).toBeUndefined()
  })

  it('hides a run without results at once, and deletes it when the page is closed unless that is undone', async () => {
    const { project, nightly } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await select(page, 'Nightly 812')
    await page.getByRole('button', { name: 'Delete' }).click()
    await row(page, 'Nightly 812').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await row(page, 'Nightly 812').waitFor()
    await select(page, 'Nightly 812')
    await page.getByRole('button', { name: 'Delete' }).click()
    await row(page, 'Nightly 812').waitFor({ state: 'detached' })
    expect(await getStatus(nightly.id)).toBe('in_progress')
    await page.goto('about:blank')
    await expect.poll(() => getStatus(nightly.id), { timeout: 10_000 }).toBeUndefined()
  })

  it('offers to start the first run, and shows viewers no actions', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
    await page.getByRole('link', { name: 'Start a run' }).click()
    await page.waitForURL(`${server.url}${runsPath(project)}/new`)

    await makeTestCases(server, project, 1)
    await makeRun(server, project, { name: 'Smoke' })
    const viewer = await browser.newPage()
    await openAs(viewer, server, project, runsPath(project), 'viewer')
    await row(viewer, 'Smoke').waitFor()
    expect(await viewer.getByRole('link', { name: 'New run' }).count()).toBe(0)
    expect(await viewer.getByRole('checkbox').count()).toBe(0)
    await viewer.keyboard.press('c')
    expect(new URL(viewer.url()).pathname).toBe(runsPath(project))
  })

  it('shows 10,000 runs by pages, which are steps of Back', async () => {
    const project = await makeProject(server)
    await makeRun(server, project, { name: 'Oldest' })
    const rows = Array.from({ length: 9999 }, (_, index) => ({ id: randomUUID(), name: `Run ${index}` }))
    const template = await server.db
      .selectFrom('runs')
      .selectAll()
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    for (let start = 0; start < rows.length; start += 1000) {
      const values = rows.slice(start, start + 1000).map((fields, index) => ({
        project_id: project.id,
        run_group: template.run_group,
        created_at: new Date(Date.now() - 60_000 + start + index),
        ...fields,
      }))
      await server.db.insertInto('runs').values(values).execute()
    }
    await server.db.updateTable('projects').set({ run_count: 10_000 }).where('id', '=', project.id).execute()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await page.getByText('1 to 50 of 10,000').waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('51 to 100 of 10,000').waitFor()
    await page.waitForURL((url) => url.search === '?page=2')
    await page.goBack()
    await page.getByText('1 to 50 of 10,000').waitFor()
    await page.getByLabel('Search runs').fill('Run 9998')
    await row(page, 'Run 9998').waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
  })

  it('says that the server does not answer, and tries again', async () => {
    const { project } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await row(page, 'Regression 2.4').waitFor()
    await page.route('**/v1/projects/*/runs?*', (route) => route.abort())
    onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
    await page.getByLabel('Status').selectOption('All runs')
    await page.getByText('The runs could not be loaded.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Regression 2.4').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('has no axe violation with the %s theme at a width of %i, in any state', async (colorScheme, width) => {
    const { project } = await makeScenario()
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce' })
    await openAs(page, server, project, runsPath(project, '?status=all'))
    await select(page, 'Regression 2.4')
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await findAxeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByLabel('Search runs').fill('nothing')
    await page.getByRole('heading', { name: 'No run matches' }).waitFor()
    expect(await findAxeViolations(page)).toEqual([])
  })

  it('does not scroll sideways at a width of 320', async () => {
    const project = await makeProject(server)
    await makeRun(server, project, { name: 'W'.repeat(255) })
    const page = await browser.newPage({ viewport: { width: 320, height: 700 } })
    await openAs(page, server, project, runsPath(project))
    await row(page, 'WWW').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})
