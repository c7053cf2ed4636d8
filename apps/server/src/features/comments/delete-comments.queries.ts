import type { Database } from '../../platform/database/connect.ts'

/** Deletes the comments on a run that is deleted and on its results, and the mentions in them. */
export async function deleteCommentsOfRun(tx: Database, projectId: string, runId: string): Promise<void> {
  const { numDeletedRows } = await tx
    .deleteFrom('comments')
    .where('project_id', '=', projectId)
    .where('run_id', '=', runId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  await tx.deleteFrom('mentions').where('project_id', '=', projectId).where('run_id', '=', runId).execute()
}

/** Deletes the mentions in comments on test cases that were deleted, with which their comments are. */
export async function deleteMentionsOfTestCases(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('mentions')
    .where('project_id', '=', projectId)
    .where('run_id', 'is', null)
    .where('case_number', 'in', [...numbers])
    .execute()
}
