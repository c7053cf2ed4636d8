import { type HistoryItem, type HistoryMeta, MAX_SEARCHED_RUNS } from '@caseward/contract/test-case-history'
import type { ResultStatus } from '@caseward/contract/results'

import type { ProjectRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { type JsonItems, readPage } from '../../platform/database/reads.ts'
import { toJsonString, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { resultFields } from '../results/result-columns.ts'
import { RUN_GROUPS } from '../runs/run-groups.ts'

const historyColumns = defineColumns<HistoryItem, ProjectRef>({
  run_id: { sql: 'r.run_id', encode: toPlainJsonString },
  run_name: { sql: 'runs.name', encode: toJsonString },
  ...resultFields,
  branch: { sql: "runs.metadata->>'branch'", encode: toJsonString },
  commit: { sql: "runs.metadata->>'commit'", encode: toJsonString },
  build_url: { sql: "coalesce(runs.metadata->>'build_url', runs.metadata->>'ci_url')", encode: toJsonString },
  milestone_id: { sql: 'runs.milestone_id', encode: toPlainJsonString },
  rerun_of: { sql: 'runs.rerun_of', encode: toPlainJsonString },
  attachment_count: { sql: 'coalesce(r.attachment_count, 0)', encode: toRawJson },
  link_count: { sql: 'coalesce(r.link_count, 0)', encode: toRawJson },
})

// Results of test cases that were merged into this one belong to its history, too: a run can have several.
const IN_HISTORY = `
  r.project_id = $1 and r.run_group = any(array(select ${RUN_GROUPS} from projects where id = $1)) and r.case_number = any(
    array(select number from test_cases where project_id = $1 and merged_into = $2 and archived_at is not null) || $2::int
  )`
const COUNT_HISTORY = `
  select (select count(*) from test_results r where ${IN_HISTORY})
  from test_cases c where c.project_id = $1 and c.number = $2`
// The page is counted and sorted in the index. Only the results of the page are read from the table.
const SELECT_HISTORY = `
  select ${historyColumns.selectList}, page.total
  from (
    select r.run_group, r.run_id, r.case_number, count(*) over () as total from test_results r where ${IN_HISTORY}
    order by r.run_id desc, r.case_number limit $3 offset $4
  ) page
  join test_results r
    on r.project_id = $1 and r.run_group = page.run_group and r.case_number = page.case_number and r.run_id = page.run_id
  join runs on runs.id = r.run_id
  order by r.run_id desc, r.case_number`

/** A page of a test case's results across runs, the newest run first; null when there is no such test case. */
export async function selectTestCaseResults(
  db: Database,
  project: ProjectRef,
  number: number,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const values = [project.id, number]
  const queries = {
    rows: { text: SELECT_HISTORY, values: [...values, limit, offset] },
    total: () => ({ text: COUNT_HISTORY, values }),
  }
  return await readPage(db, queries, (row) => historyColumns.toJson(row, project))
}

/** After the ids of all runs. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

// The runs to search are found in the index, as for a page. Each has its place among them, from 1. All results of a run are on the
// same page, because the next one begins with the run after it.
const SEARCH_HISTORY = `
  with candidate as materialized (
    select r.run_group, r.run_id, r.case_number, dense_rank() over (order by r.run_id desc) as place from test_results r
    where ${IN_HISTORY} and r.run_id < $3
    order by r.run_id desc fetch first ${MAX_SEARCHED_RUNS} rows with ties
  ), found as (
    select ${historyColumns.selectList}, candidate.case_number as case_order, candidate.place
    from candidate
    join test_results r
      on r.project_id = $1 and r.run_group = candidate.run_group and r.case_number = candidate.case_number
      and r.run_id = candidate.run_id
    join runs on runs.id = r.run_id
    where ($4::text[] = '{}' or r.status::text = any($4)) and ($5::text[] = '{}' or runs.metadata->>'branch' = any($5))
    order by candidate.place fetch first $6 rows with ties
  )
  select * from found order by place, case_order`
const SELECT_LAST_CANDIDATE = `
  select r.run_id, count(*) over (), (dense_rank() over (order by r.run_id desc)) from (
    select r.run_id from test_results r where ${IN_HISTORY} and r.run_id < $3
    order by r.run_id desc fetch first ${MAX_SEARCHED_RUNS} rows with ties
  ) r order by r.run_id limit 1`

export interface HistoryFilter {
  status?: readonly ResultStatus[] | undefined
  branch?: string | undefined
  /** Only runs older than this one. */
  after?: string | undefined
}

/** A page of the results of a test case that a filter selects, the newest run first. */
export async function searchTestCaseResults(
  db: Database,
  project: ProjectRef,
  number: number,
  { status = [], branch, after, limit }: HistoryFilter & { limit: number },
): Promise<{ items: string; meta: HistoryMeta }> {
  const candidates = [project.id, number, after ?? LAST_ID]
  const rows = await runTextQuery(db, {
    text: SEARCH_HISTORY,
    values: [...candidates, toArrayLiteral(status), toArrayLiteral(branch === undefined ? [] : [branch]), limit + 1],
  })
  const pageEnd = Number(rows[limit - 1]?.at(-1) ?? Number.POSITIVE_INFINITY)
  const shown = rows.filter((row) => Number(row.at(-1)) <= pageEnd)
  const items = `[${shown.map((row) => historyColumns.toJson(row, project)).join(',')}]`
  const last = shown.at(-1)
  if (rows.length > limit && last !== undefined) {
    return { items, meta: { next_after: last[0] ?? null, searched_runs: Number(last.at(-1)) } }
  }
  const [end] = await runTextQuery(db, { text: SELECT_LAST_CANDIDATE, values: candidates })
  const [runId = null, resultCount, runCount] = end ?? []
  const isEnd = Number(resultCount ?? 0) < MAX_SEARCHED_RUNS
  return { items, meta: { next_after: isEnd ? null : runId, searched_runs: Number(runCount ?? 0) } }
}
