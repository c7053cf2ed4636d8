import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'

import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const DAY_MS = 86_400_000
const getDay = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

/** A release with two sub-milestones and runs, one milestone that is overdue, and one that is completed. */
async function makeScenario() {
  const scenario = await makeMilestoneScenario(server, 4)
  const { make, link, change } = scenario
  const release = await make({ name: 'Release 2.4' })
  const alpha = await make({ name: 'Alpha', parent_id: release.id, start_date: getDay(-20), due_date: getDay(5) })
  const beta = await make({ name: 'Beta', parent_id: release.id, start_date: getDay(6), due_date: getDay(20) })
  const late = await make({ name: 'Security review', due_date: getDay(-3) })
  const done = await make({ name: 'Release 2.3' })
  await change(done.id, { status: 'completed' })
  await link(alpha.id, 3)
  await link(late.id, 1)
  const path = `/projects/${scenario.project.id}/milestones`
  return { ...scenario, page: path, release, alpha, beta, late, done }
}
let scenario: Awaited<ReturnType<typeof makeScenario>>
beforeAll(async () => {
  scenario = await makeScenario()
})

const getRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const readRow = async (page: Page, name: string) =>
  (await getRow(page, name).first().innerText()).split(/\s*\n\s*/).join(' ')
const getMilestone = (id: string) =>
  server.db.selectFrom('milestones').selectAll().where('id', '=', id).executeTakeFirst()

async function select(page: Page, name: string): Promise<void> {
  await page.getByRole('checkbox', { name }).check()
  await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
}

describe('the milestones page', () => {
  it('shows phase, tested share and due date in rows, sorts by them, and overdue as a word', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, scenario.page)
    await getRow(page, 'Security review').waitFor()
    expect(await readRow(page, 'Security review')).toMatch(
      /^Security review Overdue 25 % tested 1 run .*, 3 days overdue$/,
    )
    expect(await readRow(page, 'Alpha')).toMatch(
      /^Alpha , sub-milestone of Release 2\.4 Started 75 % tested 1 run .* in 5 days$/,
    )
    expect(await readRow(page, 'Beta')).toMatch(/Upcoming – tested 0 runs .* in 20 days$/)
    const rows = await page.getByRole('row').allInnerTexts()
    expect(rows.slice(1).map((text) => text.split('\n')[0]?.trim())).toEqual([
      'Security review',
      'Release 2.4',
      'Alpha',
      'Beta',
    ])
    await getRow(page, 'Alpha').getByRole('img', { name: '2 passed, 1 failed, 1 not tested' }).waitFor()
    const readFirstNames = async () =>
      (await page.getByRole('row').allInnerTexts()).slice(1, 3).map((text) => text.split('\n')[0]?.trim())
    await page.getByRole('button', { name: 'Tested' }).click()
    await page.getByRole('button', { name: 'Tested' }).click()
    await expect.poll(() => page.url()).toContain('sort=tested&desc=1')
    // The release has the run of its sub-milestone.
    await expect.poll(readFirstNames).toEqual(['Release 2.4', 'Alpha'])
    await page.getByRole('button', { name: 'Tested' }).click()
    await expect.poll(() => page.title()).toBe('Milestones · Web shop · Caseward')
  })

  it('keeps the status in the URL, over a reload and Back', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, scenario.page)
    await getRow(page, 'Alpha').waitFor()
    await page.getByLabel('Status').selectOption('Completed')
    await getRow(page, 'Release 2.3').waitFor()
    expect(await getRow(page, 'Alpha').count()).toBe(0)
    await page.reload()
    await getRow(page, 'Release 2.3').waitFor()
    await page.getByLabel('Status').selectOption('Archived')
    await page.getByRole('heading', { name: 'No milestone is archived' }).waitFor()
    await page.getByRole('button', { name: 'Show all milestones' }).click()
    await getRow(page, 'Alpha').waitFor()
    await getRow(page, 'Alpha').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.endsWith(`/milestones/${scenario.alpha.id}`))
    await page.goBack()
    await getRow(page, 'Release 2.3').waitFor()
  })

  it('creates, nests and edits milestones by keyboard, with what was typed kept over a reload', async () => {
    const { project, page: path, read } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, path)
    await getRow(page, 'Alpha').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New milestone' })
    await dialog.getByRole('button', { name: 'Create milestone' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByLabel('Name').fill('Release 3')
    await page.reload()
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Release 3')
    await dialog.getByLabel('Start').fill('2026-12-31')
    await dialog.getByLabel('Due').fill('2026-12-01')
    await dialog.getByLabel('Name').press('Enter')
    await dialog.getByText('The due date is before the start date.').waitFor()
    await dialog.getByLabel('Due').fill('2099-12-31')
    await dialog.getByLabel('Name').press('Enter')
    await getRow(page, 'Release 3').waitFor()
    await dialog.waitFor({ state: 'hidden' })

    await select(page, 'Release 3')
    await page.getByRole('button', { name: 'Sub-milestone' }).click()
    const sub = page.getByRole('dialog', { name: 'New sub-milestone' })
    await sub.getByLabel('Name').fill('Gamma')
    await sub.getByLabel('Name').press('Enter')
    await getRow(page, 'Gamma').getByText('sub-milestone of Release 3').waitFor()

    await page.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit milestone' })
    await edit.getByText('It starts with its first sub-milestone').waitFor()
    await edit.getByLabel('Dates').selectOption('Own dates')
    await edit.getByLabel('Due').fill('2099-06-30')
    await edit.getByLabel('Name').fill('Release 3.0')
    await edit.getByRole('button', { name: 'Save' }).click()
    await getRow(page, 'Release 3.0').getByText('30 Jun 2099').waitFor()
    const stored = await server.db
      .selectFrom('milestones')
      .select('id')
      .where('name', '=', 'Release 3.0')
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    expect(await read(stored.id)).toMatchObject({ date_mode: 'manual', due_date: '2099-06-30T23:59:59.000Z' })
  })

  it('has a timeline, which is in the URL, but not below 700 px', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, scenario.page)
    await page.getByText('Timeline').click()
    await page.waitForURL((url) => url.search === '?view=timeline')
    await page.reload()
    const timeline = page.getByRole('region', { name: 'Timeline' })
    const late = timeline.getByRole('listitem').filter({ hasText: 'Security review' })
    await late.getByText('Overdue', { exact: true }).waitFor()
    await late.getByText(/due .*, 3 days overdue\. 25 % tested\./).waitFor()
    await checkPage(page, 'milestones-timeline', { widths: [1440] })
    await page.setViewportSize({ width: 699, height: 900 })
    await page.getByRole('grid', { name: 'Milestones' }).waitFor()
    expect(await timeline.count()).toBe(0)
    expect(await page.getByText('Timeline').count()).toBe(0)
  })

  it('completes and archives milestones, and undoes it', async () => {
    const { project, page: path, late } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, `${path}?status=all`)
    await getRow(page, 'Security review').waitFor()
    await select(page, 'Security review')
    await page.getByRole('button', { name: 'Complete' }).click()
    await getRow(page, 'Security review').getByText('Completed').waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await getRow(page, 'Security review').getByText('Overdue', { exact: true }).waitFor()
    await select(page, 'Security review')
    await page.getByRole('button', { name: 'Archive' }).click()
    await getRow(page, 'Security review').getByText('Archived').waitFor()
    await page.keyboard.press('Control+z')
    await getRow(page, 'Security review').getByText('Overdue', { exact: true }).waitFor()
    expect((await getMilestone(late.id))?.status).toBe('active')
    await select(page, 'Release 2.4')
    expect(await page.getByRole('button', { name: 'Complete' }).count()).toBe(0)
  })

  it('asks before it deletes a milestone with children, and offers to undo the deletion of others', async () => {
    const { project, page: path, release, alpha, late } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, path)
    await getRow(page, 'Alpha').waitFor()
    await select(page, 'Release 2.4')
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete “Release 2.4”?' })
    await dialog.getByText('2 sub-milestones will move to the top level.').waitFor()
    await dialog.getByRole('button', { name: 'Delete milestone' }).click()
    await getRow(page, 'Release 2.4').waitFor({ state: 'detached' })
    await expect.poll(() => getMilestone(release.id)).toBeUndefined()
    expect((await getMilestone(alpha.id))?.parent_id).toBeNull()

    await select(page, 'Security review')
    await page.getByRole('button', { name: 'Delete' }).click()
    await getRow(page, 'Security review').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await getRow(page, 'Security review').waitFor()
    expect(await getMilestone(late.id)).toBeDefined()
  })

  it('shows what others change without a reload, and viewers no actions', async () => {
    const { project, page: path, make } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, path, 'viewer')
    await page.getByText('Live', { exact: true }).waitFor()
    await make({ name: 'Hotfix' })
    await getRow(page, 'Hotfix').waitFor()
    expect(await page.getByRole('button', { name: 'New milestone' }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.keyboard.press('c')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('the states of the milestones page', () => {
  it('are accessible with a selection, with the dialogs, and if none matches', async () => {
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, `${scenario.page}?status=all`)
    await getRow(page, 'Alpha').waitFor()
    await select(page, 'Release 2.4')
    await checkPage(page, 'milestones-selection')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').waitFor()
    await checkPage(page, 'milestones-delete')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Dates').selectOption('Own dates')
    await checkPage(page, 'milestones-edit')
    await page.keyboard.press('Escape')
    await follow(page, `${scenario.page}?status=archived`)
    await page.getByRole('heading', { name: 'No milestone is archived' }).waitFor()
    await checkPage(page, 'milestones-no-match')
  })

  it('are accessible without milestones, and when the server does not answer', async () => {
    const empty = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, empty, `/projects/${empty.id}/milestones`)
    await page.getByRole('heading', { name: 'No milestones yet' }).waitFor()
    await checkPage(page, 'milestones-empty')
    await page.route('**/milestones?*', (route) => route.abort())
    await page.reload()
    await page.getByText('The milestones could not be loaded.').waitFor()
    await checkPage(page, 'milestones-error')
  })

  it('are accessible with 300 milestones with long names', async () => {
    const { project, make } = await makeMilestoneScenario(server)
    const parent = await make({ name: 'Release '.repeat(31), due_date: '2020-01-01' })
    await sql`insert into milestones (id, project_id, name, description, date_mode, due_date, parent_id)
      select gen_random_uuid(), ${project.id}, repeat('Milestone', 27) || i, '', 'auto', now() + i * interval '1 day',
        case when i <= 10 then ${parent.id}::uuid end
      from generate_series(1, 299) i`.execute(server.db)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/milestones`)
    await page.getByRole('grid', { name: 'Milestones' }).waitFor()
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('301')
    await checkPage(page, 'milestones-overfull')
  })
})
