import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makeReportedRun, share } from '@caseward/test-support/share-scenario'
import { useTestServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { useBrowser } from '../use-browser.ts'

const server = useTestServer()
const browser = useBrowser()

/** A directory for the printed report; by default it is not kept. */
const pictures = process.env['PICTURES'] || undefined
/** The room of a page of A4 within the margins of the report, in CSS pixels. */
const PAGE_HEIGHT = ((297 - 2 * 15) / 25.4) * 96

it('a shared report of 500 results is printed on A4 without a result that is cut by the end of a page', async () => {
  const { project, token, run } = await makeReportedRun(server)
  await sql`
    insert into test_results (project_id, run_id, run_group, id, title, status, note)
    select ${project.id}::uuid, ${run.id}::uuid, 0, gen_random_uuid(), 'A customer pays in way ' || n,
      case when n % 10 = 0 then 'failed' else 'passed' end::result_status,
      case when n % 10 = 0 then repeat('AssertionError: expected the total of the basket' || chr(10), 1 + n % 17) end
    from generate_series(1, 497) n`.execute(server.db)
  await sql`
    update runs set failed_count = 50, passed_count = 449, not_tested_count = 1 where id = ${run.id}`.execute(server.db)
  const { path } = await share(server, token, `/v1/runs/${run.id}`, ['notes', 'steps', 'files', 'links'])
  const page = await browser.newPage()
  await page.goto(`${server.url}${path}?all=1`)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: Math.round(((210 - 2 * 15) / 25.4) * 96), height: Math.round(PAGE_HEIGHT) })
  const blocks = await page.locator('.result, .results tr').evaluateAll((elements) =>
    elements.map((element) => ({
      breakInside: getComputedStyle(element).breakInside,
      height: element.getBoundingClientRect().height,
    })),
  )
  expect(blocks.length).toBeGreaterThan(550)
  // The browser keeps on one page what asks for it and fits on one.
  expect(new Set(blocks.map(({ breakInside }) => breakInside))).toEqual(new Set(['avoid']))
  expect(Math.max(...blocks.map(({ height }) => height))).toBeLessThan(PAGE_HEIGHT)
  const heads = await page
    .locator('.results thead')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).display))
  expect(new Set(heads)).toEqual(new Set(['table-header-group']))
  const paper = await page.pdf({ format: 'A4', preferCSSPageSize: true })
  if (pictures !== undefined) await writeFile(join(pictures, 'report.pdf'), paper)
  const pageCount = paper.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0
  expect(pageCount).toBeGreaterThan(10)
  expect(pageCount).toBeLessThan(40)
})
