import { expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import { openAs } from './open-as.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const COUNT = 100_000
/** PostgreSQL accepts 65,535 parameters. */
const ROWS_PER_INSERT = 10_000
const LOAD_MS = 120_000

it('starts a run of 100,000 test cases that were chosen by hand', { timeout: 240_000 }, async () => {
  const project = await makeProject(server)
  for (let start = 1; start <= COUNT; start += ROWS_PER_INSERT) {
    const rows = Array.from({ length: ROWS_PER_INSERT }, (_, index) => ({
      project_id: project.id,
      number: start + index,
      title: `Case ${start + index}`,
    }))
    await server.db.insertInto('test_cases').values(rows).execute()
  }
  await server.db
    .updateTable('projects')
    .set({ test_case_count: COUNT, last_test_case_number: COUNT })
    .where('id', '=', project.id)
    .execute()
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/runs/new`)
  await page.getByRole('heading', { name: '100,000 test cases' }).waitFor()
  await page.getByRole('progressbar', { name: 'Loading test cases' }).waitFor({ state: 'detached', timeout: LOAD_MS })
  await page.getByRole('radio', { name: 'By hand' }).check()
  await page.getByRole('heading', { name: '0 test cases' }).waitFor()
  await page.getByRole('columnheader').getByRole('checkbox').click()
  await page.getByText('100,000 chosen').waitFor()
  await page.getByRole('heading', { name: '100,000 test cases' }).waitFor()
  await page.getByRole('button', { name: 'Start run' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/runs/'), { timeout: LOAD_MS })
  const runId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const run = await server.request<{ data: { result_count: number } }>('GET', `/v1/runs/${runId}`, {
    token: project.admin.token,
  })
  expect(run.body.data.result_count).toBe(COUNT)
})
