import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { defineItemRead, type JsonItems, readPage } from '../../platform/database/reads.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import { RESULT_COUNT } from '../runs/run-counts.ts'
import { allResultColumns, type ResultContext, resultColumns, toResultContext } from './result-columns.ts'
import { buildFilters, IN_RUN, isFiltered, type ResultFilters } from './result-filters.ts'

/** A page of a run's results in the order in which the test cases joined; null when the run is gone. */
export async function selectResults(
  db: Database,
  run: RunRef,
  filters: ResultFilters,
  range: PageRange,
  { withFields = false }: { withFields?: boolean } = {},
): Promise<JsonItems | null> {
  if (withFields) {
    let context: ResultContext = run.project
    const prepare = async (rows: readonly TextRow[]) => {
      context = await toResultContext(db, run.project, rows)
    }
    const queries = { ...buildFilteredQueries(run, filters, range, allResultColumns.selectList), prepare }
    return await readPage(db, queries, (row) => allResultColumns.toJson(row, context))
  }
  const queries = isFiltered(filters) ? buildFilteredQueries(run, filters, range) : buildUnfilteredQueries(run, range)
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

function buildFilteredQueries(
  run: RunRef,
  filters: ResultFilters,
  { limit, offset }: PageRange,
  selectList = resultColumns.selectList,
) {
  const { where, total, values } = buildFilters(filters)
  const count = values.length + 2
  const all = [run.id, run.project.id, ...values]
  const selectTotal = `select ${total} from runs run where run.id = $1`
  return {
    rows: {
      text: `
        select ${selectList}, (${selectTotal})
        from test_results r where ${IN_RUN}${where} order by r.id limit $${count + 1} offset $${count + 2}`,
      values: [...all, limit, offset],
    },
    // Names the project in any case: a statement must use all of its parameters.
    total: () => ({ text: `${selectTotal} and run.project_id = $2`, values: all }),
  }
}

/**
 * Finds a result of a run by its own id or by the id of its test case, and locks it, so that it keeps its test case
 * until the transaction ends. Undefined when there is none.
 */
export async function lockResult(tx: Database, run: RunRef, id: string): Promise<{ id: string } | undefined> {
  return await buildResultIdQuery(tx, run, id)?.forNoKeyUpdate().executeTakeFirst()
}

/** Returns the id of a result, given its own id or that of its test case; undefined when the run has no such result. */
export async function selectResultId(db: Database, run: RunRef, id: string): Promise<string | undefined> {
  return (await buildResultIdQuery(db, run, id)?.executeTakeFirst())?.id
}

/** A condition on `test_results r` for its own id or that of its test case; null for what is no id. */
export function buildHasResultId(run: RunRef, id: string): RawBuilder<boolean> | null {
  const number = parseTestCaseNumber(id, run.project.prefix)
  if (number !== null) return sql<boolean>`r.run_group = ${run.group} and r.case_number = ${number}`
  return isUuid(id) ? sql<boolean>`r.id = ${id}::uuid` : null
}

/** Returns null for what is no id. */
function buildResultIdQuery(db: Database, run: RunRef, id: string) {
  const hasId = buildHasResultId(run, id)
  if (hasId === null) return null
  return db
    .selectFrom('test_results as r')
    .select('r.id')
    .where('r.project_id', '=', run.project.id)
    .where('r.run_id', '=', run.id)
    .where(hasId)
}

const readResult = defineItemRead(
  allResultColumns,
  'from test_results r where r.project_id = $1 and r.run_id = $2 and r.id = $3',
  (db, row, project: ProjectRef) => toResultContext(db, project, [row]),
)

/** A result as a JSON object; null when there is none. */
export const selectResult = (db: Database, run: RunRef, id: string): Promise<string | null> =>
  readResult(db, [run.project.id, run.id, id], run.project)
