import { makeConfigurations, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import type { Combination } from '@caseward/contract/combinations'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeMember } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
/** The chosen combination: its name and status. */
const getChosen = (page: Page) =>
  page.getByRole('listbox', { name: 'Combinations' }).getByRole('option', { selected: true }).innerText()
async function waitForChosen(page: Page, words: string): Promise<void> {
  await expect.poll(async () => (await getChosen(page)).replaceAll(/\s+/g, ' ')).toBe(words)
}

async function makeScenario() {
  const project = await makeProject(server)
  await makeTestCases(server, project, 4)
  await makeConfigurations(server, project, { browser: ['chrome', 'firefox', 'safari'], system: ['windows', 'mac'] })
  const { token } = project.admin
  const getStatuses = async (runId: string, id: string) => {
    const path = `/v1/runs/${runId}/results/${id}/combinations`
    const { body } = await server.request<{ data: Combination[] }>('GET', path, { token })
    return body.data.map(({ status }) => status)
  }
  return { project, token, getStatuses }
}

describe('the settings of configurations', () => {
  it('add, change, order, retire and delete configurations', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/settings/configurations`, 'admin')
    await page.getByText('No configurations yet').waitFor()
    await checkPage(page, 'configurations-empty')
    await page.getByRole('button', { name: 'Add configuration' }).click()
    await page.getByLabel('Name of the group').fill('Browser')
    await page.getByLabel('Name', { exact: true }).fill('Chrome')
    await page.getByLabel('Variants of automated tests').fill('chromium; Google Chrome*')
    await checkPage(page, 'configurations-dialog')
    await page.keyboard.press('Enter')
    await page.getByText('Automated tests: chromium · Google Chrome*').waitFor()
    for (const name of [
      'Firefox',
      'A browser with a very long name that someone has copied from the page of its vendor',
    ]) {
      await page.getByRole('button', { name: 'Add configuration' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `Edit ${name}` }).waitFor()
    }
    await page.getByRole('button', { name: 'Move Firefox up' }).click()
    await page.getByRole('button', { name: 'Move Firefox up', disabled: true }).waitFor()
    await page.getByRole('button', { name: 'Add configuration' }).click()
    await page.getByLabel('Name', { exact: true }).fill('firefox')
    await page.keyboard.press('Enter')
    await page.getByText('is the name of another configuration of this group').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Retire Chrome' }).click()
    await page.getByRole('button', { name: 'Use again: Chrome' }).waitFor()
    await checkPage(page, 'configurations-list')
    await page.getByRole('button', { name: 'Delete Chrome' }).click()
    await page.getByRole('button', { name: 'Delete configuration' }).click()
    await page.getByRole('button', { name: 'Delete Chrome' }).waitFor({ state: 'detached' })
  })
})

describe('a run with configurations', () => {
  it('is started with what is chosen, and the number says how many results that makes', async () => {
    const { project, token } = await makeScenario()
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/runs/new`)
    for (const name of ['chrome', 'firefox', 'windows', 'mac']) await page.getByRole('checkbox', { name }).check()
    await page.getByText('4 test cases × 4 = 16').waitFor()
    await checkPage(page, 'new-run-configurations')
    await page.reload()
    await page.getByText('4 test cases × 4 = 16').waitFor()
    await page.getByRole('button', { name: 'Start run' }).click()
    const bars = page.getByRole('list', { name: 'Configurations' })
    await bars.getByText('firefox, mac').waitFor()
    expect(await bars.getByRole('listitem').count()).toBe(4)
    const [runId = ''] = /[0-9a-f-]{36}/.exec(page.url()) ?? []
    for (const status of ['failed', 'passed']) {
      const path = `/v1/runs/${runId}/results/WEB-2/combinations/3`
      await server.request('PUT', path, { token, body: { status, note: `It is ${status}` } })
    }
    await page.getByText('Case 2').click()
    await page.getByRole('list', { name: 'Combinations' }).getByText('It is passed').waitFor()
    await page.getByText('1 earlier result in this run').click()
    await page.getByRole('list', { name: 'Combinations of the earlier result' }).getByText('It is failed').waitFor()
    await checkPage(page, 'run-result-combinations')
    await page.keyboard.press('Escape')
    await page
      .getByRole('img', { name: 'Combinations: not tested, not tested, not tested, not tested' })
      .first()
      .waitFor()
    await checkPage(page, 'run-configurations')
  })

  it('is executed by keyboard, one combination after another', async () => {
    const { project, token, getStatuses } = await makeScenario()
    const run = await makeRun(server, project, {
      configurations: { groups: { browser: ['chrome', 'firefox', 'safari'] } },
    })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}/execute`)
    await waitForChosen(page, 'chrome Not tested')
    await press(page, 'p')
    await waitForChosen(page, 'firefox Not tested')
    await page.getByLabel('Note of firefox').fill('Blank page')
    await page.getByRole('listbox', { name: 'Combinations' }).focus()
    await press(page, 'Shift+F')
    await waitForChosen(page, 'firefox Failed')
    await expect.poll(() => getStatuses(run.id, 'WEB-1')).toEqual(['passed', 'failed', 'not_tested'])
    await checkPage(page, 'execution-combinations')
    await press(page, 'ArrowDown')
    await waitForChosen(page, 'safari Not tested')
    // The last one leads to the next test case.
    await press(page, 'b')
    await page.getByRole('heading', { level: 1, name: /2/ }).waitFor()
    await waitForChosen(page, 'chrome Not tested')
    await expect.poll(() => getStatuses(run.id, 'WEB-1')).toEqual(['passed', 'failed', 'blocked'])
    // It can be undone, as other results.
    await press(page, 'Control+z')
    await expect.poll(() => getStatuses(run.id, 'WEB-1')).toEqual(['passed', 'failed', 'not_tested'])
    await page.getByRole('heading', { level: 1, name: /1/ }).waitFor()
    await press(page, 'j')
    await waitForChosen(page, 'chrome Not tested')
    await press(page, 'Shift+S')
    await page.getByRole('option', { name: /All 3 together/, selected: true }).waitFor()
    await press(page, 'Shift+P')
    await expect.poll(() => getStatuses(run.id, 'WEB-2')).toEqual(['passed', 'passed', 'passed'])
    await press(page, 'Control+z')
    await expect.poll(() => getStatuses(run.id, 'WEB-2')).toEqual(['not_tested', 'not_tested', 'not_tested'])
    // What someone else sets appears.
    const path = `/v1/runs/${run.id}/results/WEB-2/combinations/3`
    await server.request('PUT', path, { token, body: { status: 'failed' } })
    await page.getByRole('listbox', { name: 'Combinations' }).getByText('Failed').waitFor()
  })

  it('loses nothing offline and on a reload, and shows conflicts', async () => {
    const { project, token, getStatuses } = await makeScenario()
    const run = await makeRun(server, project, { configurations: { groups: { browser: ['chrome', 'firefox'] } } })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}/execute`)
    await waitForChosen(page, 'chrome Not tested')
    await page.context().setOffline(true)
    await press(page, 'p')
    await waitForChosen(page, 'firefox Not tested')
    await page.getByLabel('Note of firefox').fill('Blank page')
    await page.getByRole('listbox', { name: 'Combinations' }).focus()
    await press(page, 'f')
    // The next test cases are there, too, also those that were never read.
    for (const number of [2, 3]) {
      await page.getByRole('heading', { level: 1, name: `Case ${number}` }).waitFor()
      await waitForChosen(page, 'chrome Not tested')
      await press(page, 'p', 'b')
    }
    await page.getByRole('heading', { level: 1, name: 'Case 4' }).waitFor()
    // Not sent yet, and typed only.
    await waitForChosen(page, 'chrome Not tested')
    await page.getByLabel('Note of chrome').fill('A half sentence')
    const list = page.getByRole('listbox', { name: 'Test cases' })
    await list.getByRole('option', { name: /WEB-1/ }).getByRole('img', { name: 'Failed', exact: true }).waitFor()
    await list.getByRole('option', { name: /WEB-3/ }).getByRole('img', { name: 'Blocked', exact: true }).waitFor()
    await page.getByText(/\(6 waiting\)/).waitFor()
    await checkPage(page, 'execution-combinations-offline')
    expect(await getStatuses(run.id, 'WEB-1')).toEqual(['not_tested', 'not_tested'])
    // Meanwhile, someone else has tested one of them.
    const path = `/v1/runs/${run.id}/results/WEB-2/combinations/2`
    const other = await makeMember(server, project.id, 'member')
    await server.request('PUT', path, { token: other.token, body: { status: 'failed', note: 'It hangs' } })
    await page.context().setOffline(false)
    await page.reload()
    await expect.poll(() => getStatuses(run.id, 'WEB-3')).toEqual(['passed', 'blocked'])
    expect(await getStatuses(run.id, 'WEB-1')).toEqual(['passed', 'failed'])
    expect(await getStatuses(run.id, 'WEB-2')).toEqual(['passed', 'failed'])
    expect(await page.getByLabel('Note of chrome').inputValue()).toBe('A half sentence')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const conflict = page.getByRole('region', { name: 'Two results' })
    await conflict.getByText('It hangs').waitFor()
    // The result follows from what the other one has set.
    await list.getByRole('option', { name: /WEB-2/ }).getByRole('img', { name: 'Failed', exact: true }).waitFor()
    await checkPage(page, 'execution-combinations-conflict')
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await expect.poll(() => getStatuses(run.id, 'WEB-2')).toEqual(['passed', 'blocked'])
    // Setting all, and taking that back, restores what each was. A note of the whole result changes none of them.
    await page.getByRole('listbox', { name: 'Combinations' }).focus()
    await press(page, 'Shift+S', 'Shift+P')
    await expect.poll(() => getStatuses(run.id, 'WEB-2')).toEqual(['passed', 'passed'])
    await press(page, 'Control+z')
    await expect.poll(() => getStatuses(run.id, 'WEB-2')).toEqual(['passed', 'blocked'])
    await page.getByLabel('Note', { exact: true }).fill('Looked at twice')
    await press(page, 'Control+Enter')
    const readNote = async () =>
      (await server.request<{ data: { note: string } }>('GET', `/v1/runs/${run.id}/results/WEB-2`, { token })).body.data
    await expect.poll(async () => (await readNote()).note).toBe('Looked at twice')
    expect(await getStatuses(run.id, 'WEB-2')).toEqual(['passed', 'blocked'])
  })

  it('is shown as a matrix, filtered and assigned by configuration', async () => {
    const { project, token } = await makeScenario()
    const run = await makeRun(server, project, {
      configurations: { groups: { browser: ['chrome', 'firefox', 'safari'], system: ['windows', 'mac'] } },
    })
    const set = async (id: string, place: number, status: string) =>
      await server.request('PUT', `/v1/runs/${run.id}/results/${id}/combinations/${place}`, { token, body: { status } })
    await set('WEB-2', 3, 'failed')
    await set('WEB-3', 4, 'passed')
    await server.request('DELETE', `/v1/runs/${run.id}/results/WEB-4/combinations/6`, { token })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}`)
    await page.getByText('Matrix', { exact: true }).click()
    const matrix = page.getByRole('grid', { name: 'Results by configuration' })
    await matrix.getByRole('columnheader', { name: 'safari, mac' }).waitFor()
    expect(await matrix.getByRole('row').count()).toBe(5)
    const row = matrix.getByRole('row').filter({ hasText: 'WEB-2' })
    await row.getByRole('img', { name: 'Failed' }).nth(1).waitFor()
    await matrix.getByRole('img', { name: 'Not tested with it' }).waitFor()
    await checkPage(page, 'run-matrix')
    // By keyboard: the third configuration of the second test case.
    await row.getByRole('rowheader').click()
    await page.getByRole('article', { name: 'Case 2' }).waitFor()
    await row.getByRole('rowheader').focus()
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('combination')).toBe('3')
    const opened = page.getByRole('list', { name: 'Combinations' }).locator('[aria-current]')
    await opened.getByText('firefox, windows').waitFor()
    // What someone else sets appears.
    await set('WEB-2', 3, 'blocked')
    await row.getByRole('img', { name: 'Blocked' }).nth(1).waitFor()
    await page.getByRole('link', { name: 'Open in execution' }).click()
    await waitForChosen(page, 'firefox, windows Blocked')

    await page.goBack()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Configuration: any' }).click()
    await page.getByRole('menuitemradio', { name: 'firefox, mac' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => matrix.getByRole('columnheader').count()).toBe(2)
    await page.getByRole('button', { name: 'Status of a combination: any' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Passed' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => matrix.getByRole('row').count()).toBe(2)
    await matrix.getByText('WEB-3').waitFor()
    await page.reload()
    await matrix.getByText('WEB-3').waitFor()
    expect(await matrix.getByRole('row').count()).toBe(2)

    // Two of the configurations of all test cases are mine.
    await page.goto(`${server.url}/runs/${run.id}`)
    const results = page.getByRole('grid', { name: 'Results' })
    await results.getByText('Case 1').waitFor()
    await results.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    const dialog = page.getByRole('dialog')
    for (const name of ['chrome, mac', 'safari, mac']) await dialog.getByRole('checkbox', { name }).check()
    await dialog.getByRole('checkbox', { name: /\(you\)/ }).check()
    await checkPage(page, 'run-assign-combinations')
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByText('7 combinations assigned to').waitFor()
    const path = `/v1/runs/${run.id}/combinations?assigned_to=nobody`
    const { body } = await server.request<{ data: Combination[] }>('GET', path, { token })
    expect(body.data).toHaveLength(16)
    await follow(page, '/work')
    await page.getByText('7 to test').waitFor()
    await page.getByRole('link', { name: 'Execute' }).click()
    // Mine alone follow one another.
    for (const name of ['chrome, mac', 'safari, mac', 'chrome, mac']) {
      await waitForChosen(page, `${name} Yours Not tested`)
      await press(page, 'p')
    }
    expect(await page.getByRole('listbox', { name: 'Test cases' }).getByRole('option').count()).toBe(4)
  })

  it('makes no further request in a project without configurations', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 1)
    const run = await makeRun(server, project)
    const page = await browser.newWindow()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    for (const path of [`/runs/${run.id}/execute`, `/projects/${project.id}/runs/new`, `/runs/${run.id}`]) {
      await openAs(page, server, project, path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
    expect(requested.filter((url) => /configuration|combination/.test(url))).toEqual([])
  })
})
