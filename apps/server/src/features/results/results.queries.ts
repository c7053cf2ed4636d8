import type { listResults } from '@caseward/contract/results'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery, defineTextQuery } from '../../platform/database/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { RESULT_COUNT, resultCount } from '../runs/run-counts.ts'
import { RESULT_COLUMNS, type ResultRow } from './present-result.ts'

type Filters = Static<typeof listResults.schema.querystring>

const COLUMNS = RESULT_COLUMNS.join(', ')

type CountedRow = readonly [...ResultRow, total: string]

/**
 * A page of a run's results in the order in which the cases joined, with how many there are; undefined when the run is
 * gone. Unless it searches, the run's counters are the total.
 */
export async function selectResults(
  db: Database,
  run: RunRef,
  { status, search = '' }: Filters,
  page: PageRange,
): Promise<{ rows: readonly CountedRow[]; total: number } | undefined> {
  const rows =
    status === undefined && search === ''
      ? await selectPage(db, [run.project.id, run.id, page.limit, page.offset])
      : await selectMatching(db, run, { status, search }, page)
  const total = rows[0]?.[8]
  if (total !== undefined) return { rows, total: Number(total) }
  // No row says the total: the page is past the end, or nothing matches, or the run is gone.
  const counted = await sql<{ total: number }>`
    select ${buildTotal(run, status, search)} as total from runs run where run.id = ${run.id}`.execute(db)
  return counted.rows[0] && { rows, total: counted.rows[0].total }
}

// Rows, not JSON: PostgreSQL takes twice as long to make a page of JSON as to find it.
const selectPage = defineTextQuery<CountedRow>(`
  select ${COLUMNS}, (select ${RESULT_COUNT} from runs run where run.id = $2)
  from test_results r where r.project_id = $1 and r.run_id = $2 order by r.id limit $3 offset $4`)

const selectMatching = (
  db: Database,
  run: RunRef,
  { status, search }: { status: Filters['status']; search: string },
  { limit, offset }: PageRange,
) =>
  runTextQuery<CountedRow>(
    db,
    sql`
      select ${sql.raw(COLUMNS)}, (select ${buildTotal(run, status, search)} from runs run where run.id = ${run.id})
      from test_results r where ${matching(run, status, search)} order by r.id limit ${limit} offset ${offset}`,
  )

function matching(run: RunRef, status: Filters['status'], search: string): RawBuilder<unknown> {
  const conditions = [sql`r.project_id = ${run.project.id} and r.run_id = ${run.id}`]
  if (status !== undefined) conditions.push(sql`r.status = ${status}`)
  if (search !== '') conditions.push(sql`r.title ilike ${toLikePattern(search)}`)
  return sql.join(conditions, sql` and `)
}

function buildTotal(run: RunRef, status: Filters['status'], search: string): RawBuilder<unknown> {
  if (search !== '') return sql`(select count(*) from test_results r where ${matching(run, status, search)})`
  return status === undefined ? resultCount : sql.ref(`run.${status}_count`)
}

/**
 * Which case a result of a run belongs to: found by the result's id or by the case's. Undefined when there is none.
 * Holds it, so that it belongs to that case until the transaction ends.
 */
export async function lockResult(tx: Database, run: RunRef, id: string) {
  const number = parseTestCaseNumber(id, run.project.prefix)
  if (number === null && !isUuid(id)) return undefined
  const which = number === null ? sql<boolean>`id = ${id}::uuid` : sql<boolean>`case_number = ${number}`
  return await tx
    .selectFrom('test_results')
    .select(['id', 'case_number'])
    .where('project_id', '=', run.project.id)
    .where('run_id', '=', run.id)
    .where(which)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** One result, within the transaction that has just written it. */
export async function selectResult(tx: Database, run: RunRef, id: string): Promise<ResultRow | undefined> {
  const { rows } = await sql<{ result: ResultRow }>`
    select array[${sql.raw(RESULT_COLUMNS.map((column) => `${column}::text`).join(', '))}] as result
    from test_results r where r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.id = ${id}`.execute(tx)
  return rows[0]?.result
}
