import { describe, expect, it } from 'vitest'

import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeTokenInBrowser, makeUserWithPassword, openSignedInBrowser } from '@caseward/test-support/users'
import type { Page } from 'playwright-core'

import { openAsInstanceAdmin } from '../administration-scenario.ts'
import { failUntilTriedAgain } from '../fail-until-tried-again.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('the settings of the instance', () => {
  it('let only administrators create projects, and everybody again', async () => {
    const { token } = await makeActiveToken()
    const createProject = async () =>
      (await server.request('POST', '/v1/projects', { token, body: { name: 'Shop', prefix: 'SH' } })).status
    const page = await browser.newPage()
    await openAsInstanceAdmin(page, server, '/admin/settings')
    await page.getByText('Administrators only').click()
    await page.getByText('Saved').waitFor()
    expect(await createProject()).toBe(403)
    await page.reload()
    expect(await page.getByRole('radio', { name: 'Administrators only' }).isChecked()).toBe(true)
    await checkPage(page, 'instance-settings')
    await page.getByText('Everybody').click()
    await page.getByText('Saved').waitFor()
    expect(await createProject()).toBe(201)
  })

  it('say why they could not be loaded or saved', async () => {
    const page = await browser.newPage()
    const tryAgain = await failUntilTriedAgain(page, '**/v1/admin/settings')
    await openAsInstanceAdmin(page, server, '/admin/settings')
    await page.getByText('The settings could not be loaded.').waitFor()
    await tryAgain()
    await page.getByRole('radio', { name: 'Everybody' }).waitFor()
    await page.route('**/v1/admin/settings', (route) => route.abort())
    await page.getByText('Administrators only').click()
    await page.getByRole('alert').getByText('The server does not answer.').waitFor()
    expect(await page.getByRole('radio', { name: 'Everybody' }).isChecked()).toBe(true)
  })
})

describe('the limits of the instance', () => {
  const MAX_RUNS = 'Runs per project'
  const save = (page: Page) => page.getByRole('button', { name: 'Save limits' })
  const saved = (page: Page) => page.getByRole('form', { name: 'Limits' }).getByRole('status').getByText('Saved')

  it('refuse what exceeds them, until the field is empty again', async () => {
    const { id, admin } = await makeProject(server)
    const createRun = async () =>
      (await server.request('POST', `/v1/projects/${id}/runs`, { token: admin.token, body: { name: 'Smoke' } })).status
    expect(await createRun()).toBe(201)
    const page = await browser.newPage()
    await openAsInstanceAdmin(page, server, '/admin/settings')
    await page.getByLabel(MAX_RUNS).fill('1')
    await page.keyboard.press('Enter')
    await saved(page).waitFor()
    expect(await createRun()).toBe(422)
    await page.reload()
    expect(await page.getByLabel(MAX_RUNS).inputValue()).toBe('1')
    await page.getByLabel(MAX_RUNS).fill('')
    await save(page).click()
    await saved(page).waitFor()
    expect(await createRun()).toBe(201)
  })

  it('say what is not a limit, and are not saved', async () => {
    const page = await browser.newPage()
    await openAsInstanceAdmin(page, server, '/admin/settings')
    for (const text of ['0', '-1', '1.5', 'many', '1000000000']) {
      await page.getByLabel(MAX_RUNS).fill(text)
      await page.getByText('Enter a whole number from 1').waitFor()
      expect(await save(page).isDisabled()).toBe(true)
    }
    await checkPage(page, 'instance-settings-wrong-limit')
    await page.getByLabel(MAX_RUNS).fill('999999999')
    expect(await save(page).isEnabled()).toBe(true)
  })

  it('say why they could not be saved', async () => {
    const page = await browser.newPage()
    await openAsInstanceAdmin(page, server, '/admin/settings')
    await page.getByLabel(MAX_RUNS).fill('5')
    await page.route('**/v1/admin/settings', (route) => route.abort())
    await save(page).click()
    await page.getByRole('alert').getByText('The server does not answer.').waitFor()
    expect(await page.getByLabel(MAX_RUNS).inputValue()).toBe('5')
  })
})

async function makeActiveToken() {
  const { email } = await makeUserWithPassword(server)
  return await makeTokenInBrowser(await openSignedInBrowser(server, email))
}
