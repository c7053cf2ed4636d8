import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, listImportRecords, planFile, waitForImport } from '@caseward/test-support/import-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

/** An export of Testmo whose times tell neither their zone nor which number is the day. */
const ROWS = {
  repository_cases: [{ id: 10, title: 'Pays' }],
  runs: [{ id: 3, name: 'Nightly', created_at: '03/04/2025 08:00' }],
  run_results: [{ id: 4, run_id: 3, case_id: 10, status_id: 2, created_at: '05/04/2025 09:00' }],
  statuses: [{ id: 2, name: 'Passed' }],
}
const TIMES = JSON.stringify({ datasets: Object.entries(ROWS).map(([name, rows]) => ({ name, rows })) })

it('the page of an import > plans again with the order of dates and the time zone that are chosen', async () => {
  const project = await makeProject(server)
  const planned = await planFile(server, project, TIMES, 'testmo.json')
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/${planned.id}`, 'admin')
  await page.getByText('Used now: day, month, year.').waitFor()
  const order = page.getByLabel('Which number of dates such as "03/04/2025 08:00" is the day?')
  const zone = page.getByLabel('In which time zone are times such as "03/04/2025 08:00"?')
  expect([await order.inputValue(), await zone.inputValue()]).toEqual(['day_first', 'UTC'])
  await order.selectOption('month_first')
  await zone.selectOption('Europe/Berlin')
  await checkPage(page, 'imports-times')
  await page.getByRole('button', { name: 'Plan again with these choices' }).click()
  await page.getByRole('button', { name: 'Import 1 test case' }).waitFor()
  expect([await order.inputValue(), await zone.inputValue()]).toEqual(['month_first', 'Europe/Berlin'])
  const records = await listImportRecords(server, project, planned.id)
  expect(records.find(({ kind }) => kind === 'run')?.after).toMatchObject({ created_at: '2025-03-04T07:00:00.000Z' })
})

it('the page of an import > archives what the file does not have any more if that is chosen', async () => {
  const project = await makeProject(server)
  const toCsv = (...ids: number[]) =>
    `ID,Title,Section,Template,Steps\n${ids.map((id) => `C${id},Case ${id},Basket,Test Case (Text),Open\n`).join('')}`
  await actOnImport(server, project, await planFile(server, project, toCsv(1, 2), 'cases.csv'), 'apply')
  const planned = await planFile(server, project, toCsv(1), 'cases.csv')
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/${planned.id}`, 'admin')
  const absent = page.getByLabel('What happens to test cases of earlier imports that are not in this file?')
  expect(await absent.inputValue()).toBe('keep')
  await absent.selectOption('archive')
  await checkPage(page, 'imports-absent')
  await page.getByRole('button', { name: 'Plan again with these choices' }).click()
  await page.getByText('1 test case: not in this file: archived or tagged, as chosen').waitFor()
  expect(await absent.inputValue()).toBe('archive')
  const chosen = await waitForImport(server, project, planned.id)
  expect(chosen.planning?.actions).toContainEqual({ kind: 'case', action: 'absent_in_source', count: 1 })
})
