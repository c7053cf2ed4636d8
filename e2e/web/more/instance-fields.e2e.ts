import { makeInstanceField } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeInstanceAdmin } from '@caseward/test-support/users'
import { describe, expect, it } from 'vitest'

import { openAsInstanceAdmin } from '../administration-scenario.ts'
import { getPanel, makeCaseScenario } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('fields of the instance', () => {
  it('are added by an administrator of the instance, and are in the list with the projects that have them', async () => {
    const page = await browser.newPage()
    await openAsInstanceAdmin(page, server, '/admin/fields')
    await page.getByText('No fields yet').waitFor()
    await checkPage(page, 'instance fields none')
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New field' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Severity')
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('org_severity')
    expect(await dialog.getByRole('checkbox', { name: 'Required' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Add an option' }).click()
    await dialog.getByLabel('Option 1', { exact: true }).fill('Blocker')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Minor')
    await dialog.getByRole('button', { name: 'Add field' }).click()
    await page.getByText('One option: Blocker, Minor · 0 projects · org_severity').waitFor()
    await page.getByRole('button', { name: 'More about Severity' }).click()
    await page.getByRole('menuitem', { name: 'Retire' }).click()
    await page.getByRole('button', { name: 'Restore Severity' }).click()
    await page.getByRole('button', { name: 'Change Severity' }).waitFor()
    await checkPage(page, 'instance fields some')
  })

  it('are switched on by an admin of a project, who decides whether they are required', async () => {
    const options = [{ key: 'team_a', label: 'Team A' }]
    const field = await makeInstanceField(server, { key: 'org_center', name: 'Cost center', type: 'select', options })
    const { project } = await makeCaseScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/settings/fields`, 'admin')
    await page.getByRole('button', { name: 'Switch on Cost center' }).click()
    await page.getByRole('button', { name: 'Change Cost center' }).click()
    const dialog = page.getByRole('dialog', { name: '“Cost center” in this project' })
    await dialog.getByRole('checkbox', { name: 'Required' }).check()
    await checkPage(page, 'instance field of a project')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('One option: Team A · required · of this instance · org_center').waitFor()
    await checkPage(page, 'fields with one of the instance')

    await page.goto(`${server.url}/projects/${project.id}/cases?case=WEB-1`)
    await getPanel(page).getByRole('combobox', { name: 'Cost center' }).selectOption('Team A')
    await getPanel(page).getByText('Saved').waitFor()

    await page.goto(`${server.url}/projects/${project.id}/settings/fields`)
    await page.getByRole('button', { name: 'More about Cost center' }).click()
    await page.getByRole('menuitem', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Switch on Cost center' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Change Cost center' }).waitFor()
    await page.goto(`${server.url}/projects/${project.id}/cases?case=WEB-1`)
    await expect.poll(() => getPanel(page).getByRole('combobox', { name: 'Cost center' }).inputValue()).toBe('team_a')

    // Retired by those whom it belongs to: the project sees what has become of it.
    const { token } = await makeInstanceAdmin(server)
    await server.request('POST', `/v1/admin/fields/${field.id}/retire`, { token })
    await page.goto(`${server.url}/projects/${project.id}/settings/fields`)
    const retired = page.getByRole('region', { name: 'Retired fields' }).getByRole('listitem')
    await retired.getByText('Retired by the administrators of this instance').waitFor()
    expect(await retired.getByRole('button').count()).toBe(0)
    await checkPage(page, 'fields with a retired one of the instance')
  })
})
