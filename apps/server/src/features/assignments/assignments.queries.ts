import { MAX_EVENT_RESULTS } from '@caseward/contract/events'
import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'

/** A result of a run, and the number of its test case; null if it was deleted. */
export interface RunResult {
  id: string
  case_number: number | null
}

/** The results with these ids or of these test cases, in the order of the run. */
export async function selectResultsOfRun(
  tx: Database,
  { id, group, project }: RunRef,
  { ids, caseNumbers }: { ids: readonly string[]; caseNumbers: readonly number[] },
): Promise<RunResult[]> {
  const { rows } = await sql<RunResult>`
    select id, case_number from test_results
    where project_id = ${project.id} and run_id = ${id} and id = any(${ids}::uuid[])
    union
    select id, case_number from test_results
    where project_id = ${project.id} and run_group = ${group} and case_number = any(${caseNumbers}::int[])
      and run_id = ${id}
    order by id`.execute(tx)
  return rows
}

/** Those of these users who may set results in a project. */
export async function selectAssignable(
  tx: Database,
  projectId: string,
  userIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ user_id: string }>`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} and m.user_id = any(${userIds}::uuid[]) and m.role <> 'viewer'
      and u.disabled_at is null`.execute(tx)
  return new Set(rows.map(({ user_id }) => user_id))
}

/** What assigning has changed. */
export interface Reassigned {
  at: Date
  /** The first of the results that changed: one more than an event can contain, if there are as many. */
  ids: string[]
  /** Everybody who has got a result that was not theirs. */
  newAssignees: string[]
}

/** Assigns results of a run, each to a user or to nobody. */
export async function updateAssignees(
  tx: Database,
  { id, project }: RunRef,
  assignments: readonly { id: string; userId: string | null }[],
): Promise<Reassigned> {
  const ids = assignments.map((assignment) => assignment.id)
  const userIds = assignments.map(({ userId }) => userId)
  const { rows } = await sql<{ at: Date; ids: string[] | null; users: string[] | null }>`
    with written as (
      update test_results r set assigned_to = input.user_id, changed_at = statement_timestamp()
      from unnest(${ids}::uuid[], ${userIds}::uuid[]) as input (id, user_id)
      where r.project_id = ${project.id} and r.run_id = ${id} and r.id = input.id
        and r.assigned_to is distinct from input.user_id
      returning r.id, r.assigned_to
    )
    select now()::timestamptz(3) as at,
      array(select id::text from written limit ${sql.lit(MAX_EVENT_RESULTS + 1)}) as ids,
      array(select distinct assigned_to::text from written where assigned_to is not null) as users`.execute(tx)
  const [row] = rows
  return { at: row?.at ?? new Date(), ids: row?.ids ?? [], newAssignees: row?.users ?? [] }
}
