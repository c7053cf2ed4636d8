import { readFile } from 'node:fs/promises'

import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type CaseScenario, getPanel, getRow } from '../case-scenario.ts'
import { openAs, type Role } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { chooseFile, exportFile, readSheet, toCsv, toExcel } from '../transfer-files.ts'
import { useBrowser } from '../use-browser.ts'
import { allTypes, makeFieldScenario } from '../field-scenario.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

async function open(scenario: CaseScenario, path: string, role: Role = 'member'): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, path, role)
  return page
}

const getButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const readFields = async (scenario: CaseScenario, id: string) => (await scenario.read(id)).fields

describe('the list of test cases', () => {
  it('shows, sorts and filters by fields, changes many at once with undo, and keeps all of it in a view', async () => {
    const scenario = await makeFieldScenario(server, allTypes)
    const risks = { 'WEB-1': 7.5, 'WEB-2': 2, 'WEB-3': 9.9, 'WEB-5': 2 }
    for (const [id, risk] of Object.entries(risks)) await scenario.changeAsOther(id, { fields: { risk } })
    const page = await open(scenario, scenario.path)
    const listIds = async () =>
      (await page.getByRole('row', { name: /^Select WEB/ }).allInnerTexts()).map((text) => /WEB-\d+/.exec(text)?.[0])
    await getButton(page, 'Columns').click()
    await page.getByRole('menuitemcheckbox', { name: 'Risk' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Severity' }).click()
    await page.keyboard.press('Escape')
    await getRow(page, 'WEB-3').getByText('9.9').waitFor()
    const head = page.getByRole('columnheader', { name: 'Risk' })
    await head.getByRole('button').click()
    await expect.poll(listIds).toEqual(['WEB-2', 'WEB-5', 'WEB-1', 'WEB-3', 'WEB-4', 'WEB-6'])
    await head.getByRole('button').click()
    await expect.poll(listIds).toEqual(['WEB-3', 'WEB-1', 'WEB-2', 'WEB-5', 'WEB-4', 'WEB-6'])

    for (const id of ['WEB-1', 'WEB-2']) await getRow(page, id).getByRole('checkbox').check()
    await getButton(page, 'Edit').click()
    await page.getByRole('menuitem', { name: 'Set a field…' }).click()
    const dialog = page.getByRole('dialog', { name: 'A field of 2 test cases' })
    await dialog.getByLabel('Field').selectOption('Severity')
    await dialog.getByLabel('Value').selectOption('Blocker')
    await checkPage(page, 'fields of many')
    await getButton(page, 'Apply').click()
    await page.getByText('Severity of 2 test cases set to Blocker').waitFor()
    await getRow(page, 'WEB-2').getByText('Blocker').waitFor()
    expect(await readFields(scenario, 'WEB-2')).toEqual({ risk: 2, severity: 'blocker' })
    await page.keyboard.press('Control+z')
    await expect.poll(() => readFields(scenario, 'WEB-2')).toEqual({ risk: 2 })
    await getRow(page, 'WEB-2').getByText('Blocker').waitFor({ state: 'detached' })
    await scenario.changeAsOther('WEB-1', { fields: { severity: 'blocker' } })
    await getRow(page, 'WEB-1').getByText('Blocker').waitFor()
    await page.keyboard.press('Escape')

    await getButton(page, 'Filter').click()
    await page.getByRole('dialog', { name: 'Filter by a field' }).getByRole('button', { name: 'Risk' }).click()
    await page.getByLabel('From').fill('2')
    await page.getByLabel('To', { exact: true }).fill('8')
    await page.getByLabel('To', { exact: true }).blur()
    await getButton(page, 'Show the matches').click()
    await getButton(page, 'Risk: from 2 to 8').waitFor()
    await expect.poll(listIds).toEqual(['WEB-1', 'WEB-2', 'WEB-5'])
    expect(new URL(page.url()).search).toContain('field=risk.min%3A2&field=risk.max%3A8')
    await getButton(page, 'Filter').click()
    await page.getByRole('dialog', { name: 'Filter by a field' }).getByRole('button', { name: 'Severity' }).click()
    await page.getByRole('checkbox', { name: 'No value' }).check()
    await page.keyboard.press('Escape')
    await expect.poll(listIds).toEqual(['WEB-2', 'WEB-5'])
    await checkPage(page, 'fields in the list')
    await getButton(page, 'Risk: from 2 to 8').click()
    await page.getByLabel('From').waitFor()
    // In a narrow window, the filters are elsewhere.
    await checkPage(page, 'fields filter', { widths: [1440] })
    await page.setViewportSize({ width: 390, height: 900 })
    await getButton(page, 'Filter 3').click()
    await page.getByRole('dialog', { name: 'Filters' }).getByRole('button', { name: 'Risk: from 2 to 8' }).click()
    await page.getByLabel('From').waitFor()
    await checkPage(page, 'fields filter narrow', { widths: [390] })
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.reload()

    await getButton(page, 'Views').click()
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click()
    await page.getByLabel('Name').fill('Risky')
    await page.getByLabel('Keep the columns, too').check()
    await getButton(page, 'Create view').click()
    await getButton(page, 'Risky').waitFor()
    await getButton(page, 'Columns').click()
    await page.getByRole('menuitemcheckbox', { name: 'Severity' }).click()
    await page.keyboard.press('Escape')
    await getButton(page, 'Risky · changed').waitFor()
    const riskId = (await scenario.listFields()).find(({ key }) => key === 'risk')?.id
    await scenario.send('POST', `/fields/${riskId}/retire`)
    await getButton(page, 'Risky · changed').click()
    await page.getByRole('menuitem', { name: 'Reset to “Risky”' }).click()
    await page.getByRole('columnheader', { name: 'Severity' }).waitFor()
    // The filter by a retired field still works, and has its name.
    await expect.poll(listIds).toEqual(['WEB-2', 'WEB-5'])
    // That of a deleted one says so, and filters nothing.
    await scenario.send('DELETE', `/fields/${riskId}`)
    await getButton(page, 'risk: removed').waitFor()
    await expect.poll(async () => (await listIds()).length).toBe(5)

    await page.goto(`${server.url}/projects/${scenario.project.id}/runs/new`)
    await page.getByText('Filter', { exact: true }).click()
    await getButton(page, 'Filter').click()
    await page.getByRole('dialog', { name: 'Filter by a field' }).getByRole('button', { name: 'Severity' }).click()
    await page.getByRole('checkbox', { name: 'Blocker' }).check()
    await getButton(page, 'Show the matches').click()
    await page.getByText('1 test case', { exact: false }).first().waitFor()
    await getButton(page, 'Severity: Blocker').waitFor()
  })

  it('is exported with its fields, and imported with them by label', async () => {
    const scenario = await makeFieldScenario(server, allTypes)
    await scenario.changeAsOther('WEB-1', {
      fields: { severity: 'blocker', browsers: ['blocker', 'minor'], risk: 2.5 },
    })
    const page = await open(scenario, scenario.path)
    await getRow(page, 'WEB-1').waitFor()
    await getButton(page, 'Import and export').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: /CSV/ }).click(),
    ])
    const csv = await readFile(await download.path(), 'utf8')
    expect(csv).toContain('Severity,Risk,Browsers,Component,Due,Can be automated,Expert,Design,Background')
    expect(csv).toContain(',Blocker,2.5,"Blocker; Minor",,,,,,')
    await getButton(page, 'Import and export').click()
    await checkPage(page, 'fields export menu')
    await page.keyboard.press('Escape')
    const excel = await exportFile(page, 'Import and export', 'Export as Excel with keys')
    await page.getByText('Exported 6 test cases').nth(1).waitFor()
    const sheet = await readSheet(excel.content)
    expect(sheet.slice(0, 2).map((cells) => cells.slice(10, 12))).toEqual([
      ['Severity', 'Risk'],
      ['severity', 'risk'],
    ])

    const importPath = `/projects/${scenario.project.id}/cases/import`
    await page.goto(server.url + importPath)
    await chooseFile(page, toCsv('title;Severity;risk\nA refund;Minor;3,5\nA return;Minr;\n'))
    await getButton(page, 'Continue').click()
    expect(await page.getByLabel('Content of the column “Severity”').inputValue()).toBe('field.severity')
    expect(await page.getByLabel('Content of the column “risk”').inputValue()).toBe('field.risk')
    await getButton(page, 'Preview').click()
    await page.getByText('The field Severity has no option "Minr"; the nearest is "Minor".').waitFor()
    await getButton(page, 'Leave out this row').click()
    await getButton(page, 'Import 1 test case').click()
    await page.getByText('1 test case created', { exact: false }).waitFor()
    expect(await readFields(scenario, 'WEB-7')).toEqual({ severity: 'minor', risk: 3.5 })
    // The keys of a second row count, whatever the headings are, and the row is no test case.
    await page.goto(server.url + importPath)
    const renamed = sheet.map((cells, row) =>
      row === 0 ? cells.map((name) => name.replace('Severity', 'Old')) : cells,
    )
    await chooseFile(page, await toExcel({ 'Test cases': renamed }))
    await getButton(page, 'Continue').click()
    expect(await page.getByLabel('Content of the column “severity”').inputValue()).toBe('field.severity')
    await getButton(page, 'Preview').click()
    await page.getByText('6 test cases are the same already. Nothing is stored yet.').waitFor()

    // Admins add what is missing: a field for a column, and options.
    const admin = await open(scenario, importPath, 'admin')
    await chooseFile(admin, toCsv('title;Severity;Team\nA refund;Urgent;Blue\nA return;Minor;Red\n'))
    await getButton(admin, 'Continue').click()
    await admin.getByLabel('Content of the column “Team”').selectOption('New field…')
    await getButton(admin, 'Add field').click()
    await admin.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => admin.getByLabel('Content of the column “Team”').inputValue()).toBe('field.team')
    await getButton(admin, 'Preview').click()
    await admin.getByText('Options that are not there yet: Severity: Urgent.').waitFor()
    await checkPage(admin, 'fields in an import')
    await getButton(admin, 'Add 1 option').click()
    await getButton(admin, 'Import 2 test cases').click()
    await admin.getByText('2 test cases created', { exact: false }).waitFor()
    expect(await readFields(scenario, 'WEB-8')).toMatchObject({ severity: 'urgent', team: 'blue' })
  })

  it('has nothing of fields, and makes no request for them, in a project that has none', async () => {
    const scenario = await makeFieldScenario(server)
    const page = await browser.newWindow()
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname + new URL(request.url()).search))
    await openAs(page, server, scenario.project, scenario.path)
    await getRow(page, 'WEB-1').waitFor()
    expect(await getButton(page, 'Filter').count()).toBe(0)
    await getRow(page, 'WEB-1').click()
    await getPanel(page).getByLabel('Priority').waitFor()
    expect(requests.filter((path) => /\/fields|columns=|custom-field|field-filter/.test(path))).toEqual([])
    expect(requests.some((path) => path.includes('fields=row'))).toBe(true)
  })
})
