import type { RecentResult } from '@caseward/contract/recent-results'

import type { ProjectRef } from '../../access/project-cache.ts'
import { defineColumns } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { toJsonString, toJsonTimestamp, toPlainJsonString } from '../../platform/http/json-text.ts'
import { NEWEST_RUN_GROUP, RECENT_RUN_GROUPS } from '../runs/run-groups.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'

const columns = defineColumns<RecentResult>({
  run_id: { sql: 'r.run_id', encode: toPlainJsonString },
  run_name: { sql: '(select name from runs where id = r.run_id)', encode: toJsonString },
  status: { sql: 'r.status', encode: toPlainJsonString },
  tested_at: { sql: 'r.tested_at', encode: toJsonTimestamp },
})

/**
 * For each test case, goes from the newest group of runs to older ones until there are enough results. PostgreSQL stops
 * there because `place` is the order of the groups, and the index has the runs of a group in order.
 *
 * Rows are compared as a whole, although two equalities say the same, because only the index that starts with the group
 * fits that. With equalities, a plan made while the table was empty can read all results of the project for each group.
 * @param newestGroup SQL of the group to start with
 * @param condition on a result `t`, after `and`
 */
const buildSelect = (newestGroup: string, condition: string): string => `
  with recent as materialized (
    select r.run_id, r.status, r.tested_at, test_case.number
    from (select ${newestGroup} as newest_group from projects where id = $1) project,
  unnest($2::int[]) test_case (number), lateral (
    select result.*
    from generate_series(newest_group, greatest(newest_group - ${RECENT_RUN_GROUPS - 1}, 0), -1)
      with ordinality run_groups (number, place),
    lateral (
      select t.run_id, t.status, t.tested_at from test_results t
      where t.project_id = $1 ${condition}
        and (t.run_group, t.case_number) >= (run_groups.number, test_case.number)
        and (t.run_group, t.case_number) <= (run_groups.number, test_case.number)
      order by t.run_group desc, t.case_number desc, t.run_id desc limit $3
    ) result
    order by run_groups.place, result.run_id desc limit $3
    ) r
  )
  select ${columns.selectList}, r.number from recent r order by r.run_id desc`

const SELECT = buildSelect(NEWEST_RUN_GROUP, '')
// A run that was deleted has no group any more; its id still tells which runs are older.
const SELECT_BEFORE_RUN = buildSelect(
  `coalesce((select run_group from runs where id = $4 and project_id = $1), ${NEWEST_RUN_GROUP})`,
  'and t.run_id < $4',
)

/** Runs that are looked into for tests that had no test case then. */
const MAX_RUNS_OF_TESTS = 30

/**
 * What the tests of test cases did in the newest runs, for test cases that have no result: a test may have run for weeks
 * before it got a test case. The worst of its tests counts, as for results.
 */
const buildSelectOutcomes = (condition: string): string => `
  with link as materialized (
    select case_number, test_id from test_links where project_id = $1 and case_number = any($2::int[])
  ), run as materialized (
    select id from runs
    where project_id = $1 and passed_test_count + failed_test_count > 0 and exists (select from link) ${condition}
    order by id desc limit ${MAX_RUNS_OF_TESTS}
  ), outcome as (
    select run.id as run_id, case when bool_or(o.status = 'failed') then 'failed' else 'passed' end as status,
      max(o.tested_at) as tested_at, link.case_number as number,
      row_number() over (partition by link.case_number order by run.id desc) as place
    from link cross join run cross join lateral (
      -- The limit makes PostgreSQL look up each, instead of reading all outcomes of the project.
      select status, tested_at from test_outcomes
      where project_id = $1 and run_id = run.id and test_id = link.test_id limit 1
    ) o
    where o.status in ('passed', 'failed')
    group by run.id, link.case_number
  )
  select ${columns.selectList}, r.number from outcome r where place <= $3 order by r.run_id desc`

const SELECT_OUTCOMES = buildSelectOutcomes('')
const SELECT_OUTCOMES_BEFORE_RUN = buildSelectOutcomes('and id < $4')

interface RecentOptions {
  limit: number
  beforeRun: string | undefined
}

/** The JSON of the newest results of each test case, by its number. Test cases that were in no run are missing. */
async function selectRecentResults(
  db: Database,
  project: ProjectRef,
  numbers: readonly number[],
  options: RecentOptions,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const results = await selectByNumber(db, project, numbers, options, { all: SELECT, before: SELECT_BEFORE_RUN })
  const others = numbers.filter((number) => !results.has(number))
  if (others.length === 0) return results
  const texts = { all: SELECT_OUTCOMES, before: SELECT_OUTCOMES_BEFORE_RUN }
  return new Map([...results, ...(await selectByNumber(db, project, others, options, texts))])
}

async function selectByNumber(
  db: Database,
  project: ProjectRef,
  numbers: readonly number[],
  { limit, beforeRun }: RecentOptions,
  texts: { all: string; before: string },
): Promise<ReadonlyMap<number, readonly string[]>> {
  const values = [project.id, toArrayLiteral(numbers.map(String)), limit]
  const rows = await runTextQuery(
    db,
    beforeRun === undefined ? { text: texts.all, values } : { text: texts.before, values: [...values, beforeRun] },
  )
  const byNumber = new Map<number, string[]>()
  for (const row of rows) {
    const number = Number(row.at(-1))
    const json = columns.toJson(row)
    const results = byNumber.get(number)
    if (results === undefined) byNumber.set(number, [json])
    else results.push(json)
  }
  return byNumber
}

async function projectExists(db: Database, id: string): Promise<boolean> {
  return (await runTextQuery(db, { text: 'select from projects where id = $1', values: [id] })).length > 0
}

/** The response: one item for each different id, in the order of the request; null when the project is gone. */
export async function readRecentResults(
  db: Database,
  project: ProjectRef,
  ids: readonly string[],
  options: RecentOptions,
): Promise<string | null> {
  const numbers = new Map([...new Set(ids)].map((id) => [id, parseTestCaseNumber(id, project.prefix)]))
  const known = [...numbers.values()].filter((number) => number !== null)
  const results = await selectRecentResults(db, project, known, options)
  if (results.size === 0 && !(await projectExists(db, project.id))) return null
  const items = Array.from(numbers, ([id, number]) => {
    const list = (number === null ? undefined : results.get(number)) ?? []
    return `{"test_case_id":${JSON.stringify(id)},"results":[${list.join(',')}]}`
  })
  return `{"data":[${items.join(',')}]}`
}
