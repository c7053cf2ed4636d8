import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { getPanel, getRow, makeCaseScenario, makeRunWithResult } from '../case-scenario.ts'
import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

describe('archived test cases', () => {
  it('leave the list with undo, say so, are listed apart, and come back in every open tab', async () => {
    const scenario = await makeCaseScenario(server)
    const { project, path, read } = scenario
    await makeRunWithResult(server, scenario, 'failed')
    const page = await browser.newPage()
    const tab = await browser.newPage()
    await openAs(page, server, project, `${path}?case=WEB-1`)
    await openAs(tab, server, project, path)
    await getRow(tab, 'WEB-1').waitFor()

    // The menu of a test case.
    await getPanel(page).getByRole('button', { name: 'More about WEB-1' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await getRow(page, 'WEB-1').waitFor({ state: 'detached' })
    await getRow(tab, 'WEB-1').waitFor({ state: 'detached' })
    await getPanel(page).getByText('Archived', { exact: true }).waitFor()
    expect(await read('WEB-1')).toMatchObject({ archived_at: expect.any(String) })
    await page.getByRole('button', { name: 'Undo' }).click()
    await Promise.all([page, tab].map((each) => getRow(each, 'WEB-1').waitFor()))
    await getPanel(page).getByText('Archived', { exact: true }).waitFor({ state: 'detached' })
    await getPanel(page).getByRole('button', { name: 'More about WEB-1' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await getPanel(page).getByText('Archived', { exact: true }).waitFor()
    await checkPage(page, 'archived test case in the panel')
    await getPanel(page).getByRole('button', { name: 'Restore' }).click()
    await Promise.all([page, tab].map((each) => getRow(each, 'WEB-1').waitFor()))

    // The bar of selected ones, and deletion, which offers it.
    await page.getByRole('button', { name: 'Close the panel' }).click()
    await getRow(page, 'WEB-2').getByRole('checkbox').click()
    await checkPage(page, 'selected test cases')
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
    await getRow(page, 'WEB-2').waitFor({ state: 'detached' })
    await getRow(page, 'WEB-1').getByRole('checkbox').click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Delete WEB-1?' })
    await dialog.getByText('1 result in runs keeps only title and note.').waitFor()
    await checkPage(page, 'deletion of a test case with results')
    await dialog.getByRole('button', { name: 'Archive instead' }).click()
    await getRow(page, 'WEB-1').waitFor({ state: 'detached' })

    // The list of archived ones.
    await page.getByRole('button', { name: 'Import and export' }).click()
    await page.getByRole('menuitem', { name: 'Archived test cases' }).click()
    await getRow(page, 'WEB-1').waitFor()
    await getRow(page, 'WEB-2').waitFor()
    await checkPage(page, 'archived test cases')
    await page.getByRole('searchbox', { name: 'Search archived test cases' }).fill('invoice')
    await getRow(page, 'WEB-1').waitFor({ state: 'detached' })
    await getRow(page, 'WEB-2').getByRole('checkbox').click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
    await page.getByText('No archived test case matches').waitFor()
    await getRow(tab, 'WEB-2').waitFor()
    await page.getByRole('searchbox').fill('')
    await getRow(page, 'WEB-1').getByText('A customer pays by card').click()
    await page.waitForURL(`**${path}/WEB-1`)
    await checkPage(page, 'page of an archived test case')
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect.poll(async () => (await read('WEB-1')).archived_at).toBeNull()
    await getRow(tab, 'WEB-1').waitFor()
  })
})
