import { makeMilestoneScenario } from '@caseward/test-support/milestone-scenario'
import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeUser } from '@caseward/test-support/users'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

let demo: { id: string; token: string; milestones: Map<string, string> }
beforeAll(async () => {
  const { token } = await makeUser(server)
  const { body } = await server.request<{ data: { id: string } }>('POST', '/v1/projects/demo', { token })
  const { id } = body.data
  const list = await server.request<{ data: { id: string; name: string }[] }>(
    'GET',
    `/v1/projects/${id}/milestones?per_page=100`,
    { token },
  )
  demo = { id, token, milestones: new Map(list.body.data.map((milestone) => [milestone.name, milestone.id])) }
})

const getPath = (name: string) => `/projects/${demo.id}/milestones/${demo.milestones.get(name)}`
const getPart = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

describe('the page of a milestone', () => {
  it('says whether it will be ready, with burn-up, blockers, sub-milestones and runs', async () => {
    const page = await browser.newPage()
    await openAs(page, server, demo, getPath('Release 2.4'))
    await getPart(page, 'Readiness').getByText('At this pace, everything is tested on').waitFor()
    await getPart(page, 'Burn-up').getByText('tested until today').waitFor()
    const blockers = getPart(page, 'Blockers').getByRole('listitem')
    await blockers.first().waitFor()
    await checkPage(page, 'milestone')
    await page.getByText('Active, as the least finished of its 2 sub-milestones').waitFor()
    // One figure says how far it is.
    expect(await page.getByText(/Progress/).count()).toBe(0)
    await getPart(page, 'Runs').getByRole('link', { name: 'Regression 2.4' }).waitFor()
    for (const words of await blockers.allInnerTexts()) expect(words).toMatch(/Critical|High/)
    await getPart(page, 'Sub-milestones').getByRole('link', { name: 'Regression' }).click()
    await page.getByRole('heading', { level: 1, name: 'Regression' }).waitFor()
    await getPart(page, 'Runs').getByRole('link', { name: 'Regression 2.4' }).waitFor()
    await checkPage(page, 'milestone-sub')
    await getPart(page, 'Blockers').getByRole('listitem').first().getByRole('link').click()
    await expect.poll(() => page.url()).toMatch(/\/runs\/[^/]+\?status=(failed|blocked)&result=/)
  })

  it('lists what each part of its sentence counts, over several runs', async () => {
    const { project, make, link, token } = await makeMilestoneScenario(server, 6)
    const { id } = await make({ name: 'Release' })
    const sub = await make({ name: 'Beta', parent_id: id })
    await server.request('PATCH', `/v1/projects/${project.id}/test-cases/WEB-2`, {
      token,
      body: { priority: 'critical' },
    })
    await link(id, 4)
    const runId = await link(sub.id, 6)
    const body = { status: 'blocked' }
    await server.request('PUT', `/v1/runs/${runId}/results/WEB-1`, { token, body })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/milestones/${id}`)
    const readiness = getPart(page, 'Readiness')
    const rows = getPart(page, 'Blockers').getByRole('listitem')
    await readiness.getByRole('link', { name: '5 failed', exact: true }).click()
    await expect.poll(() => rows.count()).toBe(5)
    await checkPage(page, 'milestone-failed')
    await readiness.getByRole('link', { name: '2 of them critical' }).click()
    await expect
      .poll(() => rows.allInnerTexts())
      .toEqual([expect.stringContaining('WEB-2'), expect.stringContaining('WEB-2')])
    await page.reload()
    await expect.poll(() => rows.count()).toBe(2)
    // All of it is in one run.
    await readiness.getByRole('link', { name: '1 blocked' }).click()
    await expect.poll(() => page.url()).toBe(`${server.url}/runs/${runId}?status=blocked`)
    await page.goBack()
    await readiness.getByRole('link', { name: /tested$/ }).click()
    await page.getByRole('row', { name: /Beta/ }).waitFor()
  })

  it('has the days of the time zone of the reader in its burn-up', async () => {
    const { project, make, link } = await makeMilestoneScenario(server, 2)
    const { id } = await make({ name: 'Release' })
    const runId = await link(id, 2)
    await sql`
      update test_results set tested_at = date_trunc('day', now() at time zone 'utc') at time zone 'utc' - interval '30 minutes'
      where run_id = ${runId}`.execute(server.db)
    const countDays = async (timezoneId: string) => {
      const page = await browser.newPage({ timezoneId })
      await openAs(page, server, project, `/projects/${project.id}/milestones/${id}`)
      await getPart(page, 'Burn-up').getByText('2 of 2 results tested until today').waitFor()
      // The first row is the head.
      return (await getPart(page, 'Burn-up').getByRole('row').count()) - 1
    }
    // Half an hour before midnight in London is today in Auckland, where it may be tomorrow already.
    const [utc, auckland] = [await countDays('UTC'), await countDays('Pacific/Auckland')]
    expect(utc).toBe(2)
    const hour = new Date().getUTCHours()
    expect(auckland).toBe(hour >= 11 ? 2 : 1)
  })

  it('is edited, completed, archived and deleted, with its sub-milestones', async () => {
    const { project, make, read } = await makeMilestoneScenario(server)
    const parent = await make({ name: 'Release', description: '# Scope\n\nPayment and *delivery*' })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/milestones/${parent.id}`)
    await page.getByRole('heading', { name: 'Scope' }).waitFor()
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
    await checkPage(page, 'milestone-empty')
    await page.getByRole('link', { name: 'New run' }).click()
    await expect.poll(() => page.getByLabel('Milestone').inputValue()).toBe(parent.id)
    await page.goBack()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Release 3')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Release 3' }).waitFor()
    await page.getByRole('button', { name: 'Complete' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor()
    expect((await read(parent.id)).status).toBe('completed')
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Complete' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'New sub-milestone' }).click()
    await page.getByLabel('Name').fill('Alpha')
    await page.getByRole('button', { name: 'Create milestone' }).click()
    await getPart(page, 'Sub-milestones').getByRole('link', { name: 'Alpha' }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete milestone' }).click()
    await page.getByText('1 sub-milestone will move to the top level.').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete milestone' }).click()
    await page.getByRole('heading', { level: 1, name: 'Milestones' }).waitFor()
    await page.getByRole('link', { name: 'Alpha' }).waitFor()
  })

  it('has no actions for a viewer, and says if it does not exist', async () => {
    const page = await browser.newPage()
    await openAs(page, server, demo, getPath('Release 2.3'), 'viewer')
    await page.getByRole('heading', { level: 1, name: 'Release 2.3' }).waitFor()
    await getPart(page, 'Runs').getByRole('link').first().waitFor()
    for (const name of ['Edit', 'Complete', 'Reopen', 'More']) {
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    }
    const project = await makeProject(server)
    const other = await browser.newPage()
    await openAs(other, server, project, `/projects/${project.id}/milestones/019aa5b6-3c41-7a4c-8f5e-2f0f8c3f5a01`)
    await other.getByRole('heading', { level: 1, name: 'Milestone not found' }).waitFor()
    await checkPage(other, 'milestone-missing')
  })
})
