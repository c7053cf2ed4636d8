import type { RunEvent } from '@caseward/contract/events'
import type { ResultRow } from '@caseward/contract/result-rows'

import type { ProjectRef } from '../../access/project-cache.ts'
import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { toRawJson } from '../../platform/http/json-text.ts'
import {
  buildJoinCombinationNote,
  buildJoinDefect,
  buildJoinTestCase,
  resultRowFields,
} from '../results/result-rows.ts'
import { buildLacksMark, REQUIRED_FIELDS } from '../results/result-fields.queries.ts'
import { runFields } from '../runs/run-columns.ts'

const { id, status, stats, pass_rate, result_count, test_stats, suite_error_count, updated_at, configurations } =
  runFields
const runEventColumns = defineColumns<RunEvent>({
  id,
  status,
  stats,
  pass_rate,
  result_count,
  test_stats,
  suite_error_count,
  updated_at,
  configurations,
})
const SELECT_RUNS = `select ${runEventColumns.selectList} from runs r where r.id = any($1::uuid[])`

/** The data of the event `run` of these runs as JSON, by id. Those that are gone are missing. */
export async function selectRunEvents(db: Database, runIds: readonly string[]): Promise<Map<string, string>> {
  if (runIds.length === 0) return new Map()
  const rows = await runTextQuery(db, { text: SELECT_RUNS, values: [toArray(runIds)] })
  return new Map(rows.map((row) => [row[0] ?? '', runEventColumns.toJson(row)]))
}

const SELECT_WAITING = `select id, coalesce(waiting_file_count, 0) from runs where id = any($1::uuid[])`

/** The number of attachments whose content has not arrived, by run. Runs that are gone are missing. */
export async function selectWaitingCounts(db: Database, runIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await runTextQuery(db, { text: SELECT_WAITING, values: [toArray(runIds)] })
  return new Map(rows.map((row) => [row[0] ?? '', Number(row[1])]))
}

const resultRowColumns = defineColumns<ResultRow, ProjectRef>({
  ...resultRowFields,
  lacks_fields: { sql: buildLacksMark('needs.fields'), encode: toRawJson, isOptional: true },
})

// The keys of the results are in the order of the primary key.
const SELECT_RESULTS = `
  with needs as materialized (
    select p.id, ${REQUIRED_FIELDS} as fields from projects p where p.id = any($1::uuid[])
  )
  select ${resultRowColumns.selectList}, r.run_id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as changed (project_id, run_id, id)
  join test_results r on r.project_id = changed.project_id and r.run_id = changed.run_id and r.id = changed.id
  left join needs on needs.id = changed.project_id
  ${buildJoinTestCase('r.project_id')}
  ${buildJoinDefect('r.project_id')}
  ${buildJoinCombinationNote('r.project_id')}`

/** Results of a run. */
export interface RunResults {
  runId: string
  project: ProjectRef
  resultIds: readonly string[]
}

/** The rows of these results as JSON, by run. */
export async function selectResultRows(db: Database, runs: readonly RunResults[]): Promise<Map<string, string[]>> {
  const projects = new Map(runs.map(({ runId, project }) => [runId, project]))
  const rowsByRun = new Map<string, string[]>(runs.map(({ runId }) => [runId, []]))
  const keys = runs.flatMap(({ runId, project, resultIds }) =>
    resultIds.map((resultId) => ({ projectId: project.id, runId, resultId })),
  )
  if (keys.length === 0) return rowsByRun
  const values = [keys.map((key) => key.projectId), keys.map((key) => key.runId), keys.map((key) => key.resultId)]
  for (const row of await runTextQuery(db, { text: SELECT_RESULTS, values: values.map(toArray) })) {
    const runId = row.at(-1) ?? ''
    const project = projects.get(runId)
    if (project !== undefined) rowsByRun.get(runId)?.push(resultRowColumns.toJson(row, project))
  }
  return rowsByRun
}

/** An array of ids as PostgreSQL writes it. */
const toArray = (ids: readonly string[]): string => `{${ids.join(',')}}`
