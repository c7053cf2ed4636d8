import type { FailureGroup } from '@caseward/contract/failure-groups'
import type { Health } from '@caseward/contract/health'
import type { Report } from '@caseward/contract/report'
import { makeEvaluationScenario, type Outcomes } from '@caseward/test-support/evaluation-scenario'
import { makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { follow } from './follow.ts'
import { openAs } from './open-as.ts'
import { checkPage } from './page-checks.ts'
import { takePicture } from './take-picture.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const refused = (port: number) => ({
  statuses: ['failed'] as const,
  message: `Error: connect ECONNREFUSED 127.0.0.1:${port}`,
})
const ALL: Outcomes = { pays: 'passed', ships: 'passed', bills: 'passed', logs: 'passed', refunds: 'passed' }

/** Builds of twelve days: an outage, a broken basket, and two tests that flake. */
async function makeHistory() {
  const scenario = await makeEvaluationScenario(server)
  const { build, evaluate } = scenario
  const add = async (daysAgo: number, outcomes: Outcomes, branch = 'main') => {
    const commit = `${daysAgo}`.padStart(2, '0').repeat(4)
    const metadata = { branch, commit: `${branch === 'main' ? 'a' : 'b'}${commit}`, suite: 'unit' }
    const run = await build({ ...ALL, ...outcomes }, { metadata, daysAgo })
    await evaluate(run.id)
    return run
  }
  await add(12, {})
  await add(11, { pays: refused(1), ships: refused(2), bills: refused(3), refunds: refused(4), logs: refused(5) })
  await add(9, { ships: ['failed', 'passed'], pays: refused(9) })
  await add(6, { ships: ['failed', 'passed'], bills: ['failed', 'passed'] })
  await add(4, { pays: { statuses: ['failed'], message: 'TypeError: total of an empty basket' } })
  const last = await add(1, { pays: { statuses: ['failed'], message: 'TypeError: total of an empty basket' } })
  const feature = await add(0, { logs: 'failed', refunds: 'failed' }, 'feature/cart')
  return { ...scenario, last, feature }
}

const getToast = (page: Page, text: string) => page.getByText(text, { exact: true }).first()

/** Every chart of Health says what the API says, under the keys and as a table. */
async function checkHealth(page: Page, projectId: string, get: <T>(path: string) => Promise<T>): Promise<void> {
  await page.waitForURL((url) => url.pathname === `/projects/${projectId}/insight/health`)
  await page.getByRole('heading', { name: 'Automation by folder' }).waitFor()
  await checkPage(page, 'insight health')
  const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
  const { data } = await get<{ data: Health }>(`/v1/projects/${projectId}/health?time_zone=${encodeURIComponent(zone)}`)
  await page.getByRole('img', { name: /^Is main green/ }).focus()
  await page
    .getByRole('status')
    .getByText(/^unit: red from /)
    .waitFor()
  const longest = page.getByRole('region', { name: 'Failing longest' }).getByRole('listitem')
  expect(await longest.count()).toBe(data.failing_longest.items.length)
  expect(await longest.first().innerText()).toMatch(/pays\nTypeError: total of an empty basket · 2 runs since /)
  await page
    .getByRole('region', { name: 'Newly failing' })
    .getByText('Nothing fails that did not fail before.')
    .waitFor()
  for (const button of await page.getByRole('button', { name: 'Table' }).all()) await button.click()
  const readRows = async (title: string) => {
    const rows = await page
      .getByRole('region', { name: `Figures: ${title}`, exact: true })
      .locator('tbody tr')
      .all()
    return await Promise.all(rows.map((row) => row.locator('th, td').allTextContents()))
  }
  const band = await readRows('Is main green?')
  expect(band.map((cells) => cells.at(-1))).toEqual(data.band[0]?.segments.map((segment) => segment.state))
  const rates = (await readRows('Pass rate, mean of a day')).map(([, rate]) => rate)
  expect(rates).toEqual(
    data.days.map(({ pass_rate: rate }) => (rate === null ? '–' : `${Math.floor(1000 * rate) / 10} %`)),
  )
  expect((await readRows('Failed tests')).map(([, failed]) => Number(failed))).toEqual(
    data.days.map(({ failed }) => failed),
  )
  const matrix = await readRows('Unstable tests in the newest runs')
  expect(matrix.map((cells) => cells.length)).toEqual(data.matrix.tests.map(() => data.matrix.runs.length + 1))
  expect(matrix.map((cells) => cells.filter((cell) => cell.startsWith('failed')).length)).toEqual(
    data.matrix.cells.map((cells) => cells.filter((cell) => cell.startsWith('failed')).length),
  )
  expect((await readRows('Automation by folder')).map((cells) => cells.slice(1).map(Number))).toEqual(
    data.automation.map((row) => [row.passing, row.failing, row.not_run, row.by_hand]),
  )
  await checkPage(page, 'insight health tables')
}

describe('quarantine', () => {
  it('of tests of a run: several at once with Q, changed and ended in the panel of the test', async () => {
    const { project, feature, get } = await makeHistory()
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${feature.id}/failures`)
    await page.getByRole('heading', { name: '2 failures block' }).waitFor()
    for (const name of ['logs', 'refunds']) await page.getByRole('checkbox', { name: new RegExp(name) }).check()
    await page.getByRole('toolbar', { name: 'Selected rows' }).waitFor()
    await checkPage(page, 'selected failures')
    await page.keyboard.press('q')
    const dialog = page.getByRole('dialog', { name: 'Quarantine 2 tests' })
    await dialog.getByLabel('Reason').waitFor()
    await page.keyboard.press('Tab')
    await dialog.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await dialog.getByText('Say why failures must not block for now.').waitFor()
    await dialog.getByLabel('Reason').fill('The log server is being moved')
    await dialog.getByLabel('Branches').fill('feature/*, main')
    await checkPage(page, 'quarantine dialog')
    await dialog.getByLabel('Link to an issue').fill('nowhere')
    await dialog.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await dialog.getByLabel('Link to an issue').and(page.locator('[aria-invalid]')).waitFor()
    await dialog.getByLabel('Link to an issue').fill('https://tracker.test/SHOP-41')
    await page.keyboard.press('Enter')
    await getToast(page, '2 tests quarantined').waitFor()
    const entries = await get<{ data: { id: string; reason: string; branches: string[]; expires_at: string }[] }>(
      `/v1/projects/${project.id}/quarantines`,
    )
    expect(entries.data).toMatchObject([{ branches: ['feature/*', 'main'] }, { link: 'https://tracker.test/SHOP-41' }])
    const days = (Date.parse(entries.data[0]?.expires_at ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)

    // The panel of a test says what it is and why, changes its entry, and ends it.
    await page.getByRole('link', { name: /logs/ }).first().click()
    const panel = page.getByRole('article', { name: 'logs' })
    await panel.getByText('New: it did not fail in build of 6. It blocks.').waitFor()
    await panel.getByText(/Quarantined until/).waitFor()
    await checkPage(page, 'panel of a quarantined test')
    await panel.getByRole('button', { name: 'Change the quarantine' }).click()
    await page.getByRole('dialog').getByLabel('Ends on').fill('2020-01-01')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Choose a day from/).waitFor()
    await page
      .getByRole('dialog')
      .getByLabel('Ends on')
      .fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10))
    await page.getByRole('button', { name: 'Save' }).click()
    await getToast(page, 'Quarantine changed').waitFor()
    await panel.getByRole('button', { name: 'End it' }).click()
    const end = page.getByRole('dialog', { name: 'End the quarantine' })
    await end.getByLabel('Reason').fill('The server is back')
    await end.getByRole('button', { name: 'End the quarantine' }).click()
    await panel
      .getByRole('button', { name: 'Quarantine', exact: true })
      .or(panel.getByRole('button', { name: 'Quarantine Q', exact: true }))
      .waitFor()
    const ended = await get<typeof entries>(`/v1/projects/${project.id}/quarantines?active=false`)
    expect(ended.data).toMatchObject([{ end_reason: 'The server is back' }])
  })

  it('is not offered to a viewer', async () => {
    const { project, feature } = await makeHistory()
    const page = await browser.newWindow()
    await openAs(page, server, project, `/runs/${feature.id}/failures`, 'viewer')
    await page.getByRole('link', { name: /logs/ }).first().waitFor()
    expect(await page.getByRole('button', { name: /^Quarantine/ }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await page.keyboard.press('q')
    await page.getByRole('link', { name: /logs/ }).first().click()
    const panel = page.getByRole('article', { name: 'logs' })
    await panel.getByText(/It blocks\.$/).waitFor()
    expect(await panel.getByRole('button', { name: /quarantine/i }).count()).toBe(0)
    await follow(page, `/projects/${project.id}/insight/quarantine`)
    await page.getByRole('heading', { name: 'No test is quarantined' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Change it in the settings' }).count()).toBe(0)
  })
})

describe('insight', () => {
  it('shows causes by day as the lists count them, with figures under the keys and as a table, and one cause', async () => {
    const { project, get } = await makeHistory()
    await makeTestCases(server, project, 2)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}`)
    await page.getByRole('link', { name: 'Insight', exact: true }).waitFor()
    await page
      .getByRole('region', { name: 'Is main green?' })
      .getByRole('link', { name: /^unit: red for .*, 1 failure$/ })
      .waitFor()
    await checkPage(page, 'overview with a red branch')
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await checkHealth(page, project.id, get)
    await page.getByRole('link', { name: 'Failures', exact: true }).click()
    await page.getByRole('heading', { name: 'Failing tests by cause and day' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/projects/${project.id}/insight/failures`)
    await page
      .getByRole('link', { name: /ECONNREFUSED/ })
      .first()
      .waitFor()
    await checkPage(page, 'insight failures')
    const map = page.getByRole('img', { name: /^Failing tests by cause and day\. Point/ })
    await map.focus()
    for (let day = 0; day < 11; day += 1) await page.keyboard.press('ArrowLeft')
    await page
      .getByRole('status')
      .getByText(/^Error: connect ECONNREFUSED .*: 5 tests$/)
      .waitFor()

    // Every figure of the table is that of the list.
    await page.getByRole('button', { name: 'Table' }).click()
    const zone = await page.evaluate(() => new Intl.DateTimeFormat().resolvedOptions().timeZone)
    const groups = await get<{ data: FailureGroup[] }>(
      `/v1/projects/${project.id}/failure-groups?fields=days&sort=tests&time_zone=${encodeURIComponent(zone)}`,
    )
    expect(groups.data.length).toBeGreaterThan(4)
    const rows = await page
      .getByRole('region', { name: /^Figures/ })
      .locator('tbody tr')
      .all()
    expect(rows).toHaveLength(groups.data.length)
    for (const [index, group] of groups.data.entries()) {
      const cells = (await rows[index]?.locator('td').allTextContents())?.map(Number) ?? []
      expect([await rows[index]?.locator('th').textContent(), cells.length]).toEqual([group.title, 30])
      expect(cells.filter((count) => count > 0)).toEqual(group.days?.map(({ tests }) => tests))
    }
    await checkPage(page, 'insight failures table')

    // The view is in the URL.
    await page.getByLabel('Branch').selectOption('main')
    await page.getByText('90 days').click()
    await page.getByText('Most tests').click()
    await page.getByLabel('Search causes').fill('basket')
    await page.waitForURL(/branch=main&days=90&q=basket&sort=tests$/)
    await page.reload()
    const causes = page.getByRole('region', { name: 'Causes', exact: true })
    await causes.getByRole('link', { name: 'TypeError: total of an empty basket' }).click()
    await page.getByRole('heading', { name: 'TypeError: total of an empty basket' }).waitFor()
    await page.getByText(/^1 test · 2 runs/).waitFor()
    await page
      .getByRole('region', { name: 'Newest failure' })
      .getByText('TypeError: total of an empty basket')
      .waitFor()
    await checkPage(page, 'one cause')
    await page.getByRole('link', { name: /pays/ }).waitFor()
    await page.goBack()
    await causes.getByRole('link', { name: 'TypeError: total of an empty basket' }).waitFor()
    await page.getByLabel('Branch').selectOption('')
    await page.getByLabel('Search causes').fill('nothing of this')
    await page.getByRole('heading', { name: 'No cause matches the search' }).waitFor()
  })

  it('lists flaky tests by evidence, quarantines one, and shows when it ends', async () => {
    const { project, findTestId } = await makeHistory()
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/insight/flaky`, 'admin')
    const flaky = page.getByRole('region', { name: 'Flaky' })
    await flaky.getByText('2 of 4 commits, few').waitFor()
    await flaky.getByRole('button', { name: /Evidence against .*ships/ }).click()
    await flaky.getByText('passed and failed on 2 of 4 commits, few.').waitFor()
    await flaky.getByText('2 flakes').click()
    expect(await flaky.getByText('A retry passed').count()).toBe(2)
    await checkPage(page, 'insight flaky')
    expect(page.url()).toContain(`test=${await findTestId('ships')}`)
    await page.keyboard.press('q')
    const dialog = page.getByRole('dialog', { name: 'Quarantine the test' })
    await dialog.getByLabel('Reason').fill('Slow parcel service')
    await dialog.getByRole('button', { name: 'Quarantine', exact: true }).click()
    await flaky.getByText('Quarantined').first().waitFor()
    await page.getByText('Suspect', { exact: true }).click()
    await page.getByRole('region', { name: 'Suspect' }).getByText('1 of 4 commits, few').waitFor()
    await page.getByText('Broken', { exact: true }).click()
    await page.getByRole('heading', { name: 'No test is broken' }).waitFor()

    // Another one, which began long ago and ends tomorrow.
    await sql`
      insert into quarantines (project_id, id, test_id, reason, branches, created_at, expires_at)
      values (${project.id}, gen_random_uuid(), ${await findTestId('bills')}, 'Old', '{}', now() - interval '80 days',
        now() + interval '1 day')`.execute(server.db)
    await page.getByRole('link', { name: 'Quarantine', exact: true }).click()
    await page.getByText('Slow parcel service').waitFor()
    await page.getByRole('img', { name: /^Quarantines until they end\. Point/ }).focus()
    await page
      .getByRole('status')
      .getByText(/bills, nobody: .* 1 day left$/)
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page
      .getByRole('status')
      .getByText(/ships, .* 30 days left$/)
      .waitFor()
    await checkPage(page, 'insight quarantine')
    await page.getByText('Ends in 3 days', { exact: true }).click()
    await page.getByText('Slow parcel service').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^End the quarantine of .*bills/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End the quarantine' }).click()
    await page.getByRole('heading', { name: 'No quarantine ends within 3 days' }).waitFor()
    await page.getByText('Ended', { exact: true }).click()
    await page.getByText('Old', { exact: true }).waitFor()

    // An admin lets the project quarantine flaky tests.
    await page.getByRole('link', { name: 'Change it in the settings' }).click()
    await page.getByLabel('Default branch').fill('main')
    await page.getByLabel('Quarantine tests that become flaky').check()
    await page.getByRole('button', { name: 'Save insight' }).click()
    await page.getByLabel('Owner of these entries').and(page.locator('[aria-invalid]')).waitFor()
    await page.getByLabel('Owner of these entries').selectOption({ index: 1 })
    await page.getByLabel('Address of a tracker to start from').selectOption('GitHub')
    const address = page.getByLabel('Address for new issues')
    expect(await address.inputValue()).toContain('https://github.com/OWNER/')
    await address.fill('https://tracker.test/new')
    await page.getByRole('button', { name: 'Save insight' }).click()
    await address.and(page.locator('[aria-invalid]')).waitFor()
    await checkPage(page, 'insight settings')
    await address.fill('https://tracker.test/new?title={title}')
    await page.getByRole('button', { name: 'Save insight' }).click()
    await page.getByText('Settings of insight saved').waitFor()
  })

  it('without a report shows the line to paste, and after one run that nothing failed or flaked', async () => {
    const { project, build } = await makeEvaluationScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/insight`)
    await page.getByRole('heading', { name: 'CI has not reported yet' }).waitFor()
    await page.getByText("npx caseward upload 'build/test-results/**/*.xml'").waitFor()
    await checkPage(page, 'insight without reports')
    await build(ALL)
    await page.getByRole('heading', { name: 'Is main green?' }).waitFor()
    await page.getByText(/^main: green for /).waitFor()
    await checkPage(page, 'insight one green run')
    await page.getByRole('link', { name: 'Failures', exact: true }).click()
    await page.getByRole('heading', { name: 'Nothing failed' }).waitFor()
    await checkPage(page, 'insight nothing failed')
    await page.getByRole('link', { name: 'Flaky', exact: true }).click()
    await page.getByRole('heading', { name: 'No test is flaky' }).waitFor()
    await checkPage(page, 'insight nothing flaky')
  })

  it('shows 10,000 causes page by page', async () => {
    const { project, last } = await makeHistory()
    await sql`
      with test as (select test_id from test_failures where project_id = ${project.id} and run_id = ${last.id} limit 1),
      added as (
        insert into failure_signatures (project_id, signature, version, kind, message, frame, is_weak, title, first_run_id, first_seen_at)
        select ${project.id}, md5(n::text)::uuid, 1, 'Error', 'cause ' || n, '', false, 'Error: cause ' || n, ${last.id},
          now() - n * interval '1 minute'
        from generate_series(1, 10000) n returning signature
      )
      insert into test_failures (project_id, run_id, test_id, place, signature, is_final)
      select ${project.id}, ${last.id}, test.test_id, (10 + row_number() over ())::int, added.signature, true from test, added`.execute(
      server.db,
    )
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/insight/failures`)
    const causes = page.getByRole('region', { name: 'Causes', exact: true })
    await causes.getByRole('link', { name: 'Error: cause 20', exact: true }).waitFor()
    await causes.getByRole('button', { name: 'More causes' }).click()
    await causes.getByRole('link', { name: 'Error: cause 90', exact: true }).waitFor()
    await page.getByLabel('Search causes').fill('cause 9999')
    await causes.getByRole('link', { name: 'Error: cause 9999', exact: true }).waitFor()
    expect(await causes.getByRole('link').count()).toBe(1)
  })
})

describe('a new issue', () => {
  it('opens the tracker with what is known of a failure, and is linked to the test case', async () => {
    const { project, feature, findTestId, last } = await makeHistory()
    const { token } = project.admin
    const [caseId = ''] = await makeTestCases(server, project, 1)
    const ofTest = `/v1/projects/${project.id}/tests/${await findTestId('logs')}`
    await server.request('PATCH', ofTest, { token, body: { test_case_id: caseId } })
    const settings = `/v1/projects/${project.id}/insight-settings`
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${feature.id}/failures`)
    await page.getByRole('button', { name: /^New issue about .*logs/ }).focus()
    await page.keyboard.press('i')
    const dialog = page.getByRole('dialog', { name: 'New issue' })
    await dialog.getByText('The project has no tracker: copy the text.', { exact: false }).waitFor()
    expect(await dialog.getByLabel('Title').inputValue()).toBe('The cart of logs lost its contents')
    const text = await dialog.getByLabel('Text').inputValue()
    expect(text).toContain('branch feature/cart, commit b00000000')
    expect(text).toContain(`${server.url}/runs/${feature.id}/tests?test=`)
    await page.keyboard.press('Escape')

    const issue_template = 'https://tracker.test/new?title={title}&body={body}'
    await server.request('PATCH', settings, { token, body: { issue_template } })
    await page.reload()
    await page.getByRole('button', { name: /^New issue about .*logs/ }).click()
    await dialog.getByLabel('Title').fill('The cart forgets & loses')
    const link = dialog.getByRole('link', { name: 'Open tracker.test' })
    const address = new URL((await link.getAttribute('href')) ?? '')
    expect([address.origin, address.searchParams.get('title'), address.searchParams.get('body')]).toEqual([
      'https://tracker.test',
      'The cart forgets & loses',
      text,
    ])
    expect(await link.getAttribute('target')).toBe('_blank')
    await checkPage(page, 'new issue')
    await dialog.getByRole('button', { name: 'Link', exact: true }).click()
    await dialog.getByText('Paste the address of the page.').waitFor()
    await dialog.getByLabel(`Address of the issue, to link it to ${caseId}`).fill('https://tracker.test/browse/SHOP-41')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'SHOP-41' }).waitFor()
    await checkPage(page, 'failures with issues')

    // The panel of the test and the page of the cause offer it, too; B leads to the comparison with the base.
    await page.getByRole('link', { name: /logs/ }).first().click()
    const panel = page.getByRole('article', { name: 'logs' })
    await panel.getByRole('button', { name: /^New issue/ }).waitFor()
    await page.keyboard.press('i')
    await dialog.getByRole('link', { name: 'SHOP-41' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('b')
    await page.waitForURL(`**/projects/${project.id}/compare?base=${last.id}&head=${feature.id}`)
    await page.getByRole('row', { name: /refunds/ }).waitFor()
    await follow(page, `/projects/${project.id}/insight/failures`)
    await page
      .getByRole('region', { name: 'Causes', exact: true })
      .getByRole('link', { name: /ECONNREFUSED/ })
      .click()
    await page.getByRole('heading', { name: /ECONNREFUSED/ }).waitFor()
    await page.keyboard.press('i')
    expect(await dialog.getByLabel('Text').inputValue()).toMatch(/^5 tests failed:\n- `/)
  })
})

describe('the report', () => {
  it('says what happened in days that the URL has, prints on two sheets, and is subscribed to', async () => {
    const { project, findTestId, quarantine, get, build } = await makeHistory()
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
