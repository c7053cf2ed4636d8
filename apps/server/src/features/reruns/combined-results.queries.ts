import type { CombinedResult, Lineage, LineageRun } from '@caseward/contract/reruns'
import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'

import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery, type TextRow } from '../../platform/database/fast-reads/text-rows.ts'
import { type JsonCursorPage, readCursorPage } from '../../platform/database/reads.ts'
import { toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import {
  buildJoinCombinationNote,
  buildJoinDefect,
  buildJoinTestCase,
  resultRowFields,
} from '../results/result-rows.ts'
import { runFields } from '../runs/run-columns.ts'

const { id, name, status, created_at, completed_at, pass_rate, stats, result_count } = runFields

/** Columns of a run `r` of a chain. */
const lineageFields: ColumnsOf<LineageRun> = {
  id,
  name,
  status,
  created_at,
  completed_at,
  pass_rate,
  stats,
  result_count,
  rerun_of: {
    // A run that was deleted is nothing to link to.
    sql: '(select x.id from runs x where x.id = r.rerun_of)',
    encode: toPlainJsonString,
  },
  rerun_number: { sql: 'r.rerun_number', encode: toRawJson },
}
const lineageColumns = defineColumns<LineageRun>(lineageFields)

const SELECT_RUNS = `
  select ${lineageColumns.selectList}, coalesce(r.root_run_id, r.id)
  from runs r
  where r.project_id = $1 and (
    r.id = (select coalesce(root_run_id, id) from runs where id = $2)
    or r.root_run_id = (select coalesce(root_run_id, id) from runs where id = $2)
  )
  order by r.id`
const ROOT_COLUMN = Object.keys(lineageFields).length

const aloneFields = { stats, result_count, pass_rate }
const aloneColumns = defineColumns<Lineage['combined']>(aloneFields)
/** Where the counts of a run are among the columns of its row. */
const ALONE = Object.keys(aloneFields).map((field) => Object.keys(lineageFields).indexOf(field))

/** The chain that a run belongs to as a JSON object; null when the run is gone. */
export async function selectLineage(db: Database, { id: runId, project }: RunRef): Promise<string | null> {
  const rows = await runTextQuery(db, { text: SELECT_RUNS, values: [project.id, runId] })
  const [first] = rows
  if (first === undefined) return null
  const root = first[ROOT_COLUMN] ?? ''
  const runs = rows.map((row) => lineageColumns.toJson(row)).join()
  return `{"root_run_id":"${root}","runs":[${runs}],"combined":${await describeCombined(db, project.id, rows)}}`
}

/** The counts of a chain. A run without reruns has them itself: nearly all runs that are opened are alone, and none of their results is read. */
async function describeCombined(db: Database, projectId: string, runs: readonly TextRow[]): Promise<string> {
  const [first] = runs
  if (first !== undefined && runs.length === 1) return aloneColumns.toJson(ALONE.map((index) => first[index] ?? null))
  return JSON.stringify(await countCombined(db, projectId, first?.[ROOT_COLUMN] ?? ''))
}

/** Tells the test cases of results `t` of a chain apart: deleted ones by their title. */
export const CASE_KEY = "coalesce(t.case_number::text, '-' || t.title)"
/** Of the results `t` of a test case, the one that counts first: run ids are in the order of creation. */
export const COUNTED_FIRST = "t.status <> 'not_tested' desc, t.run_id desc"

/**
 * Each test case of the chain with this root once, with its result in the newest run in which it was tested. `place` is
 * its first result, so that the order is that of the first run.
 */
export const buildCombined = (projectId: string, root: string): string => `
  select (array_agg(t.id order by t.run_id, t.id))[1] as place,
    (array_agg(t.run_id order by ${COUNTED_FIRST}))[1] as run_id,
    (array_agg(t.id order by ${COUNTED_FIRST}))[1] as id,
    (array_agg(t.status order by ${COUNTED_FIRST}))[1] as status,
    json_agg(json_build_object('run_id', t.run_id, 'status', t.status) order by t.run_id) as statuses
  from test_results t
  where t.project_id = ${projectId} and t.run_id in (
    select id from runs where project_id = ${projectId} and (id = ${root} or root_run_id = ${root})
  )
  group by ${CASE_KEY}`

const countOf = (value: ResultStatus) => `count(*) filter (where status = '${value}')`
const COUNT_COMBINED = `
  select ${RESULT_STATUSES.map(countOf).join(', ')} from (${buildCombined('$1', '$2::uuid')}) as combined`

async function countCombined(db: Database, projectId: string, root: string): Promise<Lineage['combined']> {
  const [row = []] = await runTextQuery(db, { text: COUNT_COMBINED, values: [projectId, root], useCustomPlan: true })
  const counts = RESULT_STATUSES.map((value, index) => [value, Number(row[index])] as const)
  const counted = Object.fromEntries(counts) as Lineage['combined']['stats']
  const tested = counted.passed + counted.failed + counted.blocked + counted.retest
  return {
    stats: counted,
    result_count: tested + counted.not_tested,
    pass_rate: tested === 0 ? 0 : Math.round((1000 * counted.passed) / tested) / 10,
  }
}

/** Columns of a result `r`, its test case `c`, its defect `d` and the row of {@link buildCombined} in `combined`. */
const combinedColumns = defineColumns<Omit<CombinedResult, 'lacks_fields'>, ProjectRef>({
  ...resultRowFields,
  run_id: { sql: 'r.run_id', encode: toPlainJsonString },
  statuses: { sql: 'combined.statuses', encode: toRawJson },
})

const SELECT_COMBINED = `
  select ${combinedColumns.selectList}, combined.place
  from (
    select * from (${buildCombined('$1', '(select coalesce(root_run_id, id) from runs where id = $2)')}) as grouped
    where ($3 = '' or status = any(string_to_array($3, ',')::result_status[])) and ($4 = '' or place > nullif($4, '')::uuid)
    order by place limit $5
  ) as combined
  join test_results r on r.project_id = $1 and r.run_id = combined.run_id and r.id = combined.id
  ${buildJoinTestCase('$1')}
  ${buildJoinDefect('$1')}
  ${buildJoinCombinationNote('$1')}
  order by combined.place`

/** A page of the results of the chain that a run belongs to. */
export async function selectCombinedResults(
  db: Database,
  run: RunRef,
  { status: statuses = [], after = '' }: { status?: readonly ResultStatus[] | undefined; after?: string | undefined },
  perPage: number,
): Promise<JsonCursorPage> {
  const values = [run.project.id, run.id, statuses.join(), after, perPage + 1]
  const query = { text: SELECT_COMBINED, values, useCustomPlan: true }
  return await readCursorPage(db, query, perPage, (row) => combinedColumns.toJson(row, run.project))
}
