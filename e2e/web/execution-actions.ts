import type { TestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'

import { openAs } from './open-as.ts'
import type { RunScenario } from './run-scenario.ts'
import type { TestBrowser } from './use-browser.ts'

interface OpenOptions {
  query?: string
  /** Whether the test sets the clock of the page. */
  hasClock?: boolean
}

/** Opens the execution of a run as a member. */
export async function openExecution(
  browser: TestBrowser,
  server: TestServer,
  scenario: RunScenario,
  { query = '', hasClock = false }: OpenOptions = {},
): Promise<Page> {
  const page = await (hasClock ? browser.newWindow() : browser.newPage())
  if (hasClock) await page.clock.install()
  await openAs(page, server, scenario.project, `/runs/${scenario.runId}/execute${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // Keys act once the user's role and the run are known, as the buttons do.
  await page.getByRole('button', { name: 'Passed' }).first().waitFor()
  return page
}

/** The status of a row of the list, in words. */
export const getRowStatus = (page: Page, id: string) =>
  page
    .getByRole('option')
    .filter({ hasText: `${id}A customer` })
    .getByRole('img')
    .first()
    .getAttribute('aria-label')
