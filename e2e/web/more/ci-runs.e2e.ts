import { makeMilestone, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest, makeTestsScenario } from '@caseward/test-support/tests-scenario'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { getTestRow, showResults } from '../tests-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const errors = [
  { where: 'src/login.test.ts', message: 'SyntaxError: Unexpected token' },
  { where: 'src/search.test.ts', message: 'The suite was killed' },
]

/** What CI uploads first: 24 tests without a test case, of which the last two failed, and two errors. */
async function makeFirstUpload() {
  const scenario = await makeTestsScenario(server)
  const milestone = await makeMilestone(server, scenario.project, { name: 'Release 2.4' })
  const run = await scenario.makeRunByKey('first build', { milestone_id: milestone.id })
  const tests = Array.from({ length: 24 }, (_, index) =>
    makeTest(`Cart > item ${index + 1}`, [index < 22 ? 'passed' : 'failed']),
  )
  const { status } = await scenario.uploadTests(tests, { run_id: run.id, suite_errors: errors })
  if (status >= 300) throw new Error(`POST /v1/results: ${status}`)
  const { token } = scenario
  const { body } = await server.request<{ data: { id: string }[] }>('GET', `/v1/projects/${scenario.project.id}/runs`, {
    token,
  })
  for (const { id } of body.data) {
    await server.request('PATCH', `/v1/runs/${id}`, { token, body: { status: 'completed' } })
  }
  return { ...scenario, run, milestone }
}

const TESTS = '24 tests without a test case: 22 passed, 2 failed'

describe('a run of CI whose tests have no test cases', () => {
  it('opens on its failures, and lists its tests, the failed ones first, with errors and a button that makes test cases', async () => {
    const { project, run } = await makeFirstUpload()
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}`)
    await page.waitForURL((url) => url.pathname === `/runs/${run.id}/failures`)
    await page.getByRole('heading', { name: /block$/ }).waitFor()
    await page
      .getByRole('navigation', { name: 'Run' })
      .getByRole('link', { name: /^Tests/ })
      .click()
    const summary = page.getByRole('region', { name: 'Summary' })
    await summary.getByRole('link', { name: '2 errors' }).waitFor()
    await summary.getByRole('link', { name: TESTS }).waitFor()
    await summary.getByRole('img', { name: '22 passed, 2 failed', exact: true }).waitFor()
    await getTestRow(page, 'item 23').waitFor()
    const names = async () =>
      (await page.getByRole('row').allInnerTexts()).slice(1, 4).map((text) => /item \d+/.exec(text)?.[0])
    await expect.poll(names).toEqual(['item 23', 'item 24', 'item 1'])
    await page.getByText(/This run is completed: reopen it first/).waitFor()
    // What CI has skipped stays untested.
    await page.getByRole('img', { name: '92 % passed: 22 passed, 2 failed' }).waitFor()
    await checkPage(page, 'ci-run')
  })

  it('gets test cases for all of them, which join the run if it is in progress', async () => {
    const { project, run, token } = await makeFirstUpload()
    await server.request('PATCH', `/v1/runs/${run.id}`, { token, body: { status: 'in_progress' } })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}/tests`)
    await page.getByText(/They join this run with their results/).waitFor()
    await page.getByRole('button', { name: 'Make test cases of these 24' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create test cases for all 24 tests' })
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('24 test cases created').waitFor()
    await page.getByRole('link', { name: /^Results\s*24$/ }).click()
    await page.getByRole('grid', { name: 'Results' }).getByRole('img', { name: '22 passed, 2 failed' }).waitFor()
  })

  it('is on the runs page, the overview, the milestone and the projects with its failures and errors', async () => {
    const { project, milestone, run, token } = await makeFirstUpload()
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/runs`)
    const row = page.getByRole('row').filter({ hasText: 'first build' })
    await row.getByRole('img', { name: '22 passed, 2 failed' }).waitFor()
    await expect.poll(async () => (await row.innerText()).split(/\s+/).join(' ')).toContain('2 failed, 2 errors')
    await server.request('GET', `/v1/runs/${run.id}/evaluation`, { token })
    await row.getByText('4 block').waitFor()
    await checkPage(page, 'ci-runs')

    await follow(page, `/projects/${project.id}`)
    const open = page.getByRole('region', { name: 'Open runs' })
    await open.getByText('No run is in progress. The latest runs:').waitFor()
    await open.getByRole('link', { name: TESTS }).waitFor()
    await open.getByRole('link', { name: '2 errors' }).waitFor()
    await page.getByRole('region', { name: 'Pass rate' }).getByText('92 %, 2 errors').first().waitFor()
    await page
      .getByRole('region', { name: 'Readiness' })
      .getByRole('link', { name: `2 errors, ${TESTS}` })
      .waitFor()
    await checkPage(page, 'ci-overview')

    await follow(page, `/projects/${project.id}/milestones/${milestone.id}`)
    await page
      .getByRole('region', { name: 'Readiness' })
      .getByRole('link', { name: `2 errors, ${TESTS}` })
      .waitFor()
    await page.getByRole('region', { name: 'Runs' }).getByRole('link', { name: '2 errors' }).waitFor()
    await checkPage(page, 'ci-milestone')

    await page.goto(`${server.url}/?all=1`)
    // The user of the window has the projects of the other tests, too.
    const card = page.getByRole('listitem').filter({ has: page.locator(`a[href="/projects/${project.id}"]`) })
    await card.getByText('2 errors').waitFor()
    await card.getByText(TESTS).waitFor()
  })
})

describe('a run of CI with errors outside of tests', () => {
  it('never shows 100 % without them', async () => {
    const { project, uploadTests } = await makeTestsScenario(server)
    await makeTestCase(server, project, { title: 'The basket adds an item' })
    await uploadTests([makeTest('WEB-1 adds an item')], { suite_errors: errors })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}`)
    await page.getByRole('region', { name: 'Pass rate' }).getByText('100 %, 2 errors').first().waitFor()
  })

  it('shows them if it has no tests at all', async () => {
    const { project, run, uploadTests } = await makeTestsScenario(server)
    await uploadTests([], { suite_errors: errors })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}`)
    await page.getByRole('link', { name: 'Show 2 errors' }).click()
    await page.getByRole('dialog').getByText('The suite was killed').waitFor()
  })

  it('no longer counts an error that a user leaves out, names who did it, and takes it back', async () => {
    const { project, run, uploadTests, getRun } = await makeTestsScenario(server)
    await uploadTests([], { suite_errors: errors })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}`)
    await page.getByRole('link', { name: 'Show 2 errors' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suite errors' })
    await dialog.getByRole('button', { name: 'Leave out the error of src/login.test.ts' }).click()
    await expect.poll(async () => (await getRun()).suite_error_count).toBe(1)
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '1 left out' }).click()
    const leftOut = page.getByRole('dialog', { name: 'Left out of this run' })
    await leftOut.getByText(/^error, by (?!Former)\w+/).waitFor()
    await checkPage(page, 'left-out')
    await leftOut.getByRole('button', { name: 'Put back src/login.test.ts' }).click()
    await expect.poll(async () => (await getRun()).suite_error_count).toBe(2)
  })
})

describe('a test that is not in the newest report of its file', () => {
  it('says so on its result, and can be left out of the run and brought back', async () => {
    const { project, run, uploadTests, getRun } = await makeTestsScenario(server)
    await makeTestCase(server, project, { title: 'Pays by check' })
    await uploadTests([makeTest('WEB-1 pays by check', ['failed']), makeTest('pays by card')])
    await uploadTests([makeTest('pays by card')])
    const page = await browser.newPage()
    // The run opens on what failed; its results are a tab, which stays over a reload.
    await openAs(page, server, project, `/runs/${run.id}`)
    await page.waitForURL((url) => url.pathname === `/runs/${run.id}/failures`)
    await showResults(page)
    await page.getByText('Pays by check', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Pays by check', { exact: true }).click()
    await page.getByText('Not in the newest report of its file.').waitFor()
    await page.getByRole('link', { name: 'Open the test' }).click()
    const part = page.getByRole('region', { name: 'Part of this run' })
    await part.getByText('Not in the newest report of its file.').waitFor()
    await checkPage(page, 'stale-test')
    await part.getByRole('button', { name: 'Leave out of this run' }).click()
    await page.getByText('“WEB-1 pays by check” left out').waitFor()
    await expect.poll(async () => (await getRun()).stats).toMatchObject({ failed: 0, not_tested: 1 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await getRun()).stats).toMatchObject({ failed: 1, not_tested: 0 })
  })
})

/** Finds what reaches beyond the open panel, whose contents scroll only up and down. */
const findOverflow = (page: Page) =>
  page.getByRole('article').evaluate((panel) => {
    const { right } = panel.getBoundingClientRect()
    return [...panel.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > right + 1)
      .map((element) => element.textContent?.slice(0, 40))
  })

describe('a test that several CI jobs reported', () => {
  it('shows what each job said, where it ran, and the way to its page if that is a web page', async () => {
    const { project, run, uploadTests } = await makeTestsScenario(server)
    await makeTestCase(server, project, { title: 'The basket adds an item' })
    const windows = { job: 'test', label: 'Windows X64, Node 20', job_url: 'https://ci.example.com/jobs/1' }
    const linux = { job: 'test', label: 'Linux X64, Node 20', job_url: 'javascript:alert(1)' }
    const failure = {
      status: 'failed',
      elapsed_ms: 100,
      message: `Expected ${'x'.repeat(300)}`,
      details: `at ${'/deep'.repeat(80)}`,
    }
    await uploadTests(
      [{ ...makeTest(`WEB-1 adds an item ${'of the basket '.repeat(12)}`), attempts: [failure] }],
      windows,
    )
    await uploadTests([makeTest(`WEB-1 adds an item ${'of the basket '.repeat(12)}`)], linux)
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}/failures`)
    await showResults(page)
    await page.getByText('The basket adds an item', { exact: true }).click()
    const parts = page.getByRole('region', { name: 'Reported by' })
    const readParts = async () =>
      (await parts.getByRole('list').first().locator('> li > p').allInnerTexts()).map((text) =>
        text.replaceAll(/\s+/g, ' '),
      )
    const expected = ['Passed in test on Linux X64, Node 20', 'Failed in test on Windows X64, Node 20']
    await expect.poll(readParts).toEqual(expected)
    await parts.getByText(/^Expected x+$/).waitFor()
    await parts.getByText('Details').click()
    const links = await parts
      .getByRole('link')
      .evaluateAll((all: HTMLAnchorElement[]) => all.map(({ href, rel }) => ({ href, rel })))
    expect(links).toEqual([{ href: 'https://ci.example.com/jobs/1', rel: 'noopener noreferrer nofollow' }])
    await checkPage(page, 'parts-of-result')
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => findOverflow(page)).toEqual([])
    }
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByRole('link', { name: 'Open the test' }).click()
    await page.getByRole('article').getByText('Automated test').waitFor()
    await expect.poll(readParts).toEqual(expected)
    await checkPage(page, 'parts-of-test')
  })
})
