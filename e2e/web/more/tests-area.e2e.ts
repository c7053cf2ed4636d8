import { declare, digest, sendContent } from '@caseward/test-support/declared-files'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest } from '@caseward/test-support/tests-scenario'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { expectFocus } from '../case-actions.ts'
import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { drawPicture } from '../test-files.ts'
import { getTestPanel, getTestRow, LONG_TITLE, makeTestsArea, selectTest, showResults } from '../tests-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const getLine = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

describe('the tests of a run', () => {
  it('are listed with their attempts, durations and test cases, and filtered in the URL', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, `/runs/${area.run.id}`)
    await page.getByRole('link', { name: /^Tests\s*5$/ }).click()
    await getLine(page, '5 automated tests').waitFor()
    const flaky = getTestRow(page, 'removes an item')
    await flaky.getByRole('img', { name: 'Attempts: failed, failed, passed' }).waitFor()
    await expect.poll(() => flaky.innerText()).toMatch(/3 attempts\s*flaky\s*300 ms\s*now/)
    await getTestRow(page, 'adds an item').getByText('WEB-1').waitFor()
    await expect.poll(() => page.title()).toBe('Tests of build 1 · Web shop · Caseward')

    await page.getByRole('link', { name: '4 tests without a test case: 3 passed, 1 failed' }).click()
    await getLine(page, '4 automated tests match no test case').waitFor()
    await page.getByLabel('Outcome').selectOption('Flaky')
    await getLine(page, '1 flaky test matches no test case').waitFor()
    await page.keyboard.press('/')
    await page.getByLabel('Search tests').fill('card')
    await page.getByRole('heading', { name: 'No test matches the filter' }).waitFor()
    await page.getByLabel('Outcome').selectOption('Failed')
    await getTestRow(page, 'pays by card').waitFor()
    await page.waitForURL((url) => url.search === '?match=unmatched&outcome=failed&q=card')
    await page.reload()
    await getTestRow(page, 'pays by card').waitFor()
    await page.getByRole('link', { name: '2 flaky' }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
  })

  it('are opened with their attempts, messages and details, and closed by Escape', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path)
    await getTestRow(page, 'removes an item').focus()
    await page.keyboard.press('Enter')
    const panel = getTestPanel(page)
    await panel.getByRole('listitem').nth(2).waitFor()
    await expect
      .poll(async () => (await panel.getByRole('listitem').allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ')))
      .toEqual([
        '1 Failed 100 ms Cart > removes an item is wrong Details',
        '2 Failed 100 ms Cart > removes an item is wrong Details',
        '3 Passed 100 ms',
      ])
    await panel.getByText('Details').first().click()
    await panel.getByText('at Cart > removes an item').first().waitFor()
    await page.reload()
    await panel.getByText('3 attempts').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
  })

  it('show the files of each attempt, those that are on their way, and open them in the viewer', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    const picture = await drawPicture(page, '#b42318')
    const attempts = [
      { status: 'failed', message: 'The page stays empty', attachments: [declare('empty.png', picture)] },
      { status: 'failed', message: 'Timed out', attachments: [declare('video.webm', 'not sent yet')] },
    ]
    await area.upload([makeTest('Cart > pays with files', [], { attempts: attempts as never })])
    await sendContent(server, `/v1/runs/${area.run.id}/files/${digest(picture)}`, picture, { token: area.ci })
    await openAs(page, server, area.project, area.path)
    await getTestRow(page, 'pays with files').click()
    const panel = getTestPanel(page)
    const first = panel.getByRole('listitem').filter({ hasText: 'The page stays empty' }).first()
    const image = first.getByRole('button', { name: 'Open empty.png' }).locator('img')
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBeGreaterThan(0)
    await panel.getByRole('listitem').filter({ hasText: 'Timed out' }).getByText('On its way since').waitFor()
    await checkPage(page, 'tests files')
    await image.click()
    await page.getByRole('dialog', { name: 'Viewer' }).getByText('empty.png').first().waitFor()
    await page.keyboard.press('Escape')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Open empty.png')
  })

  it('get test cases by keyboard only, which the rows then show', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, `${area.path}?match=unmatched`)
    // The failed test comes first.
    await selectTest(page, 'pays by card')
    await page.keyboard.press('Shift+J')
    await getLine(page, '2 selected').waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'Create test cases for 2 tests' }).waitFor()
    await expectFocus(page, 'Folder')
    await page.keyboard.press('Enter')
    await page.getByText('2 test cases created').waitFor()
    await getLine(page, '2 automated tests match no test case').waitFor()
    expect(await getTestRow(page, 'removes an item').count()).toBe(0)
    await page.getByRole('combobox', { name: 'Test case' }).selectOption('All tests')
    await getTestRow(page, 'pays by card').getByText('WEB-5').waitFor()
  })

  it('get test cases all at once, in a folder', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    const folder = { token: area.token, body: { name: 'Automation' } }
    await server.request('POST', `/v1/projects/${area.project.id}/folders`, folder)
    await openAs(page, server, area.project, area.path)
    await page.getByRole('button', { name: /^Make test cases of these/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Create test cases for all 4 tests' })
    await dialog.getByRole('option', { name: 'Automation' }).click()
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    // Two tests differ only in their variant.
    await page.getByText('3 test cases created').waitFor()
    await page.getByText(/^4 tests without/).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Make test cases of these/ }).waitFor({ state: 'detached' })
    const { data } = await area.listTests('linked=true')
    expect(data.map(({ test_case_ids }) => test_case_ids)).toEqual([
      ['WEB-1'],
      ['WEB-4'],
      ['WEB-5'],
      ['WEB-6'],
      ['WEB-6'],
    ])
  })

  it('are linked to a test case that is found by its title or id, and the link can be undone and removed', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path)
    await selectTest(page, 'removes an item')
    await selectTest(page, 'pays by card')
    await page.keyboard.press('l')
    const dialog = page.getByRole('dialog', { name: 'Link 2 tests to a test case' })
    await dialog.getByRole('option', { name: /WEB-3/ }).waitFor()
    await page.keyboard.type('by card')
    await dialog.getByRole('option', { name: /WEB-3/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('2 tests linked to WEB-2').waitFor()
    await getTestRow(page, 'pays by card').getByText('WEB-2').waitFor()
    await page.getByRole('button', { name: /^Undo/ }).click()
    await getTestRow(page, 'pays by card').getByText('WEB-2').waitFor({ state: 'detached' })
    await expect.poll(async () => (await area.listTests('linked=true')).data.length).toBe(1)

    await getTestRow(page, 'pays by card').click()
    await getTestPanel(page).getByRole('button', { name: 'Link to a test case' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('web-3')
    await page.getByRole('option', { name: /WEB-3/ }).click()
    await page.getByRole('button', { name: 'Link to WEB-3' }).click()
    await getTestPanel(page).getByText('A guest pays by invoice').waitFor()
    await getTestPanel(page).getByText('Linked by hand').waitFor()
    await getTestPanel(page).getByRole('button', { name: 'Remove link' }).click()
    await getTestPanel(page).getByText('This test matches no test case.').waitFor()
    await page.keyboard.press('Control+z')
    await getTestPanel(page).getByText('A guest pays by invoice').waitFor()
  })

  it('report to the linked test case from the next upload on', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, `${area.path}?q=removes`)
    await getTestRow(page, 'removes an item').focus()
    await page.keyboard.press('l')
    await page.getByRole('option', { name: /WEB-2/ }).click()
    await page.keyboard.press('Enter')
    await page.getByText('Linked to WEB-2').waitFor()
    const next = await area.makeRunByKey('build 2')
    await area.upload([makeTest('Cart > removes an item', ['failed'])], { run_id: next.id })
    await follow(page, `/runs/${next.id}`)
    // A run of CI with failures opens on them.
    await showResults(page)
    await page.getByRole('row').filter({ hasText: 'WEB-2' }).getByRole('img', { name: 'Failed' }).waitFor()
  })

  it('that were renamed are linked to the test case that is suggested', async () => {
    const area = await makeTestsArea(server)
    const next = await area.makeRunByKey('build 2')
    await area.upload([makeTest('Cart > the basket adds an item now')], { run_id: next.id })
    const page = await browser.newPage()
    await openAs(page, server, area.project, `/runs/${next.id}/tests`)
    await getTestRow(page, 'adds an item now').click()
    const panel = getTestPanel(page)
    await panel.getByText('Was this renamed?').waitFor()
    await panel.getByRole('button', { name: 'Link to WEB-1' }).click()
    await panel.getByText('Linked by hand').waitFor()
    await page.getByText('Linked to WEB-1').waitFor()
  })

  it('appear while CI uploads them, with the counts of the run', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path)
    await page.getByText('Live', { exact: true }).waitFor()
    await getLine(page, '5 automated tests').waitFor()
    await area.upload([makeTest('Cart > is empty', ['failed', 'passed'])], { shard: '2' })
    await getTestRow(page, 'is empty').waitFor()
    await page.getByRole('link', { name: '3 flaky' }).waitFor()
    await page.getByRole('link', { name: /^5 tests without a test case/ }).waitFor()
    await getLine(page, '6 automated tests').waitFor()
  })
})

describe('the tests of a project', () => {
  it('are in the navigation, with their latest outcome and all runs', async () => {
    const area = await makeTestsArea(server)
    const next = await area.makeRunByKey('build 2')
    await area.upload([makeTest('Cart > removes an item', ['passed'])], { run_id: next.id })
    const page = await browser.newPage()
    await openAs(page, server, area.project, `/projects/${area.project.id}/runs`)
    await page
      .getByRole('row')
      .filter({ hasText: 'build 1' })
      .getByTitle(/, 2 flaky/)
      .waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.waitForURL(server.url + area.projectPath)
    const rail = page.getByRole('navigation', { name: 'Project' })
    await rail.getByRole('link', { name: 'Tests' }).and(page.locator('[aria-current=page]')).waitFor()
    await getLine(page, '5 automated tests').waitFor()
    await getTestRow(page, 'removes an item').getByText('build 2').waitFor()
    await getTestRow(page, 'removes an item').focus()
    await page.keyboard.press('o')
    const panel = getTestPanel(page)
    await panel.getByRole('heading', { name: 'Attempt in build 2' }).waitFor()
    await panel.getByRole('link', { name: 'build 1' }).click()
    await page.waitForURL((url) => url.pathname === area.path)
    await panel.getByText('3 attempts').waitFor()
  })

  it('show a name of 200 characters whole in the panel', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, `${area.projectPath}?q=basket`)
    await getTestRow(page, 'firefox').click()
    await getTestPanel(page).getByRole('heading', { name: LONG_TITLE.trim() }).waitFor()
    await getTestPanel(page).getByText('firefox').waitFor()
  })
})

describe('automated tests elsewhere', () => {
  it('are in the panel of a result, in execution, and in the panel of a test case', async () => {
    const area = await makeTestsArea(server)
    const page = await browser.newPage()
    await openAs(page, server, area.project, `/runs/${area.run.id}/failures`)
    await showResults(page)
    await page.getByText('The basket adds an item', { exact: true }).click()
    const tests = page.getByRole('region', { name: 'Automated tests' })
    await tests.getByRole('img', { name: 'Attempts: failed, passed' }).waitFor()
    await tests.getByText('Cart > adds an item is wrong').waitFor()
    await page.getByRole('link', { name: 'Open in execution' }).click()
    await tests.getByText('Cart > adds an item is wrong').waitFor()
    await follow(page, `/projects/${area.project.id}/cases?case=WEB-1`)
    await page.getByRole('link', { name: 'Automated tests' }).click()
    await page.getByRole('link', { name: 'src/cart.test.ts › Cart › adds an item' }).click()
    await page.waitForURL((url) => url.pathname === area.projectPath)
    await getTestPanel(page).getByText('WEB-1').waitFor()
  })
})
