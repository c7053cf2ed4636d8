import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { makeFolder, makeProject, makeRun } from '@caseward/test-support/factories'
import { useTestServer } from '@caseward/test-support/test-server'

import { openAs } from '../open-as.ts'
import { checkPage } from '../page-checks.ts'
import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

const COUNT = 10_000
/** PostgreSQL accepts 65,535 parameters. */
const ROWS_PER_INSERT = 5000
const LEVELS = 10

let project: Awaited<ReturnType<typeof makeProject>>
let runId: string
beforeAll(async () => {
  project = await makeProject(server, { name: 'A project with a long name '.repeat(8).trim() })
  await insertCases(await makeFolders())
  runId = (await makeRun(server, project, { name: 'Regression of the whole shop '.repeat(7).trim() })).id
  await setStatuses()
})

describe('a run of 10,000 test cases with long titles', () => {
  it('is shown whole, and filtered by counts with thousands', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${runId}`)
    const grid = page.getByRole('grid')
    // The rows of the folders and the head count, too.
    await expect.poll(() => grid.getAttribute('aria-rowcount'), { timeout: 20_000 }).toBe(String(COUNT + LEVELS + 1))
    await checkPage(page, 'run-10000')
    await grid.getByRole('row').nth(1).focus()
    await page.keyboard.press('End')
    await grid
      .getByRole('row')
      .filter({ hasText: `WEB-${COUNT}` })
      .waitFor()
    await page.getByRole('link', { name: /^Failed/ }).click()
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(COUNT / 5 + LEVELS + 1))
    await grid.getByRole('row').filter({ hasText: 'WEB-' }).first().click()
    await page.getByRole('button', { name: 'Show all' }).waitFor()
    await checkPage(page, 'run-10000-result')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('The last line of the note', { exact: false }).waitFor()
  })

  it('is executed with the same keys, and shows where it is', async () => {
    const page = await browser.newPage()
    await openAs(page, server, project, `/runs/${runId}/execute`)
    await waitForPosition(page, `5 of ${COUNT.toLocaleString('en')}`)
    await checkPage(page, 'execution-10000')
    await page.keyboard.press('p')
    await waitForPosition(page, `10 of ${COUNT.toLocaleString('en')}`)
    await page.getByText(/^All saved/).waitFor()
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBeLessThan(100)
  })
})

const waitForPosition = (page: Page, text: string) => page.getByText(text).first().waitFor()

/** Makes folders that contain each other. @returns their ids, the outermost first */
async function makeFolders(): Promise<string[]> {
  const ids: string[] = []
  for (let level = 1; level <= LEVELS; level += 1) {
    const name = `Level ${level} of the folders of the shop`
    ids.push((await makeFolder(server, project, { name, parent_id: ids.at(-1) ?? null })).id)
  }
  return ids
}

async function insertCases(folders: readonly string[]): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    project_id: project.id,
    number: index + 1,
    title: `Case ${index + 1} ${(index % 2 === 0 ? 'pays by card ' : 'Wordwithoutspaces').repeat(20)}`.slice(0, 200),
    folder_id: folders[Math.floor(index / (COUNT / LEVELS))] ?? null,
    tags: Array.from({ length: 8 }, (_tag, number) => `tag ${number + 1}`),
  }))
  for (let start = 0; start < COUNT; start += ROWS_PER_INSERT) {
    await server.db
      .insertInto('test_cases')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute()
  }
  await server.db
    .updateTable('projects')
    .set({ test_case_count: COUNT, last_test_case_number: COUNT })
    .where('id', '=', project.id)
    .execute()
}

/** Four of five test cases in succession have a result, with a note of 100 long lines. */
async function setStatuses(): Promise<void> {
  const note = `${'expected a total of 19.99, got 20.01 '.repeat(8)}\n${'another line\n'.repeat(99)}The last line of the note`
  await sql`
    update test_results
    set status = (array['not_tested', 'passed', 'failed', 'blocked', 'retest']::text[])[case_number % 5 + 1]::result_status,
      note = case when case_number % 5 = 0 then null else ${note} end,
      tested_at = case when case_number % 5 = 0 then null else now() end
    where run_id = ${runId}`.execute(server.db)
  const each = COUNT / 5
  await server.db
    .updateTable('runs')
    .set({ passed_count: each, failed_count: each, blocked_count: each, retest_count: each, not_tested_count: each })
    .where('id', '=', runId)
    .execute()
}
