import { RESULT_STATUSES, type ResultStatus } from '@caseward/contract/results'
import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { PlannedRunConfiguration } from './plan-run-configurations.ts'
import { type CombinationValue, summarize } from './planned-combinations.ts'
import { toStepState } from './planned-steps.ts'

/** Gives new runs their configurations, without combinations. */
export async function insertRunConfigurations(
  tx: Database,
  projectId: string,
  runs: readonly {
    id: string
    run_configurations: readonly PlannedRunConfiguration[]
    last_configuration_place: number
  }[],
): Promise<void> {
  const rows = runs.flatMap(({ id, run_configurations: all }) => all.map((item) => ({ run_id: id, ...item })))
  if (rows.length === 0) return
  await sql`
    insert into run_configurations (project_id, run_id, place, name, configurations, for_all)
    select ${projectId}::uuid, run_id, place, name, configurations, for_all
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, place smallint, name text, configurations json, for_all boolean
    )`.execute(tx)
  const places = runs.flatMap(({ id, run_configurations: all, last_configuration_place: last }) =>
    all.length === 0 ? [] : [{ id, last: last === 0 ? null : last }],
  )
  await sql`
    update runs r set combination_count = 0, last_configuration_place = item.last
    from json_to_recordset(${JSON.stringify(places)}) as item (id uuid, last smallint)
    where r.project_id = ${projectId} and r.id = item.id`.execute(tx)
}

/** Which combinations a result has from now on, and had before. */
export interface CombinationChange {
  run_id: string
  result_id: string
  before: readonly CombinationValue[]
  after: readonly CombinationValue[]
}

/** Replaces the combinations of results, and adjusts what follows from them. The caller has locked the runs. */
export async function replaceCombinations(
  tx: Database,
  projectId: string,
  changes: readonly CombinationChange[],
): Promise<void> {
  const changed = changes.filter(({ before, after }) => before.length > 0 || after.length > 0)
  if (changed.length === 0) return
  const replaced = changed.filter(({ before }) => before.length > 0)
  if (replaced.length > 0) {
    await sql`
      delete from result_combinations where project_id = ${projectId}
        and run_id = any(${[...new Set(replaced.map((change) => change.run_id))]}::uuid[])
        and result_id = any(${replaced.map((change) => change.result_id)}::uuid[])`.execute(tx)
    await sql`
      delete from step_results where project_id = ${projectId} and place > 0
        and run_id = any(${[...new Set(replaced.map((change) => change.run_id))]}::uuid[])
        and result_id = any(${replaced.map((change) => change.result_id)}::uuid[])`.execute(tx)
  }
  const rows = changed.flatMap(({ run_id, result_id, after }) =>
    after.map((value) => ({ run_id, result_id, ...value, step_state: value.steps ? toStepState(value.steps) : null })),
  )
  if (rows.length > 0) {
    await sql`
      insert into result_combinations
        (project_id, run_id, result_id, place, configuration, status, note, elapsed, tested_by, tested_at, assigned_to,
        step_state)
      select ${projectId}::uuid, run_id, result_id, place, configuration, status::result_status, note, elapsed, tested_by,
        tested_at, assigned_to, step_state
      from json_to_recordset(${toStoredJson(rows)}) as item (
        run_id uuid, result_id uuid, place smallint, configuration smallint, status text, note text, elapsed int,
        tested_by uuid, tested_at timestamptz, assigned_to uuid, step_state smallint
      )`.execute(tx)
  }
  const stepped = rows.flatMap(({ run_id, result_id, place, steps = null }) =>
    steps === null ? [] : [{ run_id, result_id, place, ...steps }],
  )
  if (stepped.length > 0) {
    await sql`
      insert into step_results (project_id, run_id, result_id, place, steps, case_steps)
      select ${projectId}::uuid, run_id, result_id, place, steps, case_steps
      from json_to_recordset(${toStoredJson(stepped)}) as item (
        run_id uuid, result_id uuid, place smallint, steps json, case_steps text
      )`.execute(tx)
  }
  const summaries = changed.map(({ run_id, result_id, after }) => ({
    run_id,
    result_id,
    ...(after.length === 0 ? { state: null, summary: null } : summarize(after)),
  }))
  await sql`
    update test_results r set combination_state = item.state, combination_summary = item.summary
    from json_to_recordset(${JSON.stringify(summaries)}) as item (run_id uuid, result_id uuid, state smallint, summary text)
    where r.project_id = ${projectId} and r.run_id = item.run_id and r.id = item.result_id`.execute(tx)
  await addConfigurationCounts(tx, projectId, changed)
}

async function addConfigurationCounts(
  tx: Database,
  projectId: string,
  changes: readonly CombinationChange[],
): Promise<void> {
  const counts = new Map<string, { run_id: string; place: number } & Record<ResultStatus, number>>()
  const totals = new Map<string, number>()
  const add = (runId: string, { configuration, status }: CombinationValue, count: number) => {
    const key = `${runId} ${configuration}`
    const zero = { passed: 0, failed: 0, blocked: 0, retest: 0, not_tested: 0 }
    const row = counts.get(key) ?? { run_id: runId, place: configuration ?? 0, ...zero }
    row[status] += count
    counts.set(key, row)
    totals.set(runId, (totals.get(runId) ?? 0) + count)
  }
  for (const { run_id: runId, before, after } of changes) {
    for (const value of before) add(runId, value, -1)
    for (const value of after) add(runId, value, 1)
  }
  const sets = RESULT_STATUSES.map((status) => {
    const column = sql.ref(`${status}_count`)
    return sql`${column} = k.${column} + item.${sql.ref(status)}`
  })
  await sql`
    update run_configurations k set ${sql.join(sets)}
    from json_to_recordset(${JSON.stringify([...counts.values()])}) as item (
      run_id uuid, place smallint, passed int, failed int, blocked int, retest int, not_tested int
    )
    where k.project_id = ${projectId} and k.run_id = item.run_id and k.place = item.place`.execute(tx)
  await sql`
    update runs r set combination_count = coalesce(r.combination_count, 0) + item.count
    from json_to_recordset(${JSON.stringify([...totals].map(([id, count]) => ({ id, count })))}) as item (id uuid, count int)
    where r.project_id = ${projectId} and r.id = item.id`.execute(tx)
}
