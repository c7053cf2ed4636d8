import type { listResults } from '@caseward/contract/results'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

import type { Database } from '../../platform/database/connect.ts'
import { defineItemRead, type JsonItems, readPage, toTextQuery } from '../../platform/database/reads.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { RESULT_COUNT } from '../runs/run-counts.ts'
import { resultColumns } from './result-columns.ts'

type Filters = Static<typeof listResults.schema.querystring>

/** A page of a run's results in the order in which the test cases joined; null when the run is gone. */
export async function selectResults(
  db: Database,
  run: RunRef,
  filters: Filters,
  range: PageRange,
): Promise<JsonItems | null> {
  const isFiltered = filters.status !== undefined || (filters.search ?? '') !== ''
  const queries = isFiltered ? buildFilteredQueries(db, run, filters, range) : buildUnfilteredQueries(run, range)
  return await readPage(db, queries, (row) => resultColumns.toJson(row, run.project))
}

// Fixed texts: building a statement from templates takes as long as running it.
const SELECT_TOTAL = `select ${RESULT_COUNT} from runs where id = $1`
const SELECT_FIRST_PAGE = `
  select ${resultColumns.selectList}, (${SELECT_TOTAL})
  from test_results r where r.project_id = $2 and r.run_id = $1 order by r.id limit $3`
// Looks up the first id of the page in the index, so that the results before it are not read: page 400 takes half as long.
const SELECT_LATER_PAGE = `
  select ${resultColumns.selectList}, (${SELECT_TOTAL})
  from test_results r where r.project_id = $2 and r.run_id = $1 and r.id >= (
    select id from test_results where project_id = $2 and run_id = $1 order by id limit 1 offset $4
  )
  order by r.id limit $3`

function buildUnfilteredQueries({ id, project }: RunRef, { limit, offset }: PageRange) {
  const values = [id, project.id, limit]
  return {
    rows: offset === 0 ? { text: SELECT_FIRST_PAGE, values } : { text: SELECT_LATER_PAGE, values: [...values, offset] },
    total: () => ({ text: SELECT_TOTAL, values: [id] }),
  }
}

/** Without a search, the run's counters are the total. */
function buildFilteredQueries(
  db: Database,
  run: RunRef,
  { status, search = '' }: Filters,
  { limit, offset }: PageRange,
) {
  const conditions = [sql`r.project_id = ${run.project.id} and r.run_id = ${run.id}`]
  if (status !== undefined) conditions.push(sql`r.status = ${status}`)
  if (search !== '') conditions.push(sql`r.title ilike ${toLikePattern(search)}`)
  const where = sql.join(conditions, sql` and `)
  const count: RawBuilder<unknown> =
    search === '' ? sql.ref(`run.${status}_count`) : sql`(select count(*) from test_results r where ${where})`
  const total = sql`select ${count} from runs run where run.id = ${run.id}`
  const rows = sql`
    select ${sql.raw(resultColumns.selectList)}, (${total})
    from test_results r where ${where} order by r.id limit ${limit} offset ${offset}`
  return { rows: toTextQuery(db, rows), total: () => toTextQuery(db, total) }
}

/**
 * Finds a result of a run by its own id or by the id of its test case, and locks it, so that it keeps its test case
 * until the transaction ends. Undefined when there is none.
 */
export async function lockResult(tx: Database, run: RunRef, id: string): Promise<{ id: string } | undefined> {
  const number = parseTestCaseNumber(id, run.project.prefix)
  if (number === null && !isUuid(id)) return undefined
  const hasId =
    number === null
      ? sql<boolean>`id = ${id}::uuid`
      : sql<boolean>`run_group = ${run.group} and case_number = ${number}`
  return await tx
    .selectFrom('test_results')
    .select('id')
    .where('project_id', '=', run.project.id)
    .where('run_id', '=', run.id)
    .where(hasId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

const readResult = defineItemRead(
  resultColumns,
  'from test_results r where r.project_id = $1 and r.run_id = $2 and r.id = $3',
)

/** A result as a JSON object; null when there is none. */
export const selectResult = (db: Database, run: RunRef, id: string): Promise<string | null> =>
  readResult(db, [run.project.id, run.id, id], run.project)
