import type { Report } from '@caseward/contract/report'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { takePicture } from '../take-picture.ts'
import { useBrowser } from '../use-browser.ts'
import { ALL, makeHistory } from '../insight-scenario.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('the report', () => {
  it('says what happened in days that the URL has, prints on two sheets, and is subscribed to', async () => {
    const { project, findTestId, quarantine, get, build } = await makeHistory(server)
    await makeTestCases(server, project, 2)
    await build(
      { pays: { statuses: ['failed'], message: `Error: ${'a message without an end '.repeat(12)}` } },
      { metadata: { branch: 'main', suite: 'unit' } },
    )
    await quarantine(await findTestId('bills'), [], 3)
    await server.request('POST', `/v1/projects/${project.id}/runs`, {
      token: project.admin.token,
      body: { name: 'Release 4' },
    })
    const page = await browser.newWindow()
    await openAs(page, server, project, `/projects/${project.id}`, 'viewer')
    await page.getByRole('link', { name: 'Report', exact: true }).click()
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor()
    const zone = encodeURIComponent(await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone))
    const read = async (days: number) =>
      (await get<{ data: Report }>(`/v1/projects/${project.id}/report?days=${days}&time_zone=${zone}`)).data
    const week = await read(7)
    await page
      .getByText(`main is red. ${week.run_count} runs, ${week.new_causes.total} new causes of failures, `)
      .waitFor()
    const green = page.getByRole('region', { name: 'Is main green?' })
    await green.getByText(/% of the time green, red since /).waitFor()
    expect(await green.getByRole('img', { name: /^unit: .*red/ }).count()).toBe(1)
    const countListed = async (title: string) =>
      await page.getByRole('region', { name: title, exact: true }).getByRole('listitem').count()
    expect(await countListed('New causes of failures')).toBe(week.new_causes.items.length)
    expect(await countListed('Quarantines that end soon')).toBe(1)
    expect(await countListed('Runs by hand')).toBe(week.by_hand.length)
    await page.getByText('30 days').click()
    await page.waitForURL(/insight\/report\?days=30$/)
    const month = await read(30)
    expect(month.new_causes.total).toBeGreaterThan(week.new_causes.total)
    await expect.poll(() => countListed('New causes of failures')).toBe(month.new_causes.items.length)

    // Every member may subscribe, also a viewer. This server has no mail server, and says so.
    const email = page.getByRole('region', { name: 'By email' })
    await email.getByText('This server has no mail server', { exact: false }).waitFor()
    await email.getByText('You do not get this report by email.').waitFor()
    await checkPage(page, 'report')
    await email.getByRole('button', { name: 'Subscribe' }).click()
    await email.getByLabel('Day', { exact: true }).selectOption('Friday')
    await email.getByLabel('From').selectOption('07:00')
    await email.getByLabel('Time zone').selectOption('Europe/Berlin')
    await checkPage(page, 'report subscription')
    await email.getByRole('button', { name: 'Subscribe' }).click()
    await email.getByText('You get this report every Friday from 07:00 (Europe/Berlin).', { exact: false }).waitFor()
    await email.getByRole('button', { name: 'Change' }).click()
    await email.getByText('Every day').click()
    await email.getByRole('button', { name: 'Save' }).click()
    await page.reload()
    await email.getByText('You get this report every day from 07:00 (Europe/Berlin).', { exact: false }).waitFor()

    // On paper, nothing can be clicked but links.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.getByRole('heading', { name: /^Report of / }).waitFor()
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    expect(await page.getByRole('radio').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'By email' }).count()).toBe(0)
    expect(await page.getByRole('main').evaluate((main) => getComputedStyle(main).color)).toBe('rgb(21, 24, 30)')
    await takePicture(page, 'report-print')
    const paper = (await page.pdf({ format: 'A4' })).toString('latin1')
    expect(paper.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(2)
    await page.emulateMedia({ media: null, colorScheme: null })

    await email.getByRole('button', { name: 'Unsubscribe' }).click()
    await email.getByText('You do not get this report by email.').waitFor()
    await green.getByRole('link', { name: 'unit' }).click()
    await page.waitForURL(/insight\/health\?series=unit$/)
    await page.getByRole('link', { name: 'Report', exact: true }).waitFor()
  })

  it('of days without a run says so', async () => {
    const { project, build } = await makeEvaluationScenario(server)
    await build(ALL, { metadata: { branch: 'main' }, daysAgo: 20 })
    await sql`update runs set created_at = now() - interval '20 days' where project_id = ${project.id}`.execute(
      server.db,
    )
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/insight/report`)
    await page.getByRole('heading', { name: 'No run in the last 7 days' }).waitFor()
    await checkPage(page, 'report without runs')
    await page.getByText('30 days').click()
    await page.getByText(/^main is green|^\d+ runs?\./).waitFor()
    expect(page.url()).toContain('days=30')
  })
})
