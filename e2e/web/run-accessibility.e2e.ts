import { useTestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { findAxeViolations } from './find-axe-violations.ts'
import { makeRunScenario, openAs, type RunScenario } from './run-scenario.ts'
import { useBrowser } from './use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

let scenario: RunScenario
beforeAll(async () => {
  scenario = await makeRunScenario(server, 12)
  for (const [index, status] of ['passed', 'failed', 'blocked', 'retest'].entries()) {
    await scenario.setResult(`WEB-${index + 1}`, {
      status,
      note: `A note\n\n| a | b |\n|---|---|\n| 1 | ${index} |`,
      elapsed: 90,
    })
  }
})

const looks = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const

async function open(path: string, colorScheme: 'light' | 'dark', width: number): Promise<Page> {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 844 }, hasTouch: width < 500 })
  await openAs(page, server, scenario.project, path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

/** Waits until nothing that opens or closes is half transparent, which would change its contrast. */
async function check(page: Page, state: string): Promise<void> {
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => null))))
  expect(await findAxeViolations(page), state).toEqual([])
}

describe.each(looks)('in the %s theme at a width of %i', (theme, width) => {
  it('execution has no axe violation in any state', async () => {
    const page = await open(`/runs/${scenario.runId}/execute?result=`, theme, width)
    await page.getByText('Go to payment').waitFor()
    await check(page, 'a test case')
    await page.keyboard.press('n')
    await page.getByLabel('Note', { exact: true }).fill('Typed')
    await check(page, 'a note')
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await page
      .getByRole('button', { name: /^(Clear|Note)/ })
      .first()
      .waitFor()
    await check(page, 'a selection')
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await page.getByText(/^All saved/).waitFor()
    await check(page, 'a toast')
    if (width === 390) await page.getByRole('button', { name: /of 12$/ }).click()
    await page.getByRole('button', { name: 'Status: All' }).click()
    await page.getByRole('menu').waitFor()
    await check(page, 'the menu of statuses')
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox').fill('nothing')
    await page.getByText('No test case matches').waitFor()
    await check(page, 'no match')
  })

  it('a run has no axe violation in any state', async () => {
    const page = await open(`/runs/${scenario.runId}`, theme, width)
    await page.getByRole('grid').waitFor()
    await page.getByText('A customer pays in way 2', { exact: true }).waitFor()
    await check(page, 'the list')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menu').waitFor()
    await check(page, 'the menu')
    await page.getByRole('menuitem', { name: 'Print' }).focus()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await page.getByText('A customer pays in way 2', { exact: true }).click()
    await page.getByRole('article').getByRole('table').waitFor()
    await page.getByRole('article').getByText('Go to payment').waitFor()
    await check(page, 'a result')
    await page.goto(`${server.url}/runs/${scenario.runId}?q=nothing`)
    await page.getByText('No result matches').waitFor()
    await check(page, 'no match')
  })
})

describe('in a window of 320 pixels', () => {
  it.each(['', '/execute'])('nothing scrolls sideways: /runs/…%s', async (path) => {
    const page = await open(`/runs/${scenario.runId}${path}`, 'light', 320)
    await page
      .getByText(/A customer pays in way/)
      .first()
      .waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

describe('with a title of 255 characters and a name without spaces', () => {
  it.each([1440, 390])('nothing scrolls sideways at a width of %i', async (width) => {
    const { project, runId } = scenario
    await server.db
      .updateTable('test_results')
      .set({ title: 'Wordwithoutspaces'.repeat(15) })
      .where('run_id', '=', runId)
      .execute()
    await server.db
      .updateTable('runs')
      .set({ name: 'n'.repeat(255) })
      .where('project_id', '=', project.id)
      .execute()
    const page = await open(`/runs/${runId}/execute`, 'light', width)
    await page.getByText('Go to payment').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.goto(`${server.url}/runs/${runId}`)
    await page.getByRole('grid').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })
})
