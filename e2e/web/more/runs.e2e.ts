import { describe, expect, it } from 'vitest'

import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import { openAs } from '../open-as.ts'
import { getRunRow, makeRunsScenario, runsPath, selectRun, setResults } from '../runs-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const getStatus = async (runId: string) =>
  (await server.db.selectFrom('runs').select('status').where('id', '=', runId).executeTakeFirst())?.status

describe('the runs page', () => {
  it('shows the day, the bar, the tested share, the failures and the age of each run', async () => {
    const { project } = await makeRunsScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    const regression = getRunRow(page, 'Regression 2.4')
    await regression.getByRole('img', { name: '2 passed, 1 failed, 1 not tested' }).waitFor()
    await expect
      .poll(async () => (await regression.innerText()).split(/\s*\n\s*/).join(' '))
      .toMatch(/^In progress Regression 2\.4 75 % tested 1 failed (now|\d min)$/)
    await getRunRow(page, 'Nightly 812').getByText('Release 2.4').waitFor()
    await expect.poll(() => page.title()).toBe('Runs · Web shop · Caseward')
  })

  it('keeps the filters in the URL, over a reload', async () => {
    const { project, milestone, nightly } = await makeRunsScenario(server)
    const { token } = project.admin
    await server.request('PATCH', `/v1/runs/${nightly.id}`, { token, body: { status: 'completed' } })
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await getRunRow(page, 'Regression 2.4').waitFor()
    // Those in progress stand first, then the others by day.
    await getRunRow(page, 'Nightly 812').getByText('Today').waitFor()
    expect((await page.getByRole('row').allInnerTexts()).map((text) => /Regression|Nightly/.exec(text)?.[0])).toEqual([
      undefined,
      'Regression',
      'Nightly',
    ])

    await page.getByLabel('Status').selectOption('In progress')
    await getRunRow(page, 'Nightly 812').waitFor({ state: 'detached' })
    await page.getByLabel('Status').selectOption('Completed')
    await getRunRow(page, 'Nightly 812').waitFor()
    await page.getByLabel('Milestone').selectOption('Release 2.4')
    await getRunRow(page, 'Regression 2.4').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await expect.poll(() => page.getByLabel('Milestone').inputValue()).toBe(milestone.id)
    await page.getByLabel('Search runs').fill('NIGHT')
    await page.waitForURL((url) => url.search === `?status=completed&milestone=${milestone.id}&q=NIGHT`)
    await page.reload()
    await getRunRow(page, 'Nightly 812').waitFor()
    await page.getByLabel('Search runs').fill('nothing')
    await page.getByRole('heading', { name: 'No run matches' }).waitFor()
    await page
      .getByText('You see completed runs, of the milestone Release 2.4')
      .or(page.getByText(/with “nothing” in their name/))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await getRunRow(page, 'Regression 2.4').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('updates bars, and shows new runs, without a reload', async () => {
    const { project, ids, regression } = await makeRunsScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await page.getByText('Live', { exact: true }).waitFor()
    await getRunRow(page, 'Regression 2.4').getByRole('img', { name: '2 passed, 1 failed, 1 not tested' }).waitFor()
    await setResults(server, project, regression.id, { [ids[3] ?? '']: 'failed' })
    await getRunRow(page, 'Regression 2.4').getByRole('img', { name: '2 passed, 2 failed' }).waitFor()
    await makeRun(server, project, { name: 'Smoke' })
    await getRunRow(page, 'Smoke').waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(4)
  })

  it('opens a run with Enter, and in a new tab with Ctrl+Enter', async () => {
    const { project, regression, nightly } = await makeRunsScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await getRunRow(page, 'Regression 2.4').waitFor()
    // From the search field, without the mouse: Esc leaves it, and keeps its text.
    await page.keyboard.press('/')
    await page.keyboard.type('n')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('searchbox').inputValue()).toBe('n')
    await page.keyboard.press('/')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('Control+Enter')])
    await tab.waitForURL(`${server.url}/runs/${nightly.id}`)
    await tab.close()
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.url}/runs/${regression.id}`)
    await page.goBack()
    await getRunRow(page, 'Regression 2.4').waitFor()
    await page.keyboard.press('c')
    await page.waitForURL(`${server.url}${runsPath(project)}/new`)
    await expect.poll(() => page.title()).toMatch(/^New run/)
  })

  it('completes and reopens runs, and undoes it', async () => {
    const { project, regression, nightly } = await makeRunsScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project, '?sort=name'))
    await selectRun(page, 'Nightly 812')
    await page.keyboard.press('Shift+J')
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByText('2 runs completed').waitFor()
    await getRunRow(page, 'Regression 2.4').getByText('Completed').waitFor()
    expect([await getStatus(regression.id), await getStatus(nightly.id)]).toEqual(['completed', 'completed'])
    await page.getByRole('button', { name: /^Undo/ }).click()
    await getRunRow(page, 'Regression 2.4').getByText('In progress').waitFor()
    await getRunRow(page, 'Nightly 812').getByText('In progress').waitFor()

    await server.request('PATCH', `/v1/runs/${nightly.id}`, {
      token: project.admin.token,
      body: { status: 'completed' },
    })
    await getRunRow(page, 'Nightly 812').getByText('Completed').waitFor()
    await selectRun(page, 'Nightly 812')
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByText('“Nightly 812” reopened').waitFor()
    await getRunRow(page, 'Nightly 812').getByText('In progress').waitFor()
    await page.keyboard.press('Control+z')
    await getRunRow(page, 'Nightly 812').getByText('Completed').waitFor()
  })

  it('asks before it deletes a run with results', async () => {
    const { project, regression } = await makeRunsScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await selectRun(page, 'Regression 2.4')
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete “Regression 2.4”?' })
    await dialog.getByText('3 results with notes will be lost.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await getStatus(regression.id)).toBe('in_progress')
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete run' }).click()
    await getRunRow(page, 'Regression 2.4').waitFor({ state: 'detached' })
    await page.getByText('“Regression 2.4” deleted').waitFor()
    expect(await getStatus(regression.id)).toBeUndefined()
  })

  it('hides a run without results at once, and deletes it when the page is closed unless that is undone', async () => {
    const { project, nightly } = await makeRunsScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, runsPath(project))
    await selectRun(page, 'Nightly 812')
    await page.getByRole('button', { name: 'Delete' }).click()
    await getRunRow(page, 'Nightly 812').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await getRunRow(page, 'Nightly 812').waitFor()
    await selectRun(page, 'Nightly 812')
    await page.getByRole('button', { name: 'Delete' }).click()
    await getRunRow(page, 'Nightly 812').waitFor({ state: 'detached' })
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
    await getRunRow(viewer, 'Smoke').waitFor()
    expect(await viewer.getByRole('link', { name: 'New run' }).count()).toBe(0)
    expect(await viewer.getByRole('checkbox').count()).toBe(0)
    await viewer.keyboard.press('c')
    expect(new URL(viewer.url()).pathname).toBe(runsPath(project))
  })
})
