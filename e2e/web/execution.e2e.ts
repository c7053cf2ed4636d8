import { useSharedServer } from '@caseward/test-support/test-server'
import { makeUserWithPassword, PASSWORD } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { tabToElement } from './case-actions.ts'
import { getRowStatus, openExecution } from './execution-actions.ts'
import { joinProject } from './open-as.ts'
import { makeRunScenario, waitForCase, waitUntilSaved } from './run-scenario.ts'
import { useBrowser } from './use-browser.ts'

const server = useSharedServer()
const browser = useBrowser({ staysOpen: true })

describe('execution', () => {
  it('saves a status with one key and goes on; with Shift it stays, and U clears', async () => {
    const scenario = await makeRunScenario(server)
    const page = await openExecution(browser, server, scenario)
    await waitForCase(page, 1)
    for (const [index, key] of ['p', 'f', 'b', 'r'].entries()) {
      await page.keyboard.press(key)
      await waitForCase(page, index + 2)
    }
    await page.keyboard.press('Shift+P')
    await expect.poll(() => getRowStatus(page, 'WEB-5')).toBe('Passed')
    await waitForCase(page, 5)
    await waitUntilSaved(page)
    const statuses = await Promise.all(scenario.caseIds.map(async (id) => (await scenario.getResult(id)).status))
    expect(statuses).toEqual(['passed', 'failed', 'blocked', 'retest', 'passed', 'not_tested'])
    expect((await scenario.getResult('WEB-1')).note).toBeNull()
    expect(await page.locator('[aria-modal=true], [role=alertdialog]').count()).toBe(0)
    await page.keyboard.press('u')
    await expect.poll(async () => (await scenario.getResult('WEB-5')).status).toBe('not_tested')
  })

  it('sets several results with one key and one note, and undoes all of them', async () => {
    const scenario = await makeRunScenario(server)
    await scenario.setResult('WEB-2', { status: 'passed', note: 'It was fine' })
    const page = await openExecution(browser, server, scenario)
    await waitForCase(page, 1)
    await page.keyboard.press('x')
    await page.keyboard.press('Shift+J')
    await page.keyboard.press('Shift+J')
    await page.getByText('3 test cases selected').waitFor()
    await page.keyboard.press('n')
    await page.getByLabel('Note for all selected').fill('The test system is down')
    await page.keyboard.press('Escape')
    await page.keyboard.press('b')
    await waitUntilSaved(page)
    for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) {
      expect(await scenario.getResult(id)).toMatchObject({ status: 'blocked', note: 'The test system is down' })
    }
    await waitForCase(page, 4)
    await page.keyboard.press('Control+z')
    await expect
      .poll(async () => await scenario.getResult('WEB-2'))
      .toMatchObject({ status: 'passed', note: 'It was fine' })
    await expect.poll(async () => await scenario.getResult('WEB-1')).toMatchObject({ status: 'not_tested', note: null })
  })

  it('can be done with the keyboard only, from sign-in to the last test case and the completed run', async () => {
    const scenario = await makeRunScenario(server, 10)
    const page = await browser.newWindow()
    const user = await makeUserWithPassword(server)
    await joinProject(server, scenario.project, user, 'member')
    await page.goto(`${server.url}/runs/${scenario.runId}`)
    await tabToElement(page, page.getByLabel('Email address'))
    await page.keyboard.type(user.email)
    await tabToElement(page, page.getByLabel('Password'))
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Execute' }).waitFor()
    await page.keyboard.press('e')
    for (let number = 1; number <= 10; number += 1) {
      await waitForCase(page, number)
      await page.keyboard.press(number === 3 ? 'f' : 'p')
    }
    await page.getByText('Every test case of this run has a result').waitFor()
    await waitUntilSaved(page)
    const statuses = await Promise.all(scenario.caseIds.map(async (id) => (await scenario.getResult(id)).status))
    expect(statuses.filter((status) => status === 'passed')).toHaveLength(9)
    await tabToElement(page, page.getByRole('button', { name: 'Complete run' }))
    await page.keyboard.press('Enter')
    await page.getByText('This run is completed').waitFor()
  })
})
