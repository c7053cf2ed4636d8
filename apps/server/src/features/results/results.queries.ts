import type { listResults } from '@caseward/contract/results'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

import type { Database } from '../../platform/database/connect.ts'
import { type JsonItems, readItem, readPage, toTextQuery } from '../../platform/database/columns.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { RESULT_COUNT, resultCount } from '../runs/run-counts.ts'
import { resultColumns } from './result-columns.ts'

type Filters = Static<typeof listResults.schema.querystring>

/**
 * A page of a run's results in the order in which the cases joined; null when the run is gone. Unless it searches, the
 * run's counters are the total.
 */
export async function selectResults(
  db: Database,
  run: RunRef,
  { status, search = '' }: Filters,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const total = sql`select ${buildTotal(run, status, search)} as total from runs run where run.id = ${run.id}`
  const queries = {
    rows:
      status === undefined && search === ''
        ? { text: SELECT_PAGE, values: [run.project.id, run.id, limit, offset] }
        : toTextQuery(
            db,
            sql`
              select ${sql.raw(resultColumns.selectList)}, (${total})
              from test_results r where ${matching(run, status, search)} order by r.id limit ${limit} offset ${offset}`,
          ),
    total: () => toTextQuery(db, total),
  }
  return await readPage(db, resultColumns, queries, run.project)
}

// A fixed text: to build one from templates costs as much as to run it.
const SELECT_PAGE = `
  select ${resultColumns.selectList}, (select ${RESULT_COUNT} from runs run where run.id = $2)
  from test_results r where r.project_id = $1 and r.run_id = $2 order by r.id limit $3 offset $4`

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

/** One result as a JSON object; null when there is none. */
export async function selectResult(db: Database, run: RunRef, id: string): Promise<string | null> {
  const from = {
    text: 'from test_results r where r.project_id = $1 and r.run_id = $2 and r.id = $3',
    values: [run.project.id, run.id, id],
  }
  return await readItem(db, resultColumns, from, run.project)
}
