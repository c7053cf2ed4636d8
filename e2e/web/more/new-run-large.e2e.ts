import { expect, it } from 'vitest'

import { insertTestCases, makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import { openAs } from '../open-as.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const COUNT = 100_000
const LOAD_MS = 120_000

it('starts a run of 100,000 test cases that were chosen by hand', { timeout: 240_000 }, async () => {
  const project = await makeProject(server)
  await insertTestCases(server, project, COUNT)
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
