import { OTHER_TESTS_PLACE } from '@caseward/contract/run-configurations'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'
import type { StoredConfiguration, VariantPlace } from './match-variant.ts'
import { buildRollUp, ROLL_UP_REST, STATUS_NUMBER } from './roll-up.queries.ts'
import { buildEarlier, buildForgetOldest, buildMoveConfigurations, buildMoveRun } from './write-combinations.queries.ts'

/** A configuration of a run, and which test cases are tested with it. */
export interface NewPlace {
  place: number
  name: string
  configurations: readonly StoredConfiguration[]
  /** A condition on `test_cases c`; null for all. */
  condition: RawBuilder<unknown> | null
}

/** The configurations of a run that automated tests can be results of. */
export async function selectVariantPlaces(tx: Database, { id, project }: RunRef): Promise<VariantPlace[]> {
  const { rows } = await sql<VariantPlace>`
    select place, configurations from run_configurations
    where project_id = ${project.id} and run_id = ${id} and place <> ${sql.lit(OTHER_TESTS_PLACE)}
    order by place`.execute(tx)
  return rows
}

/** When users set the combinations of these test cases in a run, by place. Test cases without combinations are missing. */
export async function selectCasePlaces(
  tx: Database,
  { id, group, project }: RunRef,
  caseNumbers: readonly number[],
): Promise<Map<number, Map<number, Date | null>>> {
  const { rows } = await sql<{ case_number: number; place: number; set_at: Date | null }>`
    select r.case_number, c.place, c.set_at
    from test_results r join result_combinations c
      on c.project_id = ${project.id} and c.run_id = ${id} and c.result_id = r.id
    where r.project_id = ${project.id} and r.run_group = ${group} and r.run_id = ${id}
      and r.case_number = any(${`{${caseNumbers.join(',')}}`}::int[]) and r.combination_state is not null`.execute(tx)
  const byCase = new Map<number, Map<number, Date | null>>()
  for (const { case_number: number, place, set_at: setAt } of rows) {
    const places = byCase.get(number) ?? new Map<number, Date | null>()
    places.set(place, setAt)
    byCase.set(number, places)
  }
  return byCase
}

/**
 * Adds configurations to a run, without combinations.
 * @param count the number of combinations of each that there are already
 */
export async function insertRunConfigurations(
  tx: Database,
  { id, project }: RunRef,
  places: readonly NewPlace[],
  count = 0,
): Promise<void> {
  await sql`
    insert into run_configurations (project_id, run_id, place, name, configurations, for_all, not_tested_count)
    select ${project.id}::uuid, ${id}::uuid, place, name, configurations::json, for_all, ${count}::int
    from unnest(
      ${places.map(({ place }) => place)}::smallint[], ${places.map(({ name }) => name)}::text[],
      ${places.map(({ configurations }) => JSON.stringify(configurations))}::text[],
      ${places.map(({ condition }) => condition === null)}::boolean[]
    ) as input (place, name, configurations, for_all)
    on conflict do nothing`.execute(tx)
}

/**
 * Adds the further combination for tests that fit none, or for what results were before their first combination. The caller
 * holds the lock on the run.
 * @param which test cases that have combinations, or a condition on results `r` that are tested and have none yet
 */
export async function addOtherTests(
  tx: Database,
  run: RunRef,
  which: { caseNumbers: readonly number[] } | { tested: RawBuilder<unknown> },
): Promise<void> {
  const { project, id, group } = run
  const place = sql.lit(OTHER_TESTS_PLACE)
  const condition =
    'tested' in which
      ? sql`r.status <> 'not_tested' and r.combination_state is null and ${which.tested}`
      : sql`r.run_group = ${group} and r.case_number = any(${`{${which.caseNumbers.join(',')}}`}::int[])`
  const isTested = sql.lit('tested' in which)
  await insertRunConfigurations(tx, run, [
    { place: OTHER_TESTS_PLACE, name: 'Other tests', configurations: [], condition: sql`false` },
  ])
  await sql`
    with moved as (
      insert into result_combinations
        (project_id, run_id, result_id, place, configuration, status, note, elapsed, tested_by, tested_at, set_at)
      select r.project_id, r.run_id, r.id, ${place}, ${place}, case when ${isTested} then r.status else 'not_tested' end,
        case when ${isTested} then r.note end, case when ${isTested} then r.elapsed end,
        case when ${isTested} then r.tested_by end, case when ${isTested} then r.tested_at end,
        case when ${isTested} then r.set_at end
      from test_results r where r.project_id = ${project.id} and r.run_id = ${id} and ${condition}
      on conflict do nothing
      returning configuration, null::result_status as previous_status, status
    ), ${buildMoveConfigurations(run)}
    update runs set combination_count = coalesce(combination_count, 0) + (select count(*) from moved)::int
    where id = ${id}`.execute(tx)
  await sql`
    delete from run_configurations f
    where f.project_id = ${project.id} and f.run_id = ${id} and f.place = ${place}
      and passed_count + failed_count + blocked_count + retest_count + not_tested_count = 0`.execute(tx)
}

/**
 * Adds combinations that are not tested to results of a run, and rolls the results up. The caller holds the lock on the run,
 * unless it is new.
 * @param results a condition on results `r`
 */
export async function insertCombinations(
  tx: Database,
  run: RunRef,
  places: readonly Pick<NewPlace, 'place' | 'condition'>[],
  results: RawBuilder<unknown> = sql`true`,
): Promise<void> {
  const { project, id } = run
  for (const group of groupByCondition(places)) {
    const inSelection =
      group.condition === null
        ? sql`true`
        : sql`r.case_number in (select c.number from test_cases c where c.project_id = ${project.id} and ${group.condition})`
    await sql`
      with moved as (
        insert into result_combinations (project_id, run_id, result_id, place, configuration)
        select ${project.id}::uuid, ${id}::uuid, r.id, f.place, f.place
        from test_results r cross join unnest(${group.places}::smallint[]) as f (place)
        where r.project_id = ${project.id} and r.run_id = ${id} and ${inSelection} and ${results}
        order by r.id, f.place
        on conflict do nothing
        returning result_id, place, note, configuration, null::result_status as previous_status, status
      ), updated as (
        update test_results r set
          previous_status = r.status, status = rolled.status, changed_at = statement_timestamp(),
          combination_state = ${STATUS_NUMBER}, combination_summary = rolled.summary
        from (
          ${buildRollUp(sql`(
            select result_id, place, status, note from moved
            union all
            select c.result_id, c.place, c.status, c.note from result_combinations c
            where c.project_id = ${project.id} and c.run_id = ${id} and c.result_id in (select result_id from moved)
              -- Citus may see what has just been inserted.
              and not exists (select from moved m where m.result_id = c.result_id and m.place = c.place)
          ) c`)}
        ) rolled
        where r.project_id = ${project.id} and r.run_id = ${id} and r.id = rolled.result_id
        returning r.previous_status, r.status
      ), ${buildMoveConfigurations(run)}, ${buildMoveRun(
        run,
        sql`, combination_count = coalesce(combination_count, 0) + (select count(*) from moved)::int`,
      )}
      select 1`.execute(tx)
  }
}

/** Places with the same condition together. */
function groupByCondition(places: readonly Pick<NewPlace, 'place' | 'condition'>[]) {
  const groups = new Map<RawBuilder<unknown> | null, number[]>()
  for (const { place, condition } of places) groups.set(condition, [...(groups.get(condition) ?? []), place])
  return [...groups].map(([condition, numbers]) => ({ condition, places: numbers }))
}

/** What {@link deleteCombinations} has deleted. */
export interface DeletedCombinations {
  count: number
  /** Of them, those that were tested. */
  tested: number
  at: Date
  ids: string[]
}

/**
 * Deletes combinations, keeps those that were tested as earlier values of their results, and rolls the results up: a result
 * without any keeps its status. The caller holds the lock on the run.
 * @param condition on `result_combinations c`
 */
export async function deleteCombinations(
  tx: Database,
  run: RunRef,
  condition: RawBuilder<unknown>,
): Promise<DeletedCombinations> {
  const { project, id } = run
  const inRun = sql`c.project_id = ${project.id} and c.run_id = ${id}`
  const { rows } = await sql<DeletedCombinations>`
    with target as materialized (
      select c.* from result_combinations c where ${inRun} and ${condition}
    ), rest as materialized (
      select c.* from result_combinations c
      where ${inRun} and c.result_id in (select result_id from target) and not exists (
        select from target t where t.result_id = c.result_id and t.place = c.place
      )
    ), replaced as materialized (
      select c.result_id, json_agg(${buildEarlier(run)} order by c.place) as combinations
      from target c where c.tested_at is not null group by c.result_id
    ), kept as (
      insert into result_changes as c
        (project_id, run_id, result_id, place, status, note, elapsed, tested_by, tested_at, replaced_at, combinations)
      select r.project_id, r.run_id, r.id, r.change_count, r.status, r.note, r.elapsed, r.tested_by, r.tested_at, now(),
        replaced.combinations
      from test_results r join replaced on replaced.result_id = r.id
      where r.project_id = ${project.id} and r.run_id = ${id} and r.tested_at is not null
      returning c.result_id, c.place
    ), ${buildForgetOldest(run)}, deleted as (
      delete from result_combinations c using target
      where ${inRun} and c.result_id = target.result_id and c.place = target.place
      returning c.configuration, c.status as previous_status, null::result_status as status, c.tested_at
    ), forgotten_steps as (
      delete from step_results s using target
      where target.step_state is not null and s.project_id = ${project.id} and s.run_id = ${id}
        and s.result_id = target.result_id and s.place = target.place
    ), detached as (
      delete from run_attachments a using target
      where a.project_id = ${project.id} and a.run_id = ${id} and a.result_id = target.result_id and a.place = target.place
      returning a.result_id, a.file_id
    ), candidates as (
      insert into file_candidates (project_id, file_id)
      select distinct ${project.id}::uuid, file_id from detached where file_id is not null
      order by file_id ${onCandidateConflict}
    ), moved as (
      select configuration, previous_status, status from deleted
    ), rolled as (
      ${buildRollUp(sql`rest`, sql`, ${ROLL_UP_REST}`)}
    ), updated as (
      update test_results r set
        previous_status = r.status, status = coalesce(rolled.status, r.status),
        elapsed = coalesce(rolled.elapsed, r.elapsed),
        tested_by = case when rolled.status is null then r.tested_by else rolled.tested_by end,
        tested_at = case when rolled.status is null then r.tested_at else rolled.tested_at end,
        combination_state = ${STATUS_NUMBER}, combination_summary = rolled.summary, changed_at = statement_timestamp(),
        attachment_count = nullif(r.attachment_count - (
          select count(*)::int from detached where detached.result_id = r.id
        ), 0),
        change_count = r.change_count + (r.id in (select result_id from kept))::int
      from (select distinct result_id from target) t left join rolled on rolled.result_id = t.result_id
      where r.project_id = ${project.id} and r.run_id = ${id} and r.id = t.result_id
      returning r.id, r.previous_status, r.status
    ), ${buildMoveConfigurations(run)}, ${buildMoveRun(
      run,
      sql`, combination_count = combination_count - (select count(*) from deleted)::int,
        attachment_count = nullif(attachment_count - (select count(*) from detached)::int, 0)`,
    )}
    select (select count(*)::int from deleted) as count,
      (select count(*)::int from deleted where tested_at is not null) as tested,
      now()::timestamptz(3) as at, array(select id::text from updated) as ids`.execute(tx)
  return rows[0] ?? { count: 0, tested: 0, at: new Date(), ids: [] }
}
