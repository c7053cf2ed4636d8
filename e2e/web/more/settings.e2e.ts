import { makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

async function openSettings(section: string, role: 'admin' | 'member' | 'viewer' = 'admin') {
  const project = await makeProject(server)
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/settings/${section}`, role)
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
  const { token } = project.admin
  return { project, page, token, path: `/v1/projects/${project.id}` }
}

/** Creates a CI token by keyboard. @returns its secret */
async function createToken(page: Page, name: string): Promise<string> {
  await page.keyboard.press('c')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Token “${name}”` })
  const field = dialog.getByLabel('Token', { exact: true })
  await field.waitFor()
  const secret = await field.inputValue()
  // It is selected, so that Ctrl+C copies it.
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(secret)
  return secret
}

describe('the settings of a project', () => {
  it('change its name, which appears in the header and in the title, and its description', async () => {
    const { page, path, token } = await openSettings('general')
    await checkPage(page, 'settings-general')
    await page.getByLabel('Name', { exact: true }).fill('Web shop 2')
    await page.getByLabel('Description').fill('Everything a customer sees')
    await page.getByLabel('Name', { exact: true }).press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('banner').getByText('Web shop 2').waitFor()
    expect(await page.title()).toBe('General · Settings · Web shop 2 · Caseward')
    const { body } = await server.request<{ data: object }>('GET', path, { token })
    expect(body.data).toMatchObject({ name: 'Web shop 2', description: 'Everything a customer sees' })
    await page.getByLabel('Name', { exact: true }).fill(' ')
    await page.getByText('Enter a name.').waitFor()
  })

  it('say when a run of CI completes by itself: after minutes, at once or never', async () => {
    const { page, path, token } = await openSettings('general')
    const field = page.getByLabel('Complete after minutes without a report')
    await expect.poll(() => field.inputValue()).toBe('30')
    for (const [text, minutes] of [
      ['0', 0],
      ['', null],
      [' 90 ', 90],
    ] as const) {
      await field.fill(text)
      await field.press('Enter')
      await page.getByText('Settings of runs saved').waitFor()
      const { body } = await server.request<{ data: object }>('GET', `${path}/run-settings`, { token })
      expect(body.data).toMatchObject({ complete_after_minutes: minutes, equal_names: 'tests' })
    }
    await field.fill('10081')
    await page.getByText('Enter whole minutes from 0 to 10,080').waitFor()
    await page.reload()
    await expect.poll(() => field.inputValue()).toBe('90')
  })

  it('say what equal names in a report are, what steps decide, and how long files are kept, and export the project', async () => {
    const { page, path, token } = await openSettings('general')
    await page.getByLabel('Equal names in one suite of a report').selectOption('Attempts at one test')
    await page.getByRole('button', { name: 'Save runs of CI' }).click()
    await page.getByText('Settings of runs saved').waitFor()
    const readSettings = async () =>
      (await server.request<{ data: object }>('GET', `${path}/run-settings`, { token })).body.data
    const saved = { complete_after_minutes: 30, equal_names: 'attempts' }
    expect(await readSettings()).toMatchObject({ ...saved, steps_decide: 'suggest' })
    await page.getByLabel('The status of a result with steps').selectOption('Follows from the steps')
    await expect.poll(readSettings).toMatchObject({ ...saved, steps_decide: 'derive' })
    await page.getByRole('region', { name: 'Steps' }).getByText('Saved').waitFor()
    const files = page.getByRole('region', { name: 'Files' })
    await files.getByText('No files yet.').waitFor()
    const days = files.getByLabel('Remove files of completed runs after days')
    await days.fill('0')
    await files.getByText('Enter whole days from 1 to 3,650, or nothing.').waitFor()
    await days.fill('30')
    await days.press('Enter')
    await files.getByText('Saved').waitFor()
    expect(await readSettings()).toMatchObject({ ...saved, steps_decide: 'derive', keep_run_files_days: 30 })
    const [bundle] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the project' }).click(),
    ])
    expect(bundle.suggestedFilename()).toMatch(/\.caseward\.zip$/)
  })

  it('are for admins only', async () => {
    const { page, project } = await openSettings('general', 'member')
    await page.getByRole('heading', { name: 'Only admins of the project see its settings' }).waitFor()
    expect(await page.getByRole('navigation', { name: 'Project' }).getByText('Settings').count()).toBe(0)
    await checkPage(page, 'settings-member')
    await page.goto(`${server.url}/projects/${project.id}/settings/unknown`)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  it('delete the project only after its name was typed', async () => {
    const { project, page, path, token } = await openSettings('danger')
    await makeTestCases(server, project, 2)
    await page.getByRole('button', { name: 'Delete project' }).click()
    const dialog = page.getByRole('alertdialog')
    await checkPage(page, 'settings-delete')
    const button = dialog.getByRole('button', { name: 'Delete project' })
    expect(await button.isDisabled()).toBe(true)
    const { body } = await server.request<{ data: { name: string } }>('GET', path, { token })
    await dialog.getByRole('textbox').fill(body.data.name)
    await button.click()
    await page.getByText('is deleted').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect((await server.request('GET', path, { token })).status).toBe(404)
  })
})

describe('CI tokens', () => {
  it('show their secret once, with what to paste, and stop working when they are revoked', async () => {
    const { page, project, path } = await openSettings('tokens')
    await page.getByRole('heading', { name: 'No CI tokens' }).waitFor()
    await checkPage(page, 'settings-tokens-empty')
    const secret = await createToken(page, 'GitHub Actions')
    const dialog = page.getByRole('dialog')
    expect(await dialog.locator('pre').textContent()).toContain(`SERVICE_PROJECT_ID: ${project.id}`)
    await checkPage(page, 'settings-token-secret')
    await dialog.getByRole('combobox', { name: 'Tests' }).selectOption('Vitest')
    await dialog.getByRole('radio', { name: 'Jenkins' }).check()
    await dialog.getByText('npm install --save-dev @caseward/vitest').waitFor()
    await dialog.getByText('Jenkinsfile').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    const item = page.getByRole('listitem').filter({ hasText: 'GitHub Actions' })
    // A project without test cases offers to create them from tests.
    await item.getByText('may create test cases').waitFor()
    await checkPage(page, 'settings-tokens')
    expect(await page.content()).not.toContain(secret)
    expect((await server.request('GET', path, { token: secret })).status).toBe(200)
    await item.getByRole('button', { name: 'Revoke token GitHub Actions' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('heading', { name: 'No CI tokens' }).waitFor()
    expect((await server.request('GET', path, { token: secret })).status).toBe(401)
  })

  it('are listed with many others and long names, and say which to replace', async () => {
    const { page, project, path } = await openSettings('tokens')
    const name = 'Pipeline '.repeat(25).trim()
    for (let count = 1; count <= 20; count += 1) {
      const body = { name: count === 1 ? name : `Pipeline ${count}` }
      await server.request('POST', `${path}/tokens`, { token: project.admin.token, body })
    }
    await server.request('PATCH', `${path}/members/${project.admin.id}`, {
      token: project.admin.token,
      body: { role: 'viewer' },
    })
    await page.reload()
    await page.getByText('Replace it: its creator is no longer an admin').first().waitFor()
    await checkPage(page, 'settings-tokens-many')
  })
})
