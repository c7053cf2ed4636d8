import { MAX_WORK_RUNS, type WorkRun } from '@caseward/contract/assignments'
import { RESULT_STATUSES } from '@caseward/contract/results'

import { type ColumnsOf, defineColumns } from '../../platform/database/columns.ts'
import { type Database, hasCitus } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString, toRawJson } from '../../platform/http/json-text.ts'

/** Columns of a run `r`, its project `p` and the counts of the user's results `mine`. */
const fields: ColumnsOf<WorkRun> = {
  id: { sql: 'r.id', encode: toPlainJsonString },
  project_id: { sql: 'p.id', encode: toPlainJsonString },
  project_name: { sql: 'p.name', encode: toJsonString },
  name: { sql: 'r.name', encode: toJsonString },
  created_at: { sql: 'r.created_at', encode: toJsonTimestamp },
  stats: { sql: 'mine.stats', encode: toRawJson },
}
const columns = defineColumns<WorkRun>(fields)

/** Runs of each project that are looked at, whether they are in progress or not. */
const RUNS_PER_PROJECT = 200
const STATS = RESULT_STATUSES.map((status) => `'${status}', count(*) filter (where status = '${status}')`).join(', ')

/** Finds runs in each project of which rows of a table are assigned to the user. */
const buildWalk = (name: string, table: string): string => `${name} (project_id, run_id, number) as (
      select m.project_id, newest.run_id, 1
      from memberships m cross join lateral (
        select run_id from ${table}
        where project_id = m.project_id and assigned_to = $1 order by run_id desc limit 1
      ) newest
      where m.user_id = $1
      union all
      select a.project_id, earlier.run_id, a.number + 1
      from ${name} a cross join lateral (
        select run_id from ${table}
        where project_id = a.project_id and assigned_to = $1 and run_id < a.run_id order by run_id desc limit 1
      ) earlier
      where a.number < ${RUNS_PER_PROJECT}
    )`

/** Finds the runs in each project by jumping from one to the next in the index, so that no result is read for it. */
const SELECT_WORK = `
  with recursive ${buildWalk('assigned', 'test_results')}, ${buildWalk('combined', 'result_combinations')}
  select ${columns.selectList}
  from (
    select run.* from (select run_id from assigned union select run_id from combined) a join runs run on run.id = a.run_id
    where run.status = 'in_progress'
    order by run.id desc limit ${MAX_WORK_RUNS}
  ) r
  join projects p on p.id = r.project_id
  cross join lateral (
    select json_build_object(${STATS}) as stats
    from (
      select t.status from test_results t where t.project_id = r.project_id and t.run_id = r.id and t.assigned_to = $1
      union all
      select c.status from result_combinations c
      where r.combination_count is not null and c.project_id = r.project_id and c.run_id = r.id and c.assigned_to = $1
    ) t
  ) mine
  order by r.id desc`

/** Runs in progress that are looked at on a distributed database. */
const OPEN_RUNS = 5000

/**
 * The same on a distributed database: Citus cannot jump between the nodes of several projects. All nodes are asked once, for
 * the newest runs in progress.
 */
const SELECT_DISTRIBUTED_WORK = `
  with open_runs as materialized (
    select run.id, run.project_id, run.name, run.created_at
    from memberships m join runs run on run.project_id = m.project_id and run.status = 'in_progress'
    where m.user_id = $1 order by run.id desc limit ${OPEN_RUNS}
  ), mine as materialized (
    select t.project_id, t.run_id, json_build_object(${STATS})::text as stats
    from (
      select project_id, run_id, status from test_results
      where project_id = any(array(select project_id from open_runs)) and run_id = any(array(select id from open_runs))
        and assigned_to = $1
      union all
      select project_id, run_id, status from result_combinations
      where project_id = any(array(select project_id from open_runs)) and run_id = any(array(select id from open_runs))
        and assigned_to = $1
    ) t
    group by t.project_id, t.run_id
  )
  select ${columns.selectList}
  from mine join open_runs r on r.id = mine.run_id join projects p on p.id = r.project_id
  order by r.id desc limit ${MAX_WORK_RUNS}`

/** The runs in progress with results that are assigned to a user, in all their projects, as a JSON array. */
export async function selectMyWork(db: Database, userId: string): Promise<string> {
  const rows = await runTextQuery(db, { text: hasCitus(db) ? SELECT_DISTRIBUTED_WORK : SELECT_WORK, values: [userId] })
  return `[${rows.map((row) => columns.toJson(row)).join(',')}]`
}
