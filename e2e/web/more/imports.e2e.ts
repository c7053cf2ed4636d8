import { makeProject, makeTestCase } from '@caseward/test-support/factories'
import { actOnImport, planFile } from '@caseward/test-support/import-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser({ staysOpen: true })

const toXml = (title: string) => `<?xml version="1.0" encoding="UTF-8"?>
<suite><id>S1</id><name>Master</name><description></description><sections><section><name>Basket</name><description></description><cases>
${[1, 2]
  .map(
    (
      id,
    ) => `<case><id>C${id}</id><title>${id === 1 ? title : 'Pays by voucher'}</title><template>Test Case (Steps)</template><type>Functional</type>
<priority>${id === 1 ? 'Showstopper' : 'High'}</priority><references>SHOP-${id}</references><custom><steps_separated><step><index>1</index><content>Open</content><expected>Shown</expected></step></steps_separated><severity><id>2</id><value>Major</value></severity></custom></case>`,
  )
  .join('')}
</cases></section></sections></suite>`

const toFile = (content: string, name = 'shop.xml') => ({ name, mimeType: 'text/xml', buffer: Buffer.from(content) })

it('the page for imports from other tools > shows the plan, imports, counts again, and imports a changed file', async () => {
  const project = await makeProject(server)
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/tool`, 'admin')
  const choose = async (content: string, name?: string) =>
    await page.getByLabel('File with test cases').setInputFiles(toFile(content, name))
  await page.getByRole('heading', { name: 'Choose an export' }).waitFor()
  await checkPage(page, 'imports')

  await choose('<testsuites><testsuite name="a"/></testsuites>', 'junit.xml')
  await page.getByText('This is a report of test results. Upload it to a run instead of importing it.').waitFor()
  await checkPage(page, 'imports-failed')
  await page.getByRole('link', { name: 'Choose another file' }).click()

  await choose(toXml('Pays by card'))
  await page.getByText('Recognized as testrail-xml, from “TestRail”: 2 steps in all. Nothing is stored yet.').waitFor()
  await page.getByText('2 test cases: new').waitFor()
  await page.getByRole('cell', { name: 'Pays by card' }).waitFor()
  await checkPage(page, 'imports-preview')
  await page.getByLabel('What the priority “Showstopper” becomes').selectOption('critical')
  await page.getByLabel('Address of issues').fill('https://tracker.test/browse/{id}')
  await page.getByRole('button', { name: 'Plan again with these choices' }).click()
  await page.getByRole('button', { name: 'Import 2 test cases' }).click()
  await page.getByText('2 test cases read, 2 in the project').waitFor()
  await checkPage(page, 'imports-report')
  const cases = async () =>
    (
      await server.request<{ data: { title: string; priority: string }[] }>(
        'GET',
        `/v1/projects/${project.id}/test-cases`,
        { token: project.admin.token },
      )
    ).body.data.map(({ title, priority }) => `${title}: ${priority}`)
  expect(await cases()).toEqual(['Pays by card: critical', 'Pays by voucher: high'])

  await page.getByRole('link', { name: 'Import another file' }).click()
  await choose(toXml('Pays by debit card'))
  await page.getByText('1 test case: changed').waitFor()
  await page.getByRole('cell', { name: /^Changed \(WEB-1\): title/ }).waitFor()
  await page.getByRole('button', { name: 'Import 1 test case' }).click()
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await page.getByRole('button', { name: 'Undo the import', exact: true }).click()
  await page.getByText('This import was undone.').waitFor()
  expect((await cases())[0]).toMatch(/^Pays by card/)
})

it('the page for imports from other tools > goes on with a file after the page was left and loaded again, and forgets a canceled one', async () => {
  const project = await makeProject(server)
  const page = await browser.newPage()
  const path = `/projects/${project.id}/cases/import/tool`
  await openAs(page, server, project, path, 'admin')
  const requests: string[] = []
  page.on('request', (request) => {
    if (!request.url().includes('/file-uploads')) return
    requests.push(`${request.method()} ${request.headers()['content-range'] ?? ''}`.trim())
  })
  // More than one part, of which the second does not arrive.
  const content = Buffer.from(toXml('Pays by card').replace('<sections>', `<!--${'x'.repeat(9_000_000)}--><sections>`))
  const uploads = '**/file-uploads/*'
  await page.route(uploads, async (route) => {
    if (route.request().headers()['content-range']?.startsWith('bytes 0-') ?? true) await route.continue()
  })
  const second = `PUT bytes 8388608-${content.length - 1}/${content.length}`
  await page.getByLabel('File with test cases').setInputFiles({ ...toFile(''), buffer: content })
  await expect.poll(() => requests).toEqual(['POST', `PUT bytes 0-8388607/${content.length}`, second])
  await checkPage(page, 'imports-sending')

  requests.length = 0
  await page.reload()
  await expect.poll(() => requests).toEqual(['HEAD', second])
  await page.unroute(uploads)
  await page.getByText('2 test cases: new').waitFor()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':upload:')))).toEqual([])

  await page.goto(`${new URL(page.url()).origin}${path}`)
  await page.route(uploads, (route) => (route.request().method() === 'PUT' ? undefined : route.continue()))
  requests.length = 0
  await page.getByLabel('File with test cases').setInputFiles(toFile(toXml('Pays by card')))
  await expect.poll(() => requests.at(-1)).toMatch(/^PUT/)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => requests.at(-1)).toBe('DELETE')
  requests.length = 0
  await page.reload()
  await page.getByRole('link', { name: 'shop.xml' }).waitFor()
  expect(requests).toEqual([])
})

it('the page for imports from other tools > says which new test cases are similar to others of the project', async () => {
  const project = await makeProject(server)
  await makeTestCase(server, project, { title: 'pays by CARD' })
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/tool`, 'admin')
  await page.getByLabel('File with test cases').setInputFiles(toFile(toXml('Pays by card')))
  await page.getByText('1 new test case: similar to one that exists. Created all the same.').waitFor()
  await page.getByRole('columnheader', { name: 'Similar here' }).waitFor()
  await page.getByRole('cell', { name: 'WEB-1 same title' }).waitFor()
  await checkPage(page, 'imports-similar')
  await page.getByLabel('Show', { exact: true }).selectOption('New, and similar to one here')
  await page.getByRole('cell', { name: 'Pays by voucher' }).waitFor({ state: 'detached' })
  const link = page.getByRole('cell', { name: 'WEB-1 same title' }).getByRole('link', { name: 'WEB-1' })
  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await opened.getByRole('textbox', { name: 'Title' }).waitFor()
})

it('the page for imports from other tools > tells a viewer who can import', async () => {
  const project = await makeProject(server)
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/tool`, 'viewer')
  await page.getByText('You can view this project, but not import test cases').waitFor()
})

it('the page for imports from other tools > shows conflicts side by side, and decides them by keyboard, one or all', async () => {
  const project = await makeProject(server)
  const toCsv = (title: string) =>
    `ID,Title,Section,Template,Steps\n${[1, 2, 3].map((id) => `C${id},${title} ${id},Basket,Test Case (Text),Open`).join('\n')}\n`
  await actOnImport(server, project, await planFile(server, project, toCsv('Case')), 'apply')
  for (const id of ['WEB-1', 'WEB-2', 'WEB-3']) {
    const path = `/v1/projects/${project.id}/test-cases/${id}`
    await server.request('PATCH', path, { token: project.admin.token, body: { title: `Here ${id}` } })
  }
  const done = await actOnImport(server, project, await planFile(server, project, toCsv('There')), 'apply')
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/cases/import/${done.id}`, 'admin')
  await page.getByRole('heading', { name: 'Changed here and in the source' }).waitFor()
  await page.getByRole('cell', { name: 'Here WEB-1' }).waitFor()
  await page.getByRole('cell', { name: 'There 1' }).first().waitFor()
  await checkPage(page, 'imports-conflicts')
  await page.getByRole('button', { name: 'Use the source’s for WEB-1 There 1' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Here WEB-1' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Keep all as they are here' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Keep what is here', exact: true }).last().click()
  await page.getByRole('heading', { name: 'Changed here and in the source' }).waitFor({ state: 'detached' })
  const { body } = await server.request<{ data: { title: string }[] }>('GET', `/v1/projects/${project.id}/test-cases`, {
    token: project.admin.token,
  })
  expect(body.data.map(({ title }) => title)).toEqual(['There 1', 'Here WEB-2', 'Here WEB-3'])
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the report' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('shop.xml report.csv')
})
