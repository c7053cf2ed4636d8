import { MAX_FIELD_ERRORS } from '@caseward/contract/problem'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'

/** What a rerun takes from its run, and from the chain that this belongs to. */
export interface Chain {
  name: string
  description: string
  milestone_id: string | null
  /** The first run of the chain. */
  root_id: string
  /** Null after the first run was deleted. */
  root_name: string | null
  /** The highest number of a rerun of the chain; 0 without reruns. */
  last_number: number
  has_combinations: boolean
}

/** Undefined when the run is gone. */
export async function selectChain(tx: Database, { id, project }: RunRef): Promise<Chain | undefined> {
  const { rows } = await sql<Chain>`
    select r.name, r.description, r.milestone_id, coalesce(r.root_run_id, r.id) as root_id, root.name as root_name,
      r.combination_count is not null as has_combinations,
      coalesce((
        select max(x.rerun_number) from runs x
        where x.project_id = ${project.id} and x.root_run_id = coalesce(r.root_run_id, r.id)
      ), 0) as last_number
    from runs r left join runs root on root.id = coalesce(r.root_run_id, r.id)
    where r.id = ${id}`.execute(tx)
  return rows[0]
}

/** Which of these numbers no test case of the run has: as many as the response lists, and one more. */
export async function selectMissingNumbers(
  tx: Database,
  { id, group, project }: RunRef,
  numbers: string,
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select number from unnest(${numbers}::int[]) as requested (number)
    where number not in (
      select t.case_number from test_results t
      where t.project_id = ${project.id} and t.run_group = ${group} and t.run_id = ${id}
        and t.case_number = any(${numbers}::int[])
    )
    limit ${MAX_FIELD_ERRORS + 1}`.execute(tx)
  return rows.map(({ number }) => number)
}

/**
 * Assigns the results of a new run to those who have them in another one and may still test.
 * @returns everybody who has got a result
 */
export async function copyAssignees(tx: Database, source: RunRef, target: RunRef): Promise<string[]> {
  const { id: projectId } = source.project
  const { rows } = await sql<{ users: string[] | null }>`
    with copied as (
      update test_results n set assigned_to = s.assigned_to
      from test_results s
      where n.project_id = ${projectId} and n.run_id = ${target.id}
        and s.project_id = ${projectId} and s.run_id = ${source.id} and s.case_number = n.case_number
        and s.assigned_to in (
          select m.user_id from memberships m join users u on u.id = m.user_id
          where m.project_id = ${projectId} and m.role <> 'viewer' and u.disabled_at is null
        )
      returning n.assigned_to
    )
    select array(select distinct assigned_to::text from copied) as users`.execute(tx)
  return rows[0]?.users ?? []
}
