import { MAX_EVENT_RESULTS } from '@caseward/contract/events'
import type { FieldError } from '@caseward/contract/problem'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'

/** Returns an error for every place that is no configuration of a run. */
export async function findUnknownPlaces(
  tx: Database,
  { id, project }: RunRef,
  places: readonly number[],
): Promise<FieldError[]> {
  const rows = await tx
    .selectFrom('run_configurations')
    .select('place')
    .where('project_id', '=', project.id)
    .where('run_id', '=', id)
    .execute()
  const known = new Set(rows.map(({ place }) => place))
  return places.flatMap((place, index) =>
    known.has(place) ? [] : [{ path: `/configurations/${index}`, message: 'is not a configuration of this run' }],
  )
}

/** What assigning has changed. */
interface AssignedCombinations {
  /** All that were chosen. */
  count: number
  at: Date
  /** The first of the results whose combinations changed. */
  ids: string[]
  /** Everybody who has got a combination that was not theirs. */
  newAssignees: string[]
}

/**
 * Assigns combinations to users in turn, result by result, or to nobody.
 * @param which results, and places of configurations of the run
 */
export async function assignCombinations(
  tx: Database,
  { id, project }: RunRef,
  { resultIds, configurations }: { resultIds: readonly string[]; configurations: readonly number[] },
  userIds: readonly string[],
): Promise<AssignedCombinations> {
  const { rows } = await sql<{ count: number; at: Date; ids: string[]; users: string[] }>`
    with chosen as materialized (
      select c.result_id, c.place, (row_number() over (order by c.result_id, c.place) - 1)::int as number
      from result_combinations c
      where c.project_id = ${project.id} and c.run_id = ${id} and c.result_id = any(${resultIds}::uuid[])
        and c.configuration = any(${configurations}::smallint[])
    ), assigned as materialized (
      select result_id, place, (${userIds}::uuid[])[number % greatest(${userIds.length}::int, 1) + 1] as user_id from chosen
    ), written as (
      update result_combinations c set assigned_to = assigned.user_id
      from assigned
      where c.project_id = ${project.id} and c.run_id = ${id} and c.result_id = assigned.result_id
        and c.place = assigned.place and c.assigned_to is distinct from assigned.user_id
      returning c.result_id, c.assigned_to
    ), changed as (
      update test_results r set changed_at = statement_timestamp()
      where r.project_id = ${project.id} and r.run_id = ${id} and r.id in (select result_id from written)
      returning r.id
    )
    select (select count(*)::int from chosen) as count, now()::timestamptz(3) as at,
      array(select id::text from changed limit ${sql.lit(MAX_EVENT_RESULTS + 1)}) as ids,
      array(select distinct assigned_to::text from written where assigned_to is not null) as users`.execute(tx)
  const [row] = rows
  return { count: row?.count ?? 0, at: row?.at ?? new Date(), ids: row?.ids ?? [], newAssignees: row?.users ?? [] }
}
