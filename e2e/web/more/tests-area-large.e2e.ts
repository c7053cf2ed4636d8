import { useTestServer } from '@caseward/test-support/test-server'
import { makeTest } from '@caseward/test-support/tests-scenario'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { getTestRow, makeTestsArea } from '../tests-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** A run with more tests than the server counts. */
const COUNT = 10_100
const PER_PAGE = 500

const makeLargeArea = async () => {
  const area = await makeTestsArea(server)
  await area.upload(Array.from({ length: COUNT }, (_, index) => makeTest(`Large > number ${index + 1}`)))
  return area
}

const getRowCount = (page: Page) => page.getByRole('row').count()

describe('a list of 10,000 tests', () => {
  it('loads the next page at its end, keeps few rows in the page, and is searched on the server', async () => {
    const area = await makeLargeArea()
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path)
    await page.getByText('10,000+ automated tests').waitFor()
    await getTestRow(page, 'adds an item').focus()
    for (let loaded = PER_PAGE; loaded <= 3 * PER_PAGE; loaded += PER_PAGE) {
      await page.keyboard.press('End')
      await page.locator(`[aria-rowindex="${loaded + 1}"]:focus`).waitFor()
      // The next ones have arrived.
      await page.locator(`[aria-rowindex="${loaded + 2}"]`).waitFor()
    }
    expect(await getRowCount(page)).toBeLessThan(80)
    await page.getByLabel('Search tests').fill('number 10099')
    await page.getByText('1 automated test with “number 10099”').waitFor()
    await getTestRow(page, 'number 10099').waitFor()
  })

  it('says once that a further page could not be loaded, and loads it on request', async () => {
    const area = await makeLargeArea()
    const page = await browser.newPage()
    await openAs(page, server, area.project, area.path)
    let requests = 0
    await page.route('**/tests?*after=*', async (route) => {
      requests += 1
      await route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"status":500}' })
    })
    await getTestRow(page, 'adds an item').focus()
    await page.keyboard.press('End')
    await page.getByText('Not all tests could be loaded.').waitFor()
    const failed = requests
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await page.locator(`[aria-rowindex="${PER_PAGE + 1}"]:focus`).waitFor()
    expect(requests).toBe(failed)
    await page.unroute('**/tests?*after=*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator(`[aria-rowindex="${PER_PAGE + 2}"]`).waitFor()
    await page.getByText('Not all tests could be loaded.').waitFor({ state: 'detached' })
  })
})
