import { makeProject } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { describe, expect, it } from 'vitest'

import { openAs, type Role } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { chooseFile, makeRows, openPreview, toCsv, toExcel } from '../transfer-files.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

async function openImport(role: Role = 'member') {
  const project = await makeProject(server)
  const page = await browser.newPage()
  const user = await openAs(page, server, project, `/projects/${project.id}/cases/import`, role)
  return { project, page, user }
}

const countCases = async ({ id }: { id: string }) =>
  (await server.db.selectFrom('test_cases').select('number').where('project_id', '=', id).execute()).length

describe('the import page', () => {
  it('explains to viewers why they cannot import, and offers no controls', async () => {
    const { page } = await openImport('viewer')
    await page.getByRole('heading', { name: 'You can view this project, but not import test cases' }).waitFor()
    expect(await page.locator('input[type=file]').count()).toBe(0)
    await checkPage(page, 'import-viewer')
    await page.goto(page.url().replace('/import', ''))
    await page.getByRole('heading', { name: 'No test cases yet' }).waitFor()
    expect(await page.getByRole('link', { name: 'Import test cases' }).count()).toBe(0)
  })

  it('is offered by an empty project and by the menu of the cases page', async () => {
    const { page, project } = await openImport()
    await page.goto(`${server.url}/projects/${project.id}`)
    await page.getByRole('link', { name: 'Import test cases' }).click()
    await page.getByRole('heading', { name: 'Choose an export' }).waitFor()
    await page.goto(`${server.url}/projects/${project.id}/cases`)
    await page.getByRole('heading', { name: 'No test cases yet' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Import test cases' }).waitFor()
    await page.getByRole('button', { name: 'Import and export' }).click()
    await checkPage(page, 'cases-transfer-menu', { widths: [1440] })
    await page.getByRole('menuitem', { name: 'Import test cases' }).click()
    await page.getByRole('heading', { name: 'Choose a file with test cases' }).waitFor()
  })

  it('says what is wrong with a file, and takes another one', async () => {
    const { page } = await openImport()
    await chooseFile(page, { name: 'old.xls', mimeType: '', buffer: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0]) })
    await page.getByRole('alert').filter({ hasText: '“old.xls” cannot be imported.' }).waitFor()
    await checkPage(page, 'import-wrong-file')
    await chooseFile(page, toCsv('title\n'))
    await page.getByRole('alert').filter({ hasText: 'headings only' }).waitFor()
    expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
    await chooseFile(page, toCsv('title\nPays\n'))
    await page.getByRole('cell', { name: 'Pays' }).waitFor()
  })

  it('refuses more than 5,000 test cases before it sends them', async () => {
    const { page } = await openImport()
    await openPreview(page, toCsv(`title\n${'A title\n'.repeat(5001)}`))
    await page.getByText('The file has 5,001 test cases; an import takes up to 5,000.').waitFor()
    await checkPage(page, 'import-too-many')
  })

  it('reads large files beside the page, which takes what is typed meanwhile', async () => {
    const { page } = await openImport()
    const [worker] = await Promise.all([
      page.waitForEvent('worker'),
      chooseFile(page, await toExcel({ Cases: makeRows(5000) })),
    ])
    expect(worker.url()).toContain('/table.worker')
    await page.keyboard.press('Control+K')
    await page.getByRole('combobox').pressSequentially('checkout')
    expect(await page.getByRole('combobox').inputValue()).toBe('checkout')
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'A customer pays by card 1', exact: true }).waitFor()
  })

  it('offers to try again when the server does not answer, and stores nothing until then', async () => {
    const { page, project } = await openImport()
    await chooseFile(page, toCsv('title\nPays\n'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Preview' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('alert').filter({ hasText: 'The rows could not be checked.' }).waitFor()
    await checkPage(page, 'import-offline', { widths: [390] })
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Import 1 test case' }).waitFor()
    expect(await countCases(project)).toBe(0)
  })

  it('explains to users who lose the right meanwhile that they cannot import', async () => {
    const { page, project, user } = await openImport()
    await openPreview(page, toCsv('title\nPays\n'))
    await page.getByRole('button', { name: 'Import 1 test case' }).waitFor()
    await server.db
      .updateTable('memberships')
      .set({ role: 'viewer' })
      .where('project_id', '=', project.id)
      .where('user_id', '=', user.id)
      .execute()
    await page.getByRole('heading', { name: 'You can view this project, but not import test cases' }).waitFor()
    expect(await countCases(project)).toBe(0)
  })

  it.each([
    [
      'a CSV',
      () =>
        Promise.resolve(
          toCsv(
            makeRows(5000)
              .map((cells) => cells.map(quote).join(','))
              .join('\n'),
          ),
        ),
    ],
    ['an Excel', () => toExcel({ Cases: makeRows(5000) })],
    // How long this takes is measured by `npm run bench:web`.
  ])('previews and stores %s file with 5,000 rows', async (_, make) => {
    const { page, project } = await openImport()
    await openPreview(page, await make())
    await page.getByText('5,000 test cases will be created, 51 folders will be created.').waitFor()
    await page.getByRole('button', { name: 'Import 5,000 test cases' }).click()
    await page.getByText('5,000 test cases created: WEB-1 to WEB-5000').waitFor()
    expect(await countCases(project)).toBe(5000)
  })
})

const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
