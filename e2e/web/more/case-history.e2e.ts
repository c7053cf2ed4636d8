import { makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const LONG_NOTE = 'The total is wrong by one cent, '.repeat(10)

it('the history of a test case shows where runs came from, and is searched by status and branch', async () => {
  const project = await makeProject(server)
  const { token } = project.admin
  await makeTestCases(server, project, 1)
  for (const [name, branch, status] of [
    ['Build 1', 'main', 'failed'],
    ['Build 2', 'fix/cart', 'failed'],
    ['Build 3', 'main', 'passed'],
  ] as const) {
    const metadata = { branch, commit: '9c1f0e7aa1b2c3d4', ci_url: 'https://ci.test/builds/1' }
    const run = await makeRun(server, project, { name, metadata })
    await server.request('PUT', `/v1/runs/${run.id}/results/WEB-1`, { token, body: { status, note: LONG_NOTE } })
  }
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases?case=WEB-1&panel=history`)
  const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
  await expect.poll(() => results.count()).toBe(3)
  await results.first().getByText('main · 9c1f0e7').waitFor()
  expect(await results.first().getByRole('link', { name: 'Build', exact: true }).getAttribute('rel')).toBe('noreferrer')

  await page.getByLabel('Results', { exact: true }).first().selectOption('Not passed')
  await page.getByText('2 results in 3 runs').waitFor()
  await page.getByLabel('Branch').fill('main')
  await page.getByText('1 result in 3 runs').waitFor()
  expect(await results.getByRole('link').allTextContents()).toEqual(['Build 1', 'Build'])
  await checkPage(page, 'case history searched')
  await page.getByLabel('Branch').fill('nothing')
  await page.getByLabel('Branch').press('Enter')
  await page.getByText('0 results in 3 runs').waitFor()
  await page.getByLabel('Branch').fill('')
  await page.getByText('2 results in 3 runs').waitFor()
})
