import { makeConfigurations, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import type { Combination } from '@caseward/contract/combinations'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAs } from './open-as.ts'
import { checkPage } from './page-checks.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

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
  await makeConfigurations(server, project, {
    browser: ['Chrome', 'Firefox', 'Safari'].map((name) => name.toLowerCase()),
    system: ['windows', 'mac'],
  })
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
    // Nothing that is not saved looks as if it was.
    await page.context().setOffline(true)
    await page.getByRole('listbox', { name: 'Combinations' }).focus()
    await press(page, 'Home', 'Shift+P')
    await page.getByText(/^Not saved\./).waitFor()
    await waitForChosen(page, 'chrome Not tested')
    await page.context().setOffline(false)
    await page.getByRole('region', { name: 'Combinations' }).getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => getStatuses(run.id, 'WEB-2')).toEqual(['passed', 'not_tested', 'failed'])
  })

  it('makes no further request in a project without configurations', async () => {
    const project = await makeProject(server)
    await makeTestCases(server, project, 1)
    const run = await makeRun(server, project)
    const page = await browser.newPage()
    const requested: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    for (const path of [`/runs/${run.id}/execute`, `/projects/${project.id}/runs/new`, `/runs/${run.id}`]) {
      await openAs(page, server, project, path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
    expect(requested.filter((url) => /configuration|combination/.test(url))).toEqual([])
  })
})
