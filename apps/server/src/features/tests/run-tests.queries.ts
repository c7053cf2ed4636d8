import type { listRunTests, OutcomePart, SuiteErrorInRun } from '@caseward/contract/run-tests'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { defineItemRead, readCursorPage, toTextQuery } from '../../platform/database/reads.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { selectAttachmentsOfResult } from '../attachments/attachments.queries.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { selectParts } from './select-parts.ts'
import { selectStaleTests } from './stale-tests.queries.ts'
import { countTests, type TestPage } from './test-pages.ts'
import { runTestColumns, runTestDetailColumns } from './test-columns.ts'
import { buildSearch, isLinkedTo } from './test-filters.ts'

type Filters = Static<typeof listRunTests.schema.querystring>

const FROM = 'test_outcomes o join tests t on t.project_id = o.project_id and t.id = o.test_id'

/** A page of the tests of a run. */
export async function selectRunTests(db: Database, run: RunRef, filters: Filters): Promise<TestPage> {
  const { after, per_page: perPage = 20 } = filters
  const conditions = buildConditions(run, filters)
  if (conditions === null) return { items: '[]', nextAfter: null, total: 0 }
  const from = sql`from ${sql.raw(FROM)} where ${sql.join(conditions, sql` and `)}`
  const rows = sql`
    select ${sql.raw(runTestColumns.selectList)}, o.test_id
    ${from} ${after === undefined ? sql`` : sql`and o.test_id > ${after}`}
    order by o.test_id limit ${perPage + 1}`
  const [page, total] = await Promise.all([
    readCursorPage(db, { ...toTextQuery(db, rows), useCustomPlan: true }, perPage, (row) =>
      runTestColumns.toJson(row, run.project),
    ),
    countTests(db, from),
  ])
  return { ...page, total }
}

/** The filters as conditions; null when nothing can match. */
function buildConditions(run: RunRef, filters: Filters): RawBuilder<unknown>[] | null {
  const { matched, outcome, flaky, result_id: resultId, search } = filters
  const conditions = [sql`o.project_id = ${run.project.id} and o.run_id = ${run.id}`]
  if (matched !== undefined) conditions.push(matched ? sql`o.is_matched` : sql`not o.is_matched`)
  if (outcome !== undefined) conditions.push(sql`o.status = ${outcome}`)
  if (flaky !== undefined) conditions.push(flaky ? sql`o.is_flaky` : sql`not o.is_flaky`)
  if (search !== undefined && search !== '') conditions.push(buildSearch(search))
  if (resultId === undefined) return conditions
  const number = parseTestCaseNumber(resultId, run.project.prefix)
  if (number === null && !isUuid(resultId)) return null
  conditions.push(isLinkedTo(number === null ? buildCaseOfResult(run, resultId) : sql`${number}`))
  return conditions
}

const buildCaseOfResult = (run: RunRef, id: string) => sql`(
  select case_number from test_results where project_id = ${run.project.id} and run_id = ${run.id} and id = ${id}
)`

const readRunTest = defineItemRead(
  runTestDetailColumns,
  `from ${FROM} where o.project_id = $1 and o.run_id = $2 and o.test_id = $3`,
)

/** A test of a run with its attempts as a JSON object; null when there is none. */
export async function selectRunTest(db: Database, run: RunRef, testId: string): Promise<string | null> {
  if (!isUuid(testId)) return null
  const [test, details] = await Promise.all([
    readRunTest(db, [run.project.id, run.id, testId], run.project),
    selectDetails(db, run, [testId]),
  ])
  if (test === null) return null
  const hasAttachments = !test.includes('"attachment_count":0,')
  const attachments = hasAttachments
    ? await selectAttachmentsOfResult(db, run, { resultId: null, testIds: [testId] })
    : []
  return `${addDetails(test, testId, details).slice(0, -1)},"attachments":${JSON.stringify(attachments)}}`
}

/** What the page of a test shows of it besides its row. */
interface TestDetails {
  parts: ReadonlyMap<string, OutcomePart[]>
  /** Tests that are not in the newest report of their file. */
  stale: ReadonlySet<string>
}

async function selectDetails(db: Database, run: RunRef, testIds: readonly string[]): Promise<TestDetails> {
  const [parts, stale] = await Promise.all([selectParts(db, run, testIds), selectStaleTests(db, run, testIds)])
  return { parts, stale }
}

/** Adds details to a test as a JSON object. */
const addDetails = (test: string, id: string, { parts, stale }: TestDetails): string =>
  `${test.slice(0, -1)},"parts":${JSON.stringify(parts.get(id) ?? [])},"is_in_newest_report":${!stale.has(id)}}`

const MAX_TESTS_OF_RESULT = 100

const SELECT_OF_RESULT = `
  select ${runTestColumns.selectList}, o.test_id
  from test_results r
  join test_links l on l.project_id = r.project_id and l.case_number = r.case_number
  join test_outcomes o on o.project_id = r.project_id and o.run_id = r.run_id and o.test_id = l.test_id
  join tests t on t.project_id = o.project_id and t.id = o.test_id
  where r.project_id = $1 and r.run_id = $2 and r.id = $3
  order by o.test_id limit ${MAX_TESTS_OF_RESULT}`

/** The tests of the test case of a result as a JSON array, and their ids. */
export async function selectTestsOfResult(
  db: Database,
  run: RunRef,
  resultId: string,
): Promise<{ json: string; ids: string[] }> {
  const rows = await runTextQuery(db, { text: SELECT_OF_RESULT, values: [run.project.id, run.id, resultId] })
  const ids = rows.map((row) => row.at(-1) ?? '')
  const details = await selectDetails(db, run, ids)
  const tests = rows.map((row, index) => addDetails(runTestColumns.toJson(row, run.project), ids[index] ?? '', details))
  return { json: `[${tests.join(',')}]`, ids }
}

const MAX_SUITE_ERRORS = 1000

/** The errors of a run outside of its tests, the newest first. */
export async function selectSuiteErrors(db: Database, { id, project }: RunRef): Promise<SuiteErrorInRun[]> {
  const { rows } = await sql<{ id: string; location: string; message: string; shard: string; reported_at: Date }>`
    select id, location, message, shard, reported_at from suite_errors
    where project_id = ${project.id} and run_id = ${id}
    order by reported_at desc, id desc limit ${sql.lit(MAX_SUITE_ERRORS)}`.execute(db)
  return rows.map(({ id: errorId, location, message, shard, reported_at }) => ({
    id: errorId,
    where: location,
    message,
    shard: shard === '' ? null : shard,
    at: presentTime(reported_at),
  }))
}
