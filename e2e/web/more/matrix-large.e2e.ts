import { makeConfigurations, makeProject, makeRun, makeTestCases } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

it('shows 100 configurations of 2,000 test cases in a matrix, of which only what is in sight is in the page', async () => {
  const project = await makeProject(server)
  const keys = Array.from({ length: 10 }, (_, index) => `v${index}`)
  await makeConfigurations(server, project, { first: keys, second: keys })
  await makeTestCases(server, project, 2000)
  const run = await makeRun(server, project, { configurations: { groups: { first: keys, second: keys } } })
  const page = await browser.newPage()
  await openAs(page, server, project, `/runs/${run.id}?matrix=1`)
  const matrix = page.getByRole('grid', { name: 'Results by configuration' })
  await matrix.getByRole('rowheader').first().waitFor()
  await matrix.getByRole('img', { name: 'Not tested' }).first().waitFor()
  expect(await matrix.getAttribute('aria-colcount')).toBe('101')
  await expect.poll(() => matrix.getAttribute('aria-rowcount')).toBe('2001')
  expect(await matrix.getByRole('gridcell').count()).toBeLessThan(1500)
  await matrix.getByRole('rowheader').first().focus()
  await page.keyboard.press('Control+End')
  await matrix.getByText('Case 2000').waitFor()
  await matrix.getByRole('columnheader', { name: 'v9, v9' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-colindex'))).toBe('101')
  await checkPage(page, 'run-matrix-large')
})
