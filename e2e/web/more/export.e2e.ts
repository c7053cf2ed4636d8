import { makeConfigurations, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type CaseScenario, makeCaseScenario } from '../case-scenario.ts'
import { follow } from '../follow.ts'
import { openAs, type Role } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { exportFile, makeRows, openPreview, readSheet, toCsv } from '../transfer-files.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const MENU = 'Import and export'

async function openCases(query = '', role: Role = 'member') {
  const scenario = await makeCaseScenario(server)
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, `${scenario.path}${query}`, role)
  await page.getByRole('row', { name: /WEB-1 / }).waitFor()
  return { scenario, page }
}

const readLines = (content: Buffer) => content.toString('utf8').split('\n')
const exportCsv = async (page: Page) => await exportFile(page, MENU, 'Export as CSV')
const listAll = async ({ project }: CaseScenario) =>
  await server.db.selectFrom('test_cases').selectAll().where('project_id', '=', project.id).orderBy('number').execute()

describe('the export of test cases', () => {
  it('contains exactly what the filters show in their order, with folders, steps and tags', async () => {
    const { page } = await openCases('?q=pays&sort=title&desc=1')
    const { name, content } = await exportCsv(page)
    expect(name).toMatch(/^Web shop test cases \d{4}-\d{2}-\d{2}\.csv$/)
    expect(content.toString('utf8')).toBe(
      [
        '\uFEFFid,title,folder,priority,type,precondition,steps,expected_result,tags,automation_key',
        'WEB-2,A guest pays by invoice,Checkout/Payment,high,functional,,"1. Open the shop',
        '=> The basket is empty",,smoke,',
        'WEB-1,A customer pays by card,Checkout/Payment,critical,functional,,"1. Open the shop',
        '=> The basket is empty",,smoke,',
        '',
      ].join('\n'),
    )
    await page.getByText('Exported 2 test cases').waitFor()
  })

  it('contains only the open folder, and is available to viewers', async () => {
    const { page } = await openCases('', 'viewer')
    await page.getByRole('treeitem', { name: /Account/ }).click()
    await page.getByRole('row', { name: /WEB-5/ }).waitFor()
    const { content } = await exportCsv(page)
    expect(readLines(content).filter((line) => line.startsWith('WEB-'))).toEqual([
      expect.stringMatching(/^WEB-5,A wrong password is refused,Account,/),
    ])
  })

  it('writes an Excel file with text only', async () => {
    const { page, scenario } = await openCases()
    await scenario.changeAsOther('WEB-1', { title: '=1+1', precondition: ' two\nlines ' })
    await page.getByRole('row', { name: /=1\+1/ }).waitFor()
    const { name, content } = await exportFile(page, MENU, 'Export as Excel')
    expect(name).toMatch(/\.xlsx$/)
    const rows = await readSheet(content)
    expect(rows).toHaveLength(7)
    expect(rows.find(([id]) => id === 'WEB-1')?.slice(0, 7)).toEqual([
      'WEB-1',
      '=1+1',
      'Checkout/Payment',
      'critical',
      'functional',
      ' two\nlines ',
      '1. Open the shop\n=> The basket is empty',
    ])
  })

  it.each([
    ['CSV', 'Export as CSV'],
    ['Excel', 'Export as Excel'],
  ])('updates nothing when its %s file is imported unchanged, and exactly what was changed in it', async (_, item) => {
    const { page, scenario } = await openCases()
    await scenario.changeAsOther('WEB-1', {
      title: "'=SUM(A1)",
      precondition: '@home, "quoted"\n+1\n\n- x',
      steps: [{ position: 1, action: '=cmd\nsecond line', expected: '-1' }],
      tags: ['a, b', 'c\\d', '=x'],
      automation_key: '+key',
    })
    await page.getByRole('row', { name: /SUM/ }).waitFor()
    const { name, content } = await exportFile(page, MENU, item)
    const before = await listAll(scenario)
    await follow(page, `${scenario.path}/import`)
    await openPreview(page, { name, mimeType: '', buffer: content })
    await page.getByText('6 test cases are the same already. Nothing is stored yet.').waitFor()
    expect(await listAll(scenario)).toEqual(before)
  })

  it('can be changed and imported again: rows with ids update their test cases', async () => {
    const { page, scenario } = await openCases()
    const { content } = await exportCsv(page)
    const changed = content
      .toString('utf8')
      .replace('A customer pays by card,Checkout/Payment,critical', 'A customer pays by card,Checkout,low')
    await follow(page, `${scenario.path}/import`)
    await openPreview(page, toCsv(`${changed},A new one,Account,,,,,,,\n`))
    await page
      .getByText('1 test case will be created, 1 test case will be updated, 5 test cases are the same')
      .waitFor()
    await page.getByRole('radio', { name: 'Updated 1' }).check()
    await page.getByRole('row', { name: /WEB-1 A customer pays by card Priority, folder/ }).waitFor()
    await page.getByRole('button', { name: 'Import 2 test cases' }).click()
    await page.getByText('1 test case created: WEB-7').waitFor()
    expect(await scenario.read('WEB-1')).toMatchObject({ priority: 'low', folder_id: scenario.folders.checkout })
    expect(await scenario.read('WEB-7')).toMatchObject({ title: 'A new one', folder_id: scenario.folders.account })
  })

  it('tells that it failed, and can be tried again', async () => {
    const { page } = await openCases()
    await page.getByRole('button', { name: MENU }).click()
    await page.route(/\/test-cases\?fields=all/, (route) => route.abort())
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
    await page.getByRole('alert').filter({ hasText: 'Not exported.' }).waitFor()
    await checkPage(page, 'cases-export-failed')
    await page.unrouteAll()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Try again' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
  })

  it('writes 5,000 test cases with steps, of which the import finds nothing to change', async () => {
    const { page, scenario } = await openCases()
    const rows = makeRows(5000).slice(1)
    const items = rows.map(([title, folder, , , tags]) => ({
      title,
      folder_path: folder?.split('/'),
      tags: tags?.split(', '),
      steps: [{ action: 'Pay', expected: 'Paid' }],
    }))
    const { token } = scenario.project.admin
    const path = `/v1/projects/${scenario.project.id}/test-cases/import`
    expect((await server.request('POST', path, { token, body: { rows: items.slice(0, 4994) } })).status).toBe(200)
    await page.reload()
    await page.getByText('5,000').first().waitFor()
    const { content, name } = await exportCsv(page)
    expect(readLines(content).filter((line) => line.startsWith('WEB-'))).toHaveLength(5000)
    await follow(page, `${scenario.path}/import`)
    await openPreview(page, { name, mimeType: 'text/csv', buffer: content })
    await page.getByText('5,000 test cases are the same already').waitFor()
  })
})

describe('the export of results', () => {
  async function openRun(query = '') {
    const scenario = await makeCaseScenario(server)
    const run = await makeRun(server, scenario.project)
    const { token } = scenario.project.admin
    const set = async (id: string, body: object) =>
      await server.request('PUT', `/v1/runs/${run.id}/results/${id}`, { token, body })
    await set('WEB-1', { status: 'failed', note: '=expected 200\ngot 500', elapsed: 12 })
    await set('WEB-2', { status: 'passed' })
    const page = await browser.newPage()
    await openAs(page, server, scenario.project, `/runs/${run.id}${query}`, 'viewer')
    await page.getByRole('row', { name: /A customer pays by card/ }).waitFor()
    return page
  }

  it('contains the results that the filters show, with whole notes', async () => {
    const page = await openRun('?status=failed')
    const { name, content } = await exportFile(page, 'More', 'Export as CSV')
    expect(name).toMatch(/ results \d{4}-\d{2}-\d{2}\.csv$/)
    const text = content.toString('utf8')
    expect(text).toMatch(
      /^\uFEFFTest case,Title,Folder,Priority,Type,Tags,Status,Note,Duration in seconds,Tested by,Tested at,Assigned to\nWEB-1,A customer pays by card,Checkout\/Payment,Critical,Functional,smoke,Failed,"'=expected 200\ngot 500",12,[^,]+,\d{4}-\d{2}-\d{2}T[\d:.]+Z,\n$/,
    )
  })

  it('says in a line what the status and the note of each combination are', async () => {
    const project = await makeProject(server)
    await makeConfigurations(server, project, { browser: ['chrome', 'firefox'] })
    await makeTestCases(server, project, 2)
    const run = await makeRun(server, project, { configurations: { groups: { browser: ['chrome', 'firefox'] } } })
    const note = `Blank page,\nsays "Ada" ${'and more '.repeat(40)}`
    const body = { status: 'failed', note }
    const path = `/v1/runs/${run.id}/results/WEB-1/combinations/2`
    await server.request('PUT', path, { token: project.admin.token, body })
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${run.id}`, 'viewer')
    await page.getByRole('row', { name: /WEB-1/ }).waitFor()
    const [headings = [], ...rows] = await readSheet((await exportFile(page, 'More', 'Export as Excel')).content)
    const column = headings.indexOf('Combinations')
    const cut = note.replaceAll(/\s+/g, ' ').trim().slice(0, 200).trimEnd()
    expect(rows.map((cells) => cells[column])).toEqual([
      `chrome: Not tested\nfirefox: Failed, ${cut}…`,
      'chrome: Not tested\nfirefox: Not tested',
    ])
    const csv = (await exportFile(page, 'More', 'Export as CSV')).content.toString('utf8')
    expect(csv).toContain('firefox: Failed, Blank page, says ""Ada"" and more')
  })

  it('writes an Excel file of all results', async () => {
    const page = await openRun()
    const { content } = await exportFile(page, 'More', 'Export as Excel')
    const rows = await readSheet(content)
    expect(rows.slice(1).map((cells) => [cells[0], cells[6]])).toEqual([
      ['WEB-3', 'Not tested'],
      ['WEB-4', 'Not tested'],
      ['WEB-1', 'Failed'],
      ['WEB-2', 'Passed'],
      ['WEB-5', 'Not tested'],
      ['WEB-6', 'Not tested'],
    ])
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await checkPage(page, 'run-export-menu', { widths: [1440] })
  })
})
