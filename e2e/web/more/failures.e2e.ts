import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** The message of a test that fails; null for one that passes. */
type Messages = Readonly<Record<string, string | null>>

async function makeBuilds() {
  const { project, token, ci, makeRunByKey } = await makeTestsScenario(server)
  const upload = async (runId: string, messages: Messages, fields: object = {}) => {
    const tests = Object.entries(messages).map(([name, message]) =>
      makeTest(name, [], {
        attempts: [
          { status: message === null ? 'passed' : 'failed', ...(message !== null && { message, details: '' }) },
        ],
      }),
    )
    const body = { run_id: runId, format: 'tests', tests, job: 'unit', ...fields }
    const response = await server.request('POST', '/v1/results', { token: ci, body })
    expect([200, 207]).toContain(response.status)
  }
  const makeBuild = async (name: string, metadata: Readonly<Record<string, string>>, messages: Messages) => {
    const run = await makeRunByKey(name, { metadata: { default_branch: 'main', ...metadata } })
    await upload(run.id, messages, { build_attempt: 1 })
    return run
  }
  return { project, token, makeBuild, upload }
}

it('failures of a run stand by their cause, with what blocks and why, and change while the page is open', async () => {
  const { project, token, makeBuild, upload } = await makeBuilds()
  const base = await makeBuild(
    'Main 841',
    { branch: 'main', commit: '8a006ed' },
    {
      pays: null,
      refunds: 'Error: connect ECONNREFUSED 127.0.0.1:5432',
      ships: 'TypeError: no parcel service',
      logs: null,
    },
  )
  await server.request('PATCH', `/v1/runs/${base.id}`, { token, body: { status: 'completed' } })
  const run = await makeBuild(
    'Build 842',
    { branch: 'feature', base_branch: 'main', commit: '1b2c3d4' },
    {
      pays: 'TypeError: total of an empty basket',
      refunds: 'Error: connect ECONNREFUSED 127.0.0.1:6543',
      ships: null,
      bills: 'TypeError: total of an empty basket',
    },
  )
  const page = await browser.newPage()
  await openAs(page, server, project, `/runs/${run.id}/failures`, 'viewer')
  await page.getByRole('heading', { name: '2 failures block' }).waitFor()
  await page.getByText('1 new · 1 new test · 1 already red · 1 fixed · 1 missing').waitFor()
  await page.getByRole('link', { name: 'Main 841' }).waitFor()
  const group = page.getByRole('region', { name: 'TypeError: total of an empty basket' })
  await group.getByText('2 tests').waitFor()
  await group.getByRole('link', { name: /pays/ }).waitFor()
  await page
    .getByRole('region', { name: /ECONNREFUSED/ })
    .getByText('Already red', { exact: true })
    .waitFor()
  const fixed = page.getByRole('button', { name: /^Fixed: 1 test/ })
  await fixed.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /ships/ }).waitFor()
  await checkPage(page, 'failures')

  // A further attempt passes.
  await upload(run.id, { pays: null, bills: null }, { build_attempt: 2 })
  await page.getByRole('heading', { name: 'The failure does not block' }).waitFor()

  await page.getByRole('link', { name: 'Compare' }).click()
  await page.getByRole('heading', { name: 'Compare runs' }).waitFor()
  await page.goto(`${server.url}/runs/${base.id}/failures`)
  await page.getByRole('heading', { name: '2 failures block' }).waitFor()
  await checkPage(page, 'failures of a first run')
})
