import { makeConfigurations, makeProject, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAsInstanceAdmin } from '../administration-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

it('configurations of the instance > are added by its administrators, shown in the settings of projects, and chosen for runs', async () => {
  const admin = await browser.newPage()
  await openAsInstanceAdmin(admin, server, '/admin/configurations')
  await admin.getByText('No configurations yet').waitFor()
  await checkPage(admin, 'instance configurations none')
  const add = async (name: string, group?: string) => {
    await admin.getByRole('button', { name: 'Add configuration' }).click()
    if (group !== undefined) await admin.getByLabel('Name of the group').fill(group)
    await admin.getByLabel('Name', { exact: true }).fill(name)
    await admin.keyboard.press('Enter')
    await admin.getByRole('button', { name: `Edit ${name}` }).waitFor()
  }
  await add('Chrome', 'browser')
  await add('A browser with a very long name that someone has copied from the page of its vendor, and left as it was')
  await add('Netscape')
  await admin.getByRole('button', { name: 'Retire Netscape' }).click()
  await admin.getByRole('button', { name: 'Use again: Netscape' }).waitFor()
  await checkPage(admin, 'instance configurations some')

  const project = await makeProject(server)
  await makeTestCases(server, project, 2)
  await makeConfigurations(server, project, { browser: ['edge'] })
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/settings/configurations`, 'admin')
  const shared = page.getByRole('region', { name: 'Of this instance' })
  await shared.getByText('browser: Chrome').waitFor()
  expect(await shared.getByRole('button').count()).toBe(0)
  expect(await shared.getByText('Netscape').count()).toBe(0)
  await page.getByRole('button', { name: 'Edit edge' }).waitFor()
  await checkPage(page, 'configurations with those of the instance')

  await page.goto(`${server.url}/projects/${project.id}/runs/new`)
  await page.getByRole('group', { name: 'browser', exact: true }).getByRole('checkbox', { name: 'edge' }).check()
  const group = page.getByRole('group', { name: 'browser (of this instance)' })
  await group.getByRole('checkbox', { name: 'Chrome' }).check()
  await page.getByText('2 test cases × 1 = 2').waitFor()
  await page.getByRole('button', { name: /^(Create|Start) run/ }).click()
  await page.getByText('edge, Chrome').first().waitFor()
})
