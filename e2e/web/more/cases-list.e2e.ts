import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { type CaseScenario, getPanel, getRow, makeCaseScenario, makeRunWithResult } from '../case-scenario.ts'
import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { follow } from '../follow.ts'
import { openAs } from '../open-as.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function openScenario(query = '', role: 'member' | 'viewer' = 'member') {
  const scenario: CaseScenario = await makeCaseScenario(server)
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, scenario.path + query, role)
  return { page, scenario }
}

describe('the list of test cases', () => {
  it('shows the test cases in the order of the folders, with their latest results', async () => {
    const { page, scenario } = await openScenario()
    await getRow(page, 'WEB-1').waitFor()
    const ids = await page
      .getByRole('row')
      .evaluateAll((rows) => rows.map((row) => /WEB-\d+/.exec(row.textContent)?.[0]))
    expect(ids).toEqual([undefined, ...(await scenario.readOrder())])
    await expect.poll(() => page.title()).toBe('Cases · Web shop · Caseward')
    await makeRunWithResult(server, scenario, 'failed')
    await page.reload()
    await getRow(page, 'WEB-1').getByRole('img', { name: 'Latest results, newest first: failed' }).waitFor()
  })

  it('keeps folder, search, filters, order and the open test case in the URL', async () => {
    const { page, scenario } = await openScenario()
    await page.getByRole('treeitem', { name: /Checkout/ }).click()
    await getRow(page, 'WEB-5').waitFor({ state: 'detached' })
    await page.getByRole('searchbox').fill('a')
    await page.getByRole('button', { name: 'Priority', exact: true }).first().click()
    await page.getByRole('menuitemcheckbox', { name: /High/ }).click()
    await page.getByRole('menuitemcheckbox', { name: /Critical/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Title' }).click()
    await getRow(page, 'WEB-2').click()
    await getPanel(page).getByRole('textbox', { name: 'Title' }).waitFor()
    const url = new URL(page.url())
    expect(url.search).toBe(
      `?folder=${scenario.folders.checkout}&q=a&priority=critical&priority=high&sort=title&case=WEB-2`,
    )
    await page.reload()
    await getPanel(page).getByRole('textbox', { name: 'Title' }).waitFor()
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
    await page.goBack()
    await getPanel(page).waitFor({ state: 'detached' })
    await page.goBack()
    await getRow(page, 'WEB-6').waitFor()
  })

  it('opens another test case in the panel by a click, and by [ and ]', async () => {
    const { page } = await openScenario()
    const title = getPanel(page).getByRole('textbox', { name: 'Title' })
    await getRow(page, 'WEB-3').click()
    await expect.poll(() => title.inputValue()).toBe('A voucher lowers the price')
    await getRow(page, 'WEB-1').click()
    await expect.poll(() => title.inputValue()).toBe('A customer pays by card')
    await page.keyboard.press('[')
    await expect.poll(() => title.inputValue()).toBe('The basket survives a sign-in')
    await page.keyboard.press(']')
    await expect.poll(() => title.inputValue()).toBe('A customer pays by card')
    await page.keyboard.press('Escape')
    await getPanel(page).waitFor({ state: 'detached' })
  })

  it('selects everything that the filter shows with the checkbox in the head', async () => {
    const { page } = await openScenario('?tag=smoke')
    await page.getByRole('checkbox', { name: 'Select all' }).click()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await getRow(page, 'WEB-6').waitFor()
    await expect.poll(() => page.getByRole('row', { selected: true }).count()).toBe(2)
  })

  it('moves, selects and opens by keyboard alone, also when the focus is elsewhere', async () => {
    const { page } = await openScenario()
    await getRow(page, 'WEB-3').waitFor()
    for (const key of ['j', 'x', 'Shift+J', 'j', 'o']) await page.keyboard.press(key)
    await page.getByText('2 selected').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('case')).toBe('WEB-2')
  })

  it('does nothing for single letters when they are switched off', async () => {
    const { page } = await openScenario()
    await page.evaluate(`localStorage.setItem('caseward:preferences', '{"singleLetterKeys":false}')`)
    await page.reload()
    await getRow(page, 'WEB-3').click()
    await getPanel(page).waitFor()
    for (const key of ['c', 'm', 't', '1', 'x']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('case')).toBe('WEB-3')
    expect(await page.getByRole('row', { selected: true }).count()).toBe(0)
  })

  it('shows what other users change, create and delete', async () => {
    const { page, scenario } = await openScenario()
    await getRow(page, 'WEB-1').waitFor()
    const { token } = scenario.project.admin
    await expect
      .poll(async () => {
        await scenario.changeAsOther('WEB-1', { title: `Paid at ${Date.now()}` })
        return await getRow(page, 'WEB-1').textContent()
      })
      .toContain('Paid at')
    await makeTestCase(server, scenario.project, { title: 'Created meanwhile' })
    await page.getByText('Created meanwhile').waitFor()
    await server.request('DELETE', `/v1/projects/${scenario.project.id}/test-cases/WEB-5`, { token })
    await getRow(page, 'WEB-5').waitFor({ state: 'detached' })
  })

  it('offers a viewer nothing to change', async () => {
    const { page } = await openScenario('?case=WEB-1', 'viewer')
    await page.getByRole('heading', { name: 'A customer pays by card' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    for (const name of [/New/, /Edit/, /Add/, /Delete/])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    for (const key of ['c', 'm', '1', 'Delete']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('says what to do when there is no test case, and when none matches', async () => {
    const project = await makeProject(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/cases`)
    await page.getByRole('heading', { name: 'No test cases yet' }).waitFor()
    await page.getByRole('searchbox').fill('nothing like this')
    await page.getByRole('heading', { name: 'No test case matches' }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=nothing+like+this')
    await page.getByRole('button', { name: 'Clear the filters' }).click()
    await page.getByRole('heading', { name: 'No test cases yet' }).waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('keeps the list while the server does not answer, and says so', async () => {
    const { page } = await openScenario()
    await getRow(page, 'WEB-1').waitFor()
    const tryAgain = await failUntilTriedAgain(page, '**/v1/projects/**')
    await page.getByRole('treeitem', { name: /Account/ }).click()
    await getRow(page, 'WEB-5').click()
    await page.getByText('The test case could not be opened.').waitFor()
    await tryAgain(getPanel(page).getByRole('button', { name: 'Try again' }))
    await getPanel(page).getByRole('textbox', { name: 'Title' }).waitFor()
    await expect.poll(() => getRow(page, 'WEB-5').count()).toBe(1)
  })

  it('says that a project does not exist', async () => {
    const { page } = await openScenario()
    await follow(page, '/projects/01900000-0000-7000-8000-000000000000/cases')
    await page.getByText('This project does not exist').waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
  })
})
