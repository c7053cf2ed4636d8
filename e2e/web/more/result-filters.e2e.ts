import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { makeRunScenario } from '../run-scenario.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** A run of six test cases, of which the first is critical and the second high; both failed. */
async function openRun(path = '', viewport = { width: 1440, height: 900 }) {
  const scenario = await makeRunScenario(server)
  const { project, runId, setResult } = scenario
  for (const [id, priority] of [
    ['WEB-1', 'critical'],
    ['WEB-2', 'high'],
  ] as const) {
    const url = `/v1/projects/${project.id}/test-cases/${id}`
    await server.request('PATCH', url, { token: project.admin.token, body: { priority } })
    await setResult(id, { status: 'failed' })
  }
  const page = await browser.newPage({ viewport })
  await openAs(page, server, project, `/runs/${runId}${path}`)
  await page.getByRole('searchbox').waitFor()
  return page
}
/** The button does nothing, and is not marked as one that opens something, until its code is loaded. */
const openFilters = (page: Page) => page.getByRole('button', { name: 'Filter', exact: true, expanded: false }).click()
const choose = async (page: Page, name: string) => {
  await page.getByRole('menuitemcheckbox', { name }).click()
}

it('The results of a run are filtered by any number of priorities, in the URL', async () => {
  const page = await openRun()
  const rows = page.getByRole('grid').getByRole('row', { name: /WEB-/ })
  await expect.poll(() => rows.count()).toBe(6)
  await page.getByRole('button', { name: 'Priority: all' }).click()
  await choose(page, 'Critical')
  await choose(page, 'High')
  await page.keyboard.press('Escape')
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(() => new URL(page.url()).search).toBe('?priority=critical&priority=high')
  const failed = page.getByRole('navigation', { name: 'Results by status' }).getByRole('link', { name: /^Failed/ })
  expect(await failed.innerText()).toMatch(/2$/)
  await page.reload()
  await page.getByRole('button', { name: 'Priority: 2 priorities' }).waitFor()
  await checkPage(page, 'run-priority')
})

it('The filters of a run take one row on a phone, behind one button', async () => {
  const page = await openRun('', { width: 390, height: 844 })
  const rows = page.getByRole('grid').getByRole('row', { name: /WEB-/ })
  const parts = [
    page.getByRole('button', { name: /^All/ }),
    page.getByRole('searchbox'),
    page.getByRole('button', { name: 'Filter' }),
  ]
  const measureSpread = async () => {
    const boxes = await Promise.all(parts.map((part) => part.boundingBox()))
    const middles = boxes.map((box) => (box === null ? -1 : box.y + box.height / 2))
    return Math.max(...middles) - Math.min(...middles)
  }
  // The page above the filters loads meanwhile, and moves them.
  await expect.poll(measureSpread).toBeLessThan(4)
  await openFilters(page)
  await page.getByRole('button', { name: 'Priority: all' }).click()
  await choose(page, 'Critical')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Filter 1' }).waitFor()
  await expect.poll(() => rows.count()).toBe(1)
})

it('Execution shows the test cases of a priority, and clears the filter', async () => {
  const page = await openRun('/execute?priority=low')
  await page.getByRole('heading', { name: 'No test case matches' }).waitFor()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
  const rows = page.getByRole('listbox').getByRole('option')
  await expect.poll(() => rows.count()).toBe(6)
  await openFilters(page)
  await page.getByRole('button', { name: 'Priority: all' }).click()
  await choose(page, 'High')
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(() => new URL(page.url()).searchParams.get('priority')).toBe('high')
})
