import type { TestServer } from '@caseward/test-support/test-server'
import type { Page } from 'playwright-core'

import { openAs, type Role } from './open-as.ts'
import type { RunScenario } from './run-scenario.ts'
import type { TestBrowser } from './use-browser.ts'

interface OpenOptions {
  query?: string
  role?: Role
  runId?: string
}

/** Opens the page of a run as a member, or as a user with another role. */
export async function openRun(
  browser: TestBrowser,
  server: TestServer,
  scenario: RunScenario,
  { query = '', role = 'member', runId = scenario.runId }: OpenOptions = {},
): Promise<Page> {
  const page = await browser.newPage()
  await openAs(page, server, scenario.project, `/runs/${runId}${query}`, role)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByRole('grid').waitFor()
  return page
}

/** Rows of results, without the heads of folders and the table. */
export const resultRows = (page: Page) => page.getByRole('row').filter({ hasText: /WEB-\d/ })

/** The link that shows only the results with a status. */
export const getTab = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
