import type { listRuns, RunSort } from '@caseward/contract/runs'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { Database } from '../../platform/database/connect.ts'
import { defineItemRead, type JsonItems, readPage, toTextQuery } from '../../platform/database/reads.ts'
import type { TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import { parseTimestamp } from '../../platform/http/timestamps.ts'
import type { ValuesContext } from '../fields/values-context.ts'
import { evaluatedRunColumns, runColumns, toRunContext } from './run-columns.ts'
import { RESULT_COUNT, resultCount } from './run-counts.ts'

type Filters = Static<typeof listRuns.schema.querystring>

/** A page of runs, the newest first; null when the project is gone. Unfiltered, the project's counter is the total. */
export async function selectRuns(
  db: Database,
  projectId: string,
  filters: Filters,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const conditions = buildConditions(projectId, filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const where = sql.join([sql`r.project_id = ${projectId}`, ...conditions], sql` and `)
  const count = conditions.length === 0 ? sql`p.run_count` : sql`(select count(*) from runs r where ${where})`
  const total = sql`select ${count} from projects p where p.id = ${projectId}`
  if (filters.sort !== undefined && filters.after !== undefined) {
    throw invalidFieldProblem('/after', 'works only in the order of creation: read sorted runs by `page`')
  }
  const columns = filters.fields === 'evaluation' ? evaluatedRunColumns : runColumns
  const rows = sql`
    select ${sql.raw(columns.selectList)}, (${total})
    from runs r where ${where}${filters.after === undefined ? sql`` : sql` and r.id < ${filters.after}`}
    order by ${buildOrder(filters)} limit ${limit} offset ${offset}`
  let context: ValuesContext = {}
  const queries = {
    rows: toTextQuery(db, rows),
    total: () => toTextQuery(db, total),
    prepare: async (read: readonly TextRow[]) => {
      context = await toRunContext(db, read)
    },
  }
  return await readPage(db, queries, (row) => columns.toJson(row, context))
}

/** Of the counters of a run: sorting reads no result. Runs of CI without results are sorted by their tests. */
const sortKeys: Readonly<Record<RunSort, string>> = {
  name: 'lower(r.name)',
  tested: `case when ${RESULT_COUNT} > 0 then (${RESULT_COUNT} - not_tested_count)::float8 / ${RESULT_COUNT}
    else (passed_test_count + failed_test_count)::float8
      / nullif(passed_test_count + failed_test_count + skipped_test_count, 0) end`,
  failed: 'failed_count + coalesce(unmatched_failed_count, 0)',
  created: 'r.created_at',
}

function buildOrder({ sort, descending = false }: Filters): RawBuilder<unknown> {
  const direction = sql.raw(descending ? 'desc' : 'asc')
  return sort === undefined ? sql`r.id desc` : sql`${sql.raw(sortKeys[sort])} ${direction} nulls last, r.id desc`
}

/** The filters as conditions; null when nothing can match. */
function buildConditions(projectId: string, filters: Filters): RawBuilder<unknown>[] | null {
  const { status, milestone_id: milestoneId, run_key: runKey, search, created_since: createdSince } = filters
  const conditions: RawBuilder<unknown>[] = []
  if (milestoneId !== undefined && !isUuid(milestoneId)) return null
  if (milestoneId !== undefined && filters.sub_milestones === true) {
    conditions.push(sql`r.milestone_id in (
      select id from milestones where project_id = ${projectId} and (id = ${milestoneId} or parent_id = ${milestoneId}))`)
  } else if (milestoneId !== undefined) conditions.push(sql`r.milestone_id = ${milestoneId}`)
  if (runKey !== undefined) conditions.push(sql`r.run_key = ${runKey}`)
  if (status !== undefined) conditions.push(sql`r.status = ${status}`)
  if (search !== undefined && search !== '') conditions.push(sql`r.name ilike ${toLikePattern(search)}`)
  if (createdSince !== undefined) conditions.push(sql`r.created_at >= ${parseTimestamp(createdSince)?.toISOString()}`)
  return conditions
}

const readRun = defineItemRead(runColumns, 'from runs r where r.id = $1', (db, row) => toRunContext(db, [row]))

/** A run as a JSON object; null when there is none. */
export const selectRun = (db: Database, id: string): Promise<string | null> => readRun(db, [id], {})

/** Locks a run's row until the transaction ends, with the number of its results; undefined when the run is gone. */
export async function lockRun(tx: Database, id: string) {
  return await tx
    .selectFrom('runs')
    .select(['status', 'combination_count', resultCount.as('result_count')])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
