import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest } from '@caseward/test-support/tests-scenario'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** Ten builds on main, in the newest five of which a test takes twice as long, and a linked test that has moved. */
async function makeScenario() {
  const scenario = await makeEvaluationScenario(server)
  const { project, build, uploadTests } = scenario
  for (let place = 0; place < 10; place += 1) {
    const run = await build({ pays: 'passed', ships: 'passed' }, { metadata: { branch: 'main' } })
    await sql`
      update test_outcomes o set elapsed_ms = case when t.name = 'pays' and ${place}::int >= 5 then 4000 else 2000 end
      from tests t where o.project_id = ${project.id} and o.run_id = ${run.id} and t.project_id = o.project_id
        and t.id = o.test_id`.execute(server.db)
  }
  const testCase = await makeTestCase(server, project, { title: 'A customer logs in' })
  const add = async (name: string, suite: string, seenDaysAgo: number, knownDays: number) => {
    await uploadTests([makeTest(name, ['passed'], { suite, file: `${suite}.test.ts` })])
    await sql`
      update tests set last_seen_on = (now() at time zone 'utc')::date - ${seenDaysAgo}::int, last_series = '',
        created_at = now() - make_interval(days => ${knownDays})
      where project_id = ${project.id} and suite = ${suite}`.execute(server.db)
  }
  await add('logs in', 'shop', 12, 60)
  await sql`
    insert into test_links (project_id, test_id, case_number, source)
    select project_id, id, ${Number(testCase.id.split('-')[1])}, 'hand' from tests
    where project_id = ${project.id} and suite = 'shop'`.execute(server.db)
  await add('logs in', 'account', 1, 11)
  // Two tests that are in one run are two tests.
  await sql`
    delete from test_outcomes o using tests t
    where o.project_id = ${project.id} and t.project_id = o.project_id and t.id = o.test_id and t.suite = 'shop'
      and t.name = 'logs in'`.execute(server.db)
  return { ...scenario, testCase }
}

it('shows slow tests, and what drifts apart, and lets a test continue another one', async () => {
  const { project, testCase, get } = await makeScenario()
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/insight/speed`)
  const slowest = page.getByRole('region', { name: 'The slowest tests', exact: true })
  await slowest.getByText(/^2 tests, by the newest 10 runs on main\.$/).waitFor()
  await checkPage(page, 'insight speed')
  await page.getByText('Slower', { exact: true }).click()
  const slower = page.getByRole('region', { name: 'Tests that became slower', exact: true })
  await slower.getByText(/before 2 s, now 4 s/).waitFor()
  await slower.getByRole('img', { name: /^Tests that became slower\. Point/ }).focus()
  await slower
    .getByRole('status')
    .getByText(/pays: before 2 s, now 4 s$/)
    .waitFor()
  await page.getByRole('button', { name: 'Table' }).click()
  const figures = page.getByRole('region', { name: /^Figures: Tests that became slower/ }).locator('tbody tr')
  expect(await figures.locator('td').allTextContents()).toEqual(['2 s', '4 s'])
  await page.getByText('Faster', { exact: true }).click()
  await page.getByRole('heading', { name: 'No test became faster' }).waitFor()

  await page.getByRole('link', { name: 'Drift', exact: true }).click()
  const moved = page.getByRole('region', { name: 'Moved', exact: true })
  await moved.getByRole('button', { name: 'Continue' }).waitFor()
  await checkPage(page, 'insight drift')
  await page.getByLabel('Kind').selectOption({ label: 'Claimed twice (0)' })
  await page.getByRole('link', { name: 'Moved (1)' }).click()
  await moved.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Nothing of this kind' }).waitFor()
  const tests = await get<{ data: { suite: string; test_case_ids: string[] }[] }>(`/v1/projects/${project.id}/tests`)
  expect(tests.data.find(({ suite }) => suite === 'account')?.test_case_ids).toEqual([testCase.id])
  await page.getByLabel('Kind').selectOption({ label: 'Without a test case (0)' })
  await page.waitForURL(/drift=unmatched$/)
  await page.getByRole('region', { name: 'Without a test case', exact: true }).waitFor()
})
