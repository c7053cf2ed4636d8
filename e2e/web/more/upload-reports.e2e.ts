import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const toFile = (name: string, xml: string) => ({ name, mimeType: 'text/xml', buffer: Buffer.from(xml) })
const suite = (...names: readonly string[]) =>
  `<testsuite name="Checkout">${names.map((name) => `<testcase name="${name}"/>`).join('')}</testsuite>`

it('makes a run of JUnit reports that somebody has as files, and says what it could not store', async () => {
  const { project } = await makeRunScenario(server)
  const page = await browser.newPage()
  await openAs(page, server, project, `/projects/${project.id}/runs`)
  const choose = page.getByLabel('JUnit XML files')
  const upload = page.getByRole('button', { name: 'Upload', exact: true })
  const open = () => page.getByRole('button', { name: 'Upload results' }).click()

  await open()
  await page.getByRole('heading', { name: 'Upload results' }).waitFor()
  await checkPage(page, 'upload results')
  await choose.setInputFiles(toFile('page.xml', '<html>'))
  await upload.click()
  await page.getByText(/^page\.xml: /).waitFor()
  await checkPage(page, 'upload results, unreadable')
  await choose.setInputFiles([toFile('c.xml', suite('refunds')), toFile('all.zip', 'PK\u0003\u0004')])
  await upload.click()
  await page.getByText(/^all\.zip: /).waitFor()
  expect(await page.getByText('Uploaded results,').count()).toBe(0)

  await choose.setInputFiles([toFile('a.xml', suite('WEB-1 pays by card', 'refunds')), toFile('b.xml', '<html>')])
  await upload.click()
  await page.getByText('2 tests are stored, 1 of them with a test case.').waitFor()
  await page.getByText(/^b\.xml: /).waitFor()
  await checkPage(page, 'upload results, in part')
  await page.getByRole('link', { name: '1 test without one' }).click()
  await page.waitForURL(/\/tests\?match=unmatched$/)

  await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
  await open()
  await choose.setInputFiles(toFile('c.xml', suite('WEB-1 pays by card')))
  await page.getByLabel('Name of the run').fill('By hand')
  await upload.click()
  await page.getByRole('heading', { name: 'By hand' }).waitFor()
  await page
    .getByRole('grid', { name: 'Results' })
    .getByRole('row', { name: /WEB-1\b/ })
    .waitFor()
})
