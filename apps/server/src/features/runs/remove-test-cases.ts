import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'
import { buildMoveConfigurations } from '../combinations/write-combinations.queries.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'
import { resolveTestCaseIds } from './choose-test-cases.ts'
import { selectRun } from './runs.queries.ts'
import { requireOpenRun } from './with-open-run.ts'

/**
 * Removes test cases with their results from a run. Locks the project, then the run, as all other writes do.
 * @returns the run as a JSON object
 * @throws {Problem} 404 when the run is gone; 409 when it is completed; 400 with every unknown test case
 */
export async function removeTestCasesFromRun(
  db: Database,
  actor: AuditActor,
  run: RunRef,
  testCaseIds: readonly string[],
): Promise<string> {
  return await transactionWithRowMutex(db, run.id, async (tx) => {
    await lockProjectRow(tx, run.project.id)
    await requireOpenRun(tx, run.id)
    const { numbers, errors } = await resolveTestCaseIds(tx, run.project, testCaseIds, { allowsArchived: true })
    if (errors.length > 0) throw invalidProblem(errors)
    const removed = await deleteResults(tx, run, numbers)
    if (removed.test_cases > 0) {
      const subject = { kind: 'run', id: run.id, name: removed.name } as const
      const detail = { test_cases: removed.test_cases, tested: removed.tested }
      await recordAudit(tx, actor, { action: 'run.remove_test_cases', subject, projectId: run.project.id, detail })
    }
    const updated = await selectRun(tx, run.id)
    if (updated === null) throw notFoundProblem('run')
    return updated
  })
}

/**
 * Deletes results with their attachments, and subtracts them from the counters of the run, in one statement.
 * @param numbers as `resolveTestCaseIds` returns them
 */
async function deleteResults(tx: Database, { id, group, project }: RunRef, numbers: string) {
  const { rows } = await sql<{ name: string; test_cases: number; tested: number }>`
    with deleted as (
      delete from test_results
      where project_id = ${project.id} and run_group = ${group} and case_number = any(${numbers}::int[])
        and run_id = ${id}
      returning id, status, link_count, attachment_count, comment_count, step_state, combination_state
    ), forgotten as (
      delete from result_changes
      where project_id = ${project.id} and run_id = ${id} and result_id in (select id from deleted)
    ), detached as (
      delete from run_attachments
      where project_id = ${project.id} and run_id = ${id} and test_id is null
        and result_id in (select id from deleted where attachment_count is not null)
      returning file_id, file_id is null and removed_at is null as is_waiting
    ), released as (
      -- Of tests, which stay in the run.
      update run_attachments set result_id = null
      where project_id = ${project.id} and run_id = ${id} and test_id is not null
        and result_id in (select id from deleted where attachment_count is not null)
    ), candidates as (
      insert into file_candidates (project_id, file_id)
      select distinct ${project.id}::uuid, file_id from detached where file_id is not null
      order by file_id ${onCandidateConflict}
    ), counted_attachments as (
      select count(*)::int as attachments, count(*) filter (where is_waiting)::int as waiting from detached
    ), unlinked as (
      delete from links
      where project_id = ${project.id} and run_id = ${id} and result_id in (select id from deleted where link_count > 0)
    ), uncommented as (
      delete from comments
      where project_id = ${project.id} and run_id = ${id}
        and result_id in (select id from deleted where comment_count is not null)
      returning id
    ), unmentioned as (
      delete from mentions
      where project_id = ${project.id} and run_id = ${id} and comment_id in (select id from uncommented)
    ), forgotten_steps as (
      delete from step_results
      where project_id = ${project.id} and run_id = ${id}
        and result_id in (select id from deleted where step_state is not null or combination_state is not null)
    ), combinations as (
      delete from result_combinations
      where project_id = ${project.id} and run_id = ${id}
        and result_id in (select id from deleted where combination_state is not null)
      returning configuration, status as previous_status, null::result_status as status
    ), moved as (
      select configuration, previous_status, status from combinations
    ), ${buildMoveConfigurations({ id, project })}, removed as (
      select count(*)::int as test_cases,
        count(*) filter (where status = 'passed')::int as passed,
        count(*) filter (where status = 'failed')::int as failed,
        count(*) filter (where status = 'blocked')::int as blocked,
        count(*) filter (where status = 'retest')::int as retest,
        count(*) filter (where status = 'not_tested')::int as not_tested,
        now() as at
      from deleted
    )
    update runs set
      passed_count = passed_count - passed, failed_count = failed_count - failed,
      blocked_count = blocked_count - blocked, retest_count = retest_count - retest,
      not_tested_count = not_tested_count - not_tested,
      attachment_count = nullif(attachment_count - attachments, 0),
      waiting_file_count = nullif(waiting_file_count - waiting, 0),
      combination_count = combination_count - (select count(*) from combinations)::int,
      updated_at = case when test_cases > 0 then removed.at else updated_at end
    from removed, counted_attachments where id = ${id}
    returning name, test_cases, test_cases - not_tested as tested`.execute(tx)
  return rows[0] ?? { name: '', test_cases: 0, tested: 0 }
}
