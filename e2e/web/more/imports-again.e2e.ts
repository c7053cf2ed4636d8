import { makeProject } from '@caseward/test-support/factories'
import { actOnImport, insertImport, planFile } from '@caseward/test-support/import-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

/** Test cases of TestRail's CSV. */
const toCsv = (title: string, count: number) => {
  const rows = Array.from(
    { length: count },
    (_, index) => `C${index + 1},${title} ${index + 1},Basket,Test Case (Text),Open`,
  )
  return `ID,Title,Section,Template,Steps\n${rows.join('\n')}\n`
}

it('the page of an import > offers to plan again when a test case was changed here since, then imports and undoes', async () => {
  const project = await makeProject(server)
  await actOnImport(server, project, await planFile(server, project, toCsv('Case', 2)), 'apply')
  const planned = await planFile(server, project, toCsv('There', 2))
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/${planned.id}`, 'admin')
  await page.getByText('2 test cases: changed').waitFor()
  await server.request('PATCH', `/v1/projects/${project.id}/test-cases/WEB-1`, {
    token: project.admin.token,
    body: { title: 'Here' },
  })
  await page.getByRole('button', { name: 'Import 2 test cases' }).click()
  await page.getByRole('button', { name: 'Plan again', exact: true }).waitFor()
  await checkPage(page, 'imports-outdated')
  await page.getByRole('button', { name: 'Plan again', exact: true }).click()
  await page.getByRole('button', { name: 'Import 1 test case' }).click()
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await page.getByRole('button', { name: 'Undo the import', exact: true }).click()
  await page.getByText('This import was undone.').waitFor()
  await checkPage(page, 'imports-undone')
})

it.each(['reading', 'planning', 'applying'])(
  'the page of an import > shows again that it is %s after it was left',
  async (state) => {
    const project = await makeProject(server)
    const { id } = await insertImport(server, project.id, { state })
    const page = await browser.newPage()
    await openAs(page, server, project, `/projects/${project.id}/cases/import/${id}`, 'admin')
    const goesOn = page.getByText('You can leave this page. The import goes on, and is found in the list of imports.')
    await goesOn.waitFor()
    const words = await page.getByRole('status').filter({ hasText: '…' }).first().textContent()
    await page.goto(`${new URL(page.url()).origin}/projects/${project.id}/cases/import/tool`)
    await page.getByRole('link', { name: 'shop.xml' }).click()
    await goesOn.waitFor()
    expect(await page.getByRole('status').filter({ hasText: '…' }).first().textContent()).toBe(words)
    if (state === 'applying') await checkPage(page, 'imports-progress')
  },
)

it('the page of an import > decides 300 conflicts in one go', async () => {
  const project = await makeProject(server)
  const count = 300
  await actOnImport(server, project, await planFile(server, project, toCsv('Case', count)), 'apply')
  await server.db
    .updateTable('test_cases')
    .set((value) => ({ title: 'Here', version: value('version', '+', 1) }))
    .where('project_id', '=', project.id)
    .execute()
  const done = await actOnImport(server, project, await planFile(server, project, toCsv('There', count)), 'apply')
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/${done.id}`, 'admin')
  await page.getByText('300 test cases stayed as they are here.').waitFor()
  await page.getByRole('button', { name: 'Use the source’s for all' }).click()
  await page.getByRole('button', { name: 'Use the source’s', exact: true }).last().click()
  await page.getByRole('heading', { name: 'Changed here and in the source' }).waitFor({ state: 'detached' })
  const { body } = await server.request<{ meta: { total: number } }>(
    'GET',
    `/v1/projects/${project.id}/test-cases?search=There`,
    { token: project.admin.token },
  )
  expect(body.meta.total).toBe(count)
})
