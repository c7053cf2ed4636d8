import type { FailureGroup } from '@caseward/contract/failure-groups'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'
import { ALL, makeHistory } from '../insight-scenario.ts'
import { checkHealth } from '../check-health.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('insight', () => {
  it('shows causes by day as the lists count them, with figures under the keys and as a table, and one cause', async () => {
    const { project, get, makeRunByKey, upload, patch, evaluate } = await makeHistory(server)
    await makeTestCases(server, project, 2)
    const again = await makeRunByKey('again', { metadata: { branch: 'feature/again', commit: 'c0ffee1' } })
    for (const [build_attempt, outcome] of [
      [1, 'failed'],
      [2, 'passed'],
    ] as const)
      await upload(again.id, { ...ALL, mails: outcome }, { job: 'unit', instance: '1', build_attempt })
    await patch(again.id, { status: 'completed' })
    await evaluate(again.id)
    await sql`
      insert into insight_days (project_id, day, flaky_count, suspect_count, broken_count, quarantined_count,
        automated_case_count, case_count, is_limited, series)
      values (${project.id}, (now() at time zone 'utc')::date - 3, 4, 1, 0, 2, 0, 0, true, '{}')`.execute(server.db)
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
      // Causes of one test each can have the same message.
      const name = group.tests.length === 1 ? `${group.title}, ${group.tests[0]?.name}` : group.title
      expect([await rows[index]?.locator('th').textContent(), cells.length]).toEqual([name, 30])
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
    await page.getByRole('link', { name: /› pays$/ }).waitFor()
    await page.goBack()
    await causes.getByRole('link', { name: 'TypeError: total of an empty basket' }).waitFor()
    await page.getByLabel('Branch').selectOption('')
    await page.getByLabel('Search causes').fill('nothing of this')
    await page.getByRole('heading', { name: 'No cause matches the search' }).waitFor()
  })

  it('lists flaky tests by evidence, quarantines one, and shows when it ends', async () => {
    const { project, findTestId } = await makeHistory(server)
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
    await page.getByRole('button', { name: 'Table' }).click()
    const bars = page.getByRole('region', { name: 'Figures: Quarantines until they end' }).locator('tbody tr')
    expect(await Promise.all((await bars.all()).map((row) => row.locator('td').last().textContent()))).toEqual([
      '1',
      '30',
    ])
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
    const { project, build, evaluate } = await makeEvaluationScenario(server)
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
    await page.getByRole('heading', { name: 'No retries: flaky tests cannot be told from failures' }).waitFor()
    await checkPage(page, 'insight nothing flaky')
    await build({ 'fails twice': ['failed', 'failed'] }).then(({ id }) => evaluate(id))
    await page.reload()
    await page.getByRole('heading', { name: 'No test is flaky' }).waitFor()
    for (const tab of ['Speed', 'Drift']) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      if (tab === 'Speed') await page.getByText('Slower', { exact: true }).click()
      await page.getByRole('heading', { name: 'Too early to tell' }).waitFor()
    }
  })

  it('shows 10,000 causes page by page', async () => {
    const { project, last } = await makeHistory(server)
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
    const { project, feature, findTestId, last } = await makeHistory(server)
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
