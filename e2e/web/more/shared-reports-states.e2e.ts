import { makeMilestone } from '@caseward/test-support/factories'
import { makeReportedRun } from '@caseward/test-support/share-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

describe('a shared report', () => {
  it('is accessible in the dialog that asks for its name, and in the settings', async () => {
    const { project, run } = await makeReportedRun(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}`, 'admin')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill(' ')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await checkPage(page, 'share form')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Release 2.4 for Acme')
    await dialog.getByRole('button', { name: 'Create address' }).click()
    await dialog.getByRole('textbox', { name: 'Address' }).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.goto(`${server.url}/projects/${project.id}/settings/general`)
    await page.getByRole('region', { name: 'Shared reports' }).getByText('Run “Nightly”').waitFor()
    await checkPage(page, 'share settings')
  })

  it('is not offered where the project has turned it off, which the dialog of a milestone explains', async () => {
    const { project, token } = await makeReportedRun(server)
    const milestone = await makeMilestone(server, project)
    const settings = `/v1/projects/${project.id}/run-settings`
    await server.request('PATCH', settings, { token, body: { shares: 'off' } })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/milestones/${milestone.id}`)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Share…' }).click()
    await page.getByRole('dialog').getByText('Shared reports are turned off in this project.').waitFor()
    expect(await page.getByRole('button', { name: 'Create address' }).count()).toBe(0)
  })
})
