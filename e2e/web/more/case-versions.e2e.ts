import { makeFolder, makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { makeVersionScenario } from '@caseward/test-support/version-scenario'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const steps = [
  { action: 'Open the shop', expected: 'The basket is empty' },
  { action: 'Enter the number of the card', expected: 'It is accepted' },
  { action: 'Press **Pay**', expected: '' },
]
const newSteps = [
  steps[0],
  { action: 'Enter the number and the date of the card', expected: 'It is accepted' },
  steps[2],
  { action: 'Confirm the payment', expected: 'The order is paid' },
]

async function openVersions() {
  const scenario = await makeVersionScenario(server, { title: 'A customer pays by card', steps, tags: ['payment'] })
  const folder = await makeFolder(server, scenario.project)
  await scenario.patch({ folder_id: folder.id, priority: 'high' })
  await scenario.patch({ steps: newSteps as typeof steps, folder_id: null, summary: 'The bank asks for the date' })
  await scenario.save({ title: 'A customer pays by card or voucher' })
  await scenario.send('DELETE', `${scenario.root}/folders/${folder.id}`)
  const page = await browser.newPage()
  const path = `/projects/${scenario.project.id}/cases?case=${scenario.id}`
  return { ...scenario, page, casePath: path }
}

describe('the versions of a test case', () => {
  it('are listed, compared with keys, and restored except for what was deleted', async () => {
    const { page, project, casePath, read, patch } = await openVersions()
    await openAs(page, server, project, `${casePath}&panel=versions`)
    const list = page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
    await expect.poll(() => list.count()).toBe(4)
    await list.nth(1).getByText('The bank asks for the date').waitFor()
    await checkPage(page, 'case versions')

    await list.nth(1).getByRole('button').click()
    const version = page.getByRole('region', { name: 'Version 3' })
    await version.getByRole('cell', { name: '~ Changed 2' }).waitFor()
    await version.getByRole('cell', { name: '+ Added 4' }).waitFor()
    expect(await version.locator('ins').allTextContents()).toContain('and the date ')
    await version.getByText('A deleted folder').waitFor()
    await checkPage(page, 'case version compared')

    await page.keyboard.press('ArrowLeft')
    await page.getByRole('region', { name: 'Version 2' }).getByText('High').waitFor()
    await page.keyboard.press('d')
    await page
      .getByRole('region', { name: 'Version 2' })
      .getByRole('heading', { name: 'A customer pays by card' })
      .waitFor()
    await checkPage(page, 'case version read')
    await page.keyboard.press('d')
    await page.getByLabel('Compared with').selectOption('Since version 4')
    await page
      .locator('del', { hasText: 'or voucher' })
      .or(page.locator('ins', { hasText: 'or voucher' }))
      .first()
      .waitFor()

    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText('Version 2 was restored, except: Folder was deleted').waitFor()
    await expect.poll(() => list.count()).toBe(5)
    expect(await read()).toMatchObject({ title: 'A customer pays by card', folder_id: null, version: 5 })
    await patch({ title: 'Changed elsewhere' })
    await list.first().getByText('Title', { exact: true }).waitFor()
  })

  it('say so if there is only one, and that they could not be loaded', async () => {
    const { project, id } = await makeVersionScenario(server)
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/cases?case=${id}&panel=versions`)
    await page.getByText('This test case has not been changed yet.').waitFor()
    await page.route('**/versions', (route) => route.abort())
    await page.reload()
    await page.getByText('The versions could not be loaded.').waitFor()
    await page.unroute('**/versions')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByText('This test case has not been changed yet.').waitFor()
  })
})

describe('a test case that changes while it is tested', () => {
  it('keeps the tested text, shows what changed, and is tested anew on request', async () => {
    const { page, project, id, patch, send } = await openVersions()
    const run = await makeRun(server, project)
    const path = `/v1/runs/${run.id}/results/${id}`
    await send('PUT', path, { status: 'failed' })
    await patch({ steps: newSteps.slice(0, 3) as typeof steps })
    await openAs(page, server, project, `/runs/${run.id}/execute`)
    const notice = page.getByRole('region', { name: 'Changed since it was tested' })
    await notice.getByText('Changed since you began: 1 step').waitFor()
    await page.getByText('Confirm the payment').waitFor()
    await notice.getByRole('button', { name: 'Show changes' }).click()
    await notice.getByRole('cell', { name: '− Removed 4' }).waitFor()
    await checkPage(page, 'execution changed case')
    await notice.getByRole('button', { name: 'Test the new text' }).click()
    await page.getByText('Confirm the payment').waitFor({ state: 'detached' })
    await notice.getByText('This is the new text. The result is that of version 4.').waitFor()
    await page.keyboard.press('p')
    await page.getByText(/^All saved/).waitFor()
    const { body } = await send<{ status: string; case_version: number }>('GET', path)
    expect(body.data).toMatchObject({ status: 'passed', case_version: 5, is_outdated: false })
  })
})
