import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { deleteAttachmentsOfRun } from '../attachments/delete-attachments.queries.ts'
import { deleteCommentsOfRun } from '../comments/delete-comments.queries.ts'
import { buildMoveConfigurations } from '../combinations/write-combinations.queries.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'
import { FAILED, PASSED, SKIPPED } from '../tests/outcomes.queries.ts'

/** A run that is due to be deleted. */
export interface OldRun {
  id: string
  projectId: string
  hasAttachments: boolean
}

/** Rows that one transaction deletes: a fraction of a second. */
const ROWS_PER_BATCH = 2000

/**
 * Condition on a run `r`: it was completed before the time, and no milestone that is not finished needs it. With
 * sub-milestones, a milestone is finished when they are.
 */
const isOld = (before: Date) => sql<boolean>`
  r.status = 'completed' and r.completed_at < ${before} and not exists (
    select from milestones m where m.project_id = r.project_id and m.id = r.milestone_id and coalesce((
      select min(s.status) from milestones s where s.project_id = m.project_id and s.parent_id = m.id
    ), m.status) = 'active'
  )`

/** Selects runs that were completed before a time, those of a project together. */
export async function selectOldRuns(db: Database, before: Date, limit: number): Promise<OldRun[]> {
  const { rows } = await sql<OldRun>`
    select r.id, r.project_id as "projectId", r.attachment_count is not null as "hasAttachments"
    from runs r where ${isOld(before)}
    order by r.project_id, r.id limit ${limit}`.execute(db)
  return rows
}

/** Counts what {@link selectOldRuns} selects, by project. */
export async function countOldRuns(db: Database, before: Date, projectId: string | null = null) {
  const { rows } = await sql<{ id: string; name: string; runs: number; results: number }>`
    select p.id, p.name, count(*) as runs,
      sum(r.passed_count + r.failed_count + r.blocked_count + r.retest_count + r.not_tested_count)::float8 as results
    from runs r join projects p on p.id = r.project_id
    where ${isOld(before)} and (${projectId}::uuid is null or r.project_id = ${projectId}::uuid)
    group by p.id order by p.name, p.id`.execute(db)
  return rows
}

/** Locks a run that is still due. Returns false when it is gone, was reopened, or its milestone was. */
export async function lockOldRun(tx: Database, { id, projectId }: OldRun, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from runs r where r.project_id = ${projectId} and r.id = ${id} and ${isOld(before)} for update`.execute(tx)
  return rows.length > 0
}

/** Deletes some attachments of a locked run, and subtracts them from its counters. Returns whether there may be more. */
export async function deleteSomeAttachments(tx: Database, { id, projectId }: OldRun): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with deleted as (
      delete from run_attachments where project_id = ${projectId} and id = any(array(
        select id from run_attachments where project_id = ${projectId} and run_id = ${id}
        limit ${sql.lit(ROWS_PER_BATCH)}
      ))
      returning file_id, result_id, test_id, file_id is null and removed_at is null as is_waiting
    ), candidates as (
      insert into file_candidates (project_id, file_id)
      select distinct ${projectId}::uuid, file_id from deleted where file_id is not null
      order by file_id ${onCandidateConflict}
    ), reduced_outcomes as (
      update test_outcomes o set attachment_count = nullif(o.attachment_count - d.count, 0)
      from (select test_id, count(*)::int from deleted where test_id is not null group by test_id) d
      where o.project_id = ${projectId} and o.run_id = ${id} and o.test_id = d.test_id
    ), reduced as (
      update test_results r set attachment_count = nullif(r.attachment_count - d.count, 0)
      from (select result_id, count(*)::int from deleted group by result_id) d
      where r.project_id = ${projectId} and r.run_id = ${id} and r.id = d.result_id
    ), counted as (
      select count(*)::int as count, count(*) filter (where is_waiting)::int as waiting from deleted
    ), run as (
      update runs set attachment_count = nullif(attachment_count - count, 0),
        waiting_file_count = nullif(waiting_file_count - waiting, 0)
      from counted where project_id = ${projectId} and id = ${id} and count > 0
    )
    select count from counted`.execute(tx)
  return rows[0]?.count === ROWS_PER_BATCH
}

const countOf = (condition: string) => sql.raw(`count(*) filter (where ${condition})::int`)

/**
 * Deletes some results of a locked run, with their earlier versions. Subtracts them from the counters of the run, and keeps
 * what they count for its milestone. Returns whether there may be more.
 */
export async function deleteSomeResults(tx: Database, { id, projectId }: OldRun): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with deleted as (
      delete from test_results where project_id = ${projectId} and run_id = ${id} and id = any(array(
        select id from test_results where project_id = ${projectId} and run_id = ${id}
        order by id limit ${sql.lit(ROWS_PER_BATCH)}
      ))
      returning id, status, link_count, comment_count, step_state, combination_state
    ), forgotten as (
      delete from result_changes
      where project_id = ${projectId} and run_id = ${id} and result_id = any(array(select id from deleted))
    ), unlinked as (
      delete from links where project_id = ${projectId} and run_id = ${id}
        and result_id = any(array(select id from deleted where link_count > 0))
    ), uncommented as (
      delete from comments where project_id = ${projectId} and run_id = ${id}
        and result_id = any(array(select id from deleted where comment_count is not null))
      returning id
    ), unmentioned as (
      delete from mentions
      where project_id = ${projectId} and run_id = ${id} and comment_id = any(array(select id from uncommented))
    ), forgotten_steps as (
      delete from step_results where project_id = ${projectId} and run_id = ${id}
        and result_id = any(array(select id from deleted where step_state is not null))
    ), combinations as (
      delete from result_combinations where project_id = ${projectId} and run_id = ${id}
        and result_id = any(array(select id from deleted where combination_state is not null))
      returning configuration, status as previous_status, null::result_status as status
    ), moved as (
      select configuration, previous_status, status from combinations
    ), ${buildMoveConfigurations({ id, project: { id: projectId } })}, counted as (
      select count(*)::int as count, ${countOf("status = 'passed'")} as passed, ${countOf("status = 'failed'")} as failed,
        ${countOf("status = 'blocked'")} as blocked, ${countOf("status = 'retest'")} as retest,
        ${countOf("status = 'not_tested'")} as not_tested
      from deleted
    ), reduced as (
      update runs set passed_count = passed_count - passed, failed_count = failed_count - failed,
        blocked_count = blocked_count - blocked, retest_count = retest_count - retest,
        not_tested_count = not_tested_count - not_tested,
        combination_count = combination_count - (select count(*) from combinations)::int
      from counted where project_id = ${projectId} and id = ${id} and count > 0
      returning milestone_id
    ), kept as (
      update milestones set deleted_result_count = deleted_result_count + count,
        deleted_tested_count = deleted_tested_count + count - not_tested
      from reduced, counted where project_id = ${projectId} and id = reduced.milestone_id
    )
    select count from counted`.execute(tx)
  return rows[0]?.count === ROWS_PER_BATCH
}

/** Deletes some outcomes of a locked run with their parts, failures and verdicts, and subtracts them from its counters. Returns whether there may be more. */
export async function deleteSomeOutcomes(tx: Database, { id, projectId }: OldRun): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    with deleted_parts as (
      delete from outcome_parts where project_id = ${projectId} and run_id = ${id} and test_id = any(array(
        select test_id from test_outcomes where project_id = ${projectId} and run_id = ${id}
        order by test_id limit ${sql.lit(ROWS_PER_BATCH)}
      ))
    ), deleted_failures as (
      delete from test_failures where project_id = ${projectId} and run_id = ${id} and test_id = any(array(
        select test_id from test_outcomes where project_id = ${projectId} and run_id = ${id}
        order by test_id limit ${sql.lit(ROWS_PER_BATCH)}
      ))
    ), deleted_verdicts as (
      delete from test_verdicts where project_id = ${projectId} and run_id = ${id} and test_id = any(array(
        select test_id from test_outcomes where project_id = ${projectId} and run_id = ${id}
        order by test_id limit ${sql.lit(ROWS_PER_BATCH)}
      ))
    ), deleted as (
      delete from test_outcomes where project_id = ${projectId} and run_id = ${id} and test_id = any(array(
        select test_id from test_outcomes where project_id = ${projectId} and run_id = ${id}
        order by test_id limit ${sql.lit(ROWS_PER_BATCH)}
      ))
      returning status, is_flaky, is_matched
    ), counted as (
      select count(*)::int as count, ${countOf(PASSED)} as passed,
        ${countOf(FAILED)} as failed, ${countOf(SKIPPED)} as skipped, ${countOf('is_flaky')} as flaky,
        ${countOf('not is_matched')} as unmatched, ${countOf(`not is_matched and ${PASSED}`)} as unmatched_passed,
        ${countOf(`not is_matched and ${FAILED}`)} as unmatched_failed,
        ${countOf(`not is_matched and ${SKIPPED}`)} as unmatched_skipped
      from deleted
    ), reduced as (
      update runs set passed_test_count = passed_test_count - passed, failed_test_count = failed_test_count - failed,
        skipped_test_count = skipped_test_count - skipped, flaky_test_count = flaky_test_count - flaky,
        unmatched_test_count = unmatched_test_count - unmatched,
        unmatched_passed_count = unmatched_passed_count - unmatched_passed,
        unmatched_failed_count = unmatched_failed_count - unmatched_failed,
        unmatched_skipped_count = unmatched_skipped_count - unmatched_skipped
      from counted where project_id = ${projectId} and id = ${id} and count > 0
    )
    select count from counted`.execute(tx)
  return rows[0]?.count === ROWS_PER_BATCH
}

/**
 * Deletes a locked run that has no results and outcomes any more, with its suite errors and comments, and with what was
 * attached to it since the list was read.
 */
export async function deleteEmptyRun(tx: Database, { id, projectId }: OldRun): Promise<void> {
  const { rows } = await sql<{ hasAttachments: boolean; hasComments: boolean }>`
    with deleted as (
      delete from runs where project_id = ${projectId} and id = ${id} returning attachment_count, comment_count
    ), counted as (
      update projects set run_count = run_count - 1 where id = ${projectId} and exists (select from deleted)
    )
    select attachment_count is not null as "hasAttachments", comment_count is not null as "hasComments"
    from deleted`.execute(tx)
  // Of tests that were left out, which have no outcome.
  for (const table of ['test_failures', 'test_verdicts'] as const) {
    await tx.deleteFrom(table).where('project_id', '=', projectId).where('run_id', '=', id).execute()
  }
  if (rows[0]?.hasComments === true) await deleteCommentsOfRun(tx, projectId, id)
  if (rows[0]?.hasAttachments === true) await deleteAttachmentsOfRun(tx, projectId, id)
}
