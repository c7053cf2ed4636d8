import { MAX_UNSTABLE_RESULTS, UNSTABLE_STATUSES } from '@caseward/contract/overview'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { findDefaultBranch } from '../build-data/build-data.queries.ts'
import { selectNewestBaseRuns } from '../insight-days/base-runs.queries.ts'
import { RESULT_COUNT } from '../runs/run-counts.ts'

/** Test cases whose tests are looked up in runs from before they had a test case. */
const MAX_FAILING = 1000

/** Tests of a run, of which only those with flaky ones are read. */
const TEST_COUNT = 'passed_test_count + failed_test_count + skipped_test_count'

/** The JSON of one list. */
const buildList = (condition: string, order: string) => `
  coalesce((
    select json_agg(json_build_object(
      'test_case_id', $4::text || '-' || number, 'title', title, 'statuses', statuses,
      'failing_runs', failing_runs, 'changes', changes, 'flaky_runs', flaky_runs
    )) from (select * from found where ${condition} order by ${order}, number limit $3) shown
  ), '[]')`
const buildTotal = (condition: string) => `(select count(*) from found where ${condition})`

/** The verdicts of base runs say what is new, where a test of the case ran there: runs of other branches change nothing then. */
const NEW = 'is_new'
const FAILING = 'failing_runs > 1 and not is_new'
/** Only evidence makes a test flaky: results by hand never do, however often they change. */
const FLAKY = 'score is not null'

/** $1 project, $2 runs, $3 test cases in a list, $4 prefix, $5 the newest base run of each suite. */
const SELECT_UNSTABLE = `
  with recent as materialized (
    select id, flaky_test_count,
      sum(${RESULT_COUNT} + case when flaky_test_count > 0 then ${TEST_COUNT} else 0 end) over (order by id desc) as size,
      row_number() over (order by id desc) as place
    from (
      select * from runs
      where project_id = $1 and passed_count + failed_count > 0 and not is_imported
      order by id desc limit $2
    ) newest
  ), chosen as materialized (
    -- At least one, however large it is.
    select id, flaky_test_count from recent where size <= ${MAX_UNSTABLE_RESULTS} or place = 1
  ), stored as materialized (
    select case_number, status::text, chosen.id as run_id
    from chosen cross join lateral (
      select case_number, status from test_results
      where project_id = $1 and run_id = chosen.id and status in ('passed', 'failed') and case_number is not null
    ) t
  ), failing_since as materialized (
    -- Perhaps for longer: their tests may have run before they had a test case.
    select case_number, min(run_id::text)::uuid as run_id
    from stored group by case_number having bool_and(status = 'failed') limit ${MAX_FAILING}
  ), older_run as materialized (
    select id from runs
    where project_id = $1 and passed_test_count + failed_test_count > 0 and not is_imported
      and exists (select from failing_since)
    order by id desc limit $2
  ), outcome as (
    -- The worst of its tests, as for results.
    select f.case_number, bool_or(o.status = 'failed') as has_failed, r.id as run_id
    from failing_since f
    join test_links l on l.project_id = $1 and l.case_number = f.case_number
    join older_run r on r.id < f.run_id
    cross join lateral (
      -- The limit makes PostgreSQL look up each, instead of reading all outcomes of the project.
      select status from test_outcomes where project_id = $1 and run_id = r.id and test_id = l.test_id limit 1
    ) o
    where o.status in ('passed', 'failed')
    group by f.case_number, r.id
  ), result as (
    select case_number, status, run_id,
      lag(status) over (partition by case_number order by run_id) as before,
      row_number() over (partition by case_number order by run_id desc) as age
    from (
      select case_number, status, run_id from stored
      union all
      select case_number, case when has_failed then 'failed' else 'passed' end, run_id from outcome
    ) known
  ), tested as (
    select case_number,
      -- How many failed after the last one that passed.
      coalesce(min(age) filter (where status = 'passed'), count(*) + 1) - 1 as failing_runs,
      count(*) filter (where before is not null and before <> status) as changes,
      json_agg(status order by run_id) filter (where age <= ${UNSTABLE_STATUSES}) as statuses
    from result group by case_number
  ), verdict as (
    select l.case_number, max(v.since_runs) as runs
    from test_verdicts v
    join test_links l on l.project_id = $1 and l.test_id = v.test_id
    where v.project_id = $1 and v.run_id = any($5::uuid[]) and v.since_runs is not null
    group by l.case_number
  ), flaky as (
    select l.case_number, max(u.score) as score
    from unstable_tests u
    join test_links l on l.project_id = $1 and l.test_id = u.test_id
    where u.project_id = $1 and u.stability = 'flaky'
    group by l.case_number
  ), flaked as (
    select l.case_number, count(distinct o.run_id) as flaky_runs
    from chosen cross join lateral (
      select run_id, test_id from test_outcomes where project_id = $1 and run_id = chosen.id and is_flaky
    ) o
    join test_links l on l.project_id = $1 and l.test_id = o.test_id
    where chosen.flaky_test_count > 0
    group by l.case_number
  ), found as materialized (
    select c.number, c.title, coalesce(t.statuses, '[]') as statuses,
      case when v.runs = 1 then 1 else coalesce(greatest(v.runs, t.failing_runs), 0) end as failing_runs,
      case
        when v.runs is not null then v.runs = 1
        when coalesce(t.failing_runs, 0) <> 1 then false
        else not exists (
          select from test_links l
          join test_outcomes o on o.project_id = $1 and o.run_id = any($5::uuid[]) and o.test_id = l.test_id
          where l.project_id = $1 and l.case_number = shown.case_number and o.status in ('passed', 'failed')
        )
      end as is_new,
      coalesce(t.changes, 0) as changes, coalesce(f.flaky_runs, 0) as flaky_runs, k.score
    from (select case_number from tested where failing_runs > 0
      union select case_number from verdict union select case_number from flaky) shown
    left join tested t on t.case_number = shown.case_number
    left join verdict v on v.case_number = shown.case_number
    left join flaked f on f.case_number = shown.case_number
    left join flaky k on k.case_number = shown.case_number
    join test_cases c on c.project_id = $1 and c.number = shown.case_number
  )
  select json_build_object(
    'newly_failing', ${buildList(NEW, 'changes')},
    'failing', ${buildList(FAILING, 'failing_runs desc')},
    'flaky', ${buildList(FLAKY, 'score desc')},
    'totals', json_build_object(
      'newly_failing', ${buildTotal(NEW)}, 'failing', ${buildTotal(FAILING)}, 'flaky', ${buildTotal(FLAKY)}
    ),
    'runs', (select count(*) from chosen)
  )`

/** The failing and flaky test cases of a project as JSON. */
export async function selectUnstableTestCases(
  db: Database,
  { id, prefix }: ProjectRef,
  { runs, perPage }: { runs: number; perPage: number },
): Promise<string> {
  const { branch } = await findDefaultBranch(db, id)
  const baseRunIds = branch === null ? [] : await selectNewestBaseRuns(db, id, branch)
  const [row] = await runTextQuery(db, {
    text: SELECT_UNSTABLE,
    values: [id, runs, perPage, prefix, `{${baseRunIds.join(',')}}`],
    // Runs have ten results or ten thousand.
    useCustomPlan: true,
  })
  return row?.[0] ?? 'null'
}
