import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { unprocessableProblem } from '../../platform/http/problems.ts'
import { deleteAttachmentsOfTestCases } from '../attachments/delete-attachments.queries.ts'
import { type AuditActor, recordAudits } from '../audit/record-audit.ts'
import { deleteMentionsOfTestCases } from '../comments/delete-comments.queries.ts'
import { DELETED_VALUES, type DeletedValues, removeDeletedValues } from '../fields/case-field-values.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { runGroups } from '../runs/run-groups.ts'
import { notifyFoldersChanged, notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { formatTestCaseId } from './test-case-ids.ts'
import { requireVersion } from './test-case-version.ts'

/** The most results that lose their test case in one transaction: about 20 seconds on two busy processors. */
const MAX_RESULTS = 500_000

/**
 * Deletes test cases. Their results in runs keep their title and lose the test case id. Locks the project first: a
 * request that creates a run with these test cases waits, and then no longer finds them.
 * @param options.version only delete this version; null for any. Only for one test case
 * @param options.maxResults the most results that may lose their test case
 * @returns the number of test cases that existed
 * @throws {Problem} 404 when the project is gone; 412 for another version; 422 when there are too many results
 */
export async function deleteTestCases(
  db: Database,
  actor: AuditActor,
  project: ProjectRef,
  numbers: readonly number[],
  { version = null, maxResults = MAX_RESULTS }: { version?: number | null; maxResults?: number } = {},
): Promise<number> {
  const { id: projectId, prefix } = project
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    if (version !== null) for (const number of numbers) await requireVersion(tx, project, number, version)
    const deleted = await deleteRows(tx, projectId, numbers)
    if (deleted.length === 0) return 0
    const deletedNumbers = deleted.map(({ number }) => number)
    await forgetTargets(tx, projectId, deletedNumbers)
    await removeDeletedValues(tx, projectId, deleted)
    await notifyTestCasesChanged(tx, projectId, deletedNumbers, { isDeleted: true })
    await notifyFoldersChanged(tx, projectId)
    const withAttachments = deleted.filter(({ attachment_count: count }) => count !== null)
    if (withAttachments.length > 0) {
      await deleteAttachmentsOfTestCases(
        tx,
        projectId,
        withAttachments.map(({ number }) => number),
      )
    }
    const withComments = deleted.filter(({ comment_count: count }) => count !== null)
    if (withComments.length > 0) {
      await deleteMentionsOfTestCases(
        tx,
        projectId,
        withComments.map(({ number }) => number),
      )
    }
    await removeReferences(tx, projectId, deletedNumbers, maxResults)
    const entries = deleted.map(({ number, title }) => ({
      action: 'test_case.delete' as const,
      subject: { kind: 'test_case' as const, id: formatTestCaseId(prefix, number), name: title },
      projectId,
    }))
    await recordAudits(tx, actor, entries)
    return deleted.length
  })
}

/** Counts the test cases that {@link deleteTestCases} would delete, and their results up to one more than it allows. */
export async function previewDeletion(
  db: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<{ deleted: number; result_count: number }> {
  const { rows } = await sql<{ deleted: number; result_count: number }>`
    select
      (select count(*)::int from test_cases where project_id = ${projectId} and number = any(${numbers}::int[])) as deleted,
      (
        select count(*)::int from (
          select 1 from test_results where ${isOfTestCases(projectId, numbers)} limit ${MAX_RESULTS + 1}
        ) found
      ) as result_count`.execute(db)
  return rows[0] ?? { deleted: 0, result_count: 0 }
}

/** A condition on results. */
const isOfTestCases = (projectId: string, numbers: readonly number[]) => sql`
  project_id = ${projectId} and case_number = any(${numbers}::int[])
    and run_group = any(array(select ${runGroups} from projects where id = ${projectId}))`

/** Deletes the test cases and subtracts from the counters of the project and its folders, which leave archived ones out, in one statement. */
async function deleteRows(tx: Database, projectId: string, numbers: readonly number[]) {
  const { rows } = await sql<{
    number: number
    title: string
    attachment_count: number | null
    comment_count: number | null
    values: DeletedValues | null
  }>`
    with deleted as (
      delete from test_cases where project_id = ${projectId} and number = any(${numbers}::int[])
      returning number, folder_id, title, archived_at, attachment_count, comment_count,
        case when fields is not null then ${DELETED_VALUES} end as values
    ), folder as (
      update folders f set test_case_count = f.test_case_count - d.count
      from (select folder_id, count(*)::int from deleted where archived_at is null group by folder_id) d
      where f.project_id = ${projectId} and f.id = d.folder_id
    ), project as (
      update projects set
        test_case_count = test_case_count - (select count(*)::int from deleted where archived_at is null),
        archived_test_case_count = archived_test_case_count - (select count(archived_at)::int from deleted)
      where id = ${projectId}
    )
    select number, title, attachment_count, comment_count, values from deleted order by number`.execute(tx)
  return rows
}

/** What was merged into a deleted test case stays archived, and leads nowhere. */
async function forgetTargets(tx: Database, projectId: string, numbers: readonly number[]): Promise<void> {
  await sql`
    update test_cases set merged_into = null
    where project_id = ${projectId} and merged_into = any(${numbers}::int[])`.execute(tx)
}

/**
 * Removes the references of results to the test cases. Locks the runs first, in the order of their ids, because uploads
 * lock the results of a run in any order.
 */
async function removeReferences(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
  maxResults: number,
): Promise<void> {
  const ofTestCases = isOfTestCases(projectId, numbers)
  const { rows } = await sql<{ count: number }>`
    with found as materialized (
      select run_id from test_results where ${ofTestCases} limit ${maxResults + 1}
    )
    select found.count from runs join (
      select run_id, count(*)::int as count from found group by run_id
    ) found on found.run_id = runs.id
    order by runs.id for no key update of runs`.execute(tx)
  if (rows.reduce((sum, { count }) => sum + count, 0) > maxResults) {
    throw unprocessableProblem(
      'too_many_results',
      `These test cases have more than ${maxResults.toLocaleString('en')} results in runs. Delete fewer of them at a time.`,
    )
  }
  if (rows.length === 0) return
  await sql`
    update test_results set case_number = null, changed_at = statement_timestamp() where ${ofTestCases}`.execute(tx)
}
