import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach } from '../../platform/database/plans.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { buildTreeOrder } from '../test-cases/positions.ts'
import { resultCount } from './run-counts.ts'

const [BEFORE = '', BETWEEN = '', AFTER = ''] = buildTreeOrder('$project').split('$project')

/** `buildTreeOrder` for a statement with parameters. */
const bindTreeOrder = (projectId: string) =>
  sql`${sql.raw(BEFORE)}${projectId}${sql.raw(BETWEEN)}${projectId}${sql.raw(AFTER)}`

/**
 * Adds the test cases that meet `condition` (on `test_cases c`) to a run: in the order of the folder tree, not tested, with
 * their current title. Those already in the run do not change. The caller holds the lock on the project, and on the run unless the
 * run is new.
 *
 * Ids continue from the run's size and count only the added test cases, so that those added within the same
 * millisecond keep their order.
 *
 * @returns the number of added test cases
 * @param options.isNew whether the run has no results yet. Looking for them would take a third of the time
 * @param options.places of the combinations that each result gets in a run that is new
 */
export async function insertRunResults(
  tx: Database,
  { id, group, project }: RunRef,
  condition: RawBuilder<unknown>,
  { isNew, places = [] }: { isNew: boolean; places?: readonly number[] },
): Promise<number> {
  const isMissing = isNew
    ? sql``
    : sql`
      and not exists (
        select from test_results t
        where t.project_id = ${project.id} and t.run_group = ${group} and t.case_number = c.number and t.run_id = ${id}
        ${lookUpEach}
      )`
  const combined =
    places.length === 0
      ? { columns: sql``, values: sql``, rows: sql``, count: sql`` }
      : {
          columns: sql`, combination_state, combination_summary`,
          values: sql`, 4, repeat('4', ${places.length}::int)`,
          rows: sql`, combined as (
            insert into result_combinations (project_id, run_id, result_id, place, configuration)
            select ${project.id}::uuid, ${id}::uuid, added.id, f.place, f.place
            from added cross join lateral unnest(${places}::smallint[]) as f (place)
          )`,
          count: sql`, combination_count = (select count(*)::int from added) * ${places.length}::int`,
        }
  const { rows } = await sql<{ added: number }>`
    with run as (
      select id, ${resultCount} as size from runs where id = ${id}
    ), added as (
      insert into test_results (project_id, run_id, run_group, id, case_number, title ${combined.columns})
      select c.project_id, run.id, ${group}::int, uuid_v7_in_batch(statement_timestamp(), run.size + c.place), c.number, c.title
        ${combined.values}
      from run cross join (
        select c.project_id, c.number, c.title, row_number() over (order by ${bindTreeOrder(project.id)}) as place
        from test_cases c
        where c.project_id = ${project.id} and ${condition} ${isMissing}
      ) c
      order by c.place
      returning id
    )${combined.rows}
    update runs set not_tested_count = not_tested_count + (select count(*) from added), updated_at = now() ${combined.count}
    where id = ${id}
    returning (select count(*)::int from added) as added`.execute(tx)
  return rows[0]?.added ?? 0
}
