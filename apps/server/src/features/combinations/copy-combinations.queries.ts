import { OTHER_TESTS_PLACE } from '@caseward/contract/run-configurations'
import type { ResultStatus } from '@caseward/contract/results'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'

/**
 * Gives the results of a new run those combinations that they have in another run with one of these statuses. A result of which
 * no combination has one, because it was chosen for its own status, gets all. What the other run has for tests of no
 * configuration is not copied: nobody can plan it.
 * @param statuses null for any
 */
export async function copyCombinations(
  tx: Database,
  source: RunRef,
  target: RunRef,
  { statuses, keepsAssignees }: { statuses: readonly ResultStatus[] | null; keepsAssignees: boolean },
): Promise<void> {
  const { id: projectId } = source.project
  const hasStatus = statuses === null ? sql`true` : sql`c.status = any(${[...statuses]}::result_status[])`
  await sql`
    insert into result_combinations (project_id, run_id, result_id, place, configuration, assigned_to)
    select ${projectId}::uuid, ${target.id}::uuid, n.id, c.place, c.configuration,
      case when ${keepsAssignees}::boolean then c.assigned_to end
    from test_results n
    join test_results s on s.project_id = ${projectId} and s.run_id = ${source.id} and s.case_number = n.case_number
    join (
      select c.*, ${hasStatus} as is_wanted, bool_or(${hasStatus}) over (partition by c.result_id) as is_any_wanted
      from result_combinations c
      where c.project_id = ${projectId} and c.run_id = ${source.id} and c.place <> ${sql.lit(OTHER_TESTS_PLACE)}
    ) c on c.result_id = s.id
    where n.project_id = ${projectId} and n.run_id = ${target.id} and (c.is_wanted or not c.is_any_wanted)
    order by n.id, c.place`.execute(tx)
  await sql`
    with counted as materialized (
      select configuration, count(*)::int as count from result_combinations
      where project_id = ${projectId} and run_id = ${target.id} group by configuration
    ), configured as (
      insert into run_configurations (project_id, run_id, place, name, configurations, for_all, not_tested_count)
      select f.project_id, ${target.id}::uuid, f.place, f.name, f.configurations, false, counted.count
      from run_configurations f join counted on counted.configuration = f.place
      where f.project_id = ${projectId} and f.run_id = ${source.id}
    ), marked as (
      update test_results r set combination_state = 4, combination_summary = repeat('4', c.count)
      from (
        select result_id, count(*)::int as count from result_combinations
        where project_id = ${projectId} and run_id = ${target.id} group by result_id
      ) c
      where r.project_id = ${projectId} and r.run_id = ${target.id} and r.id = c.result_id
    )
    update runs set combination_count = (select sum(count) from counted)::int,
      last_configuration_place = (select max(configuration) from counted)::smallint
    where id = ${target.id}`.execute(tx)
}
