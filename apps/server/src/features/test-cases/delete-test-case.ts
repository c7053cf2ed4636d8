import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { runGroups } from '../runs/run-groups.ts'
import { formatTestCaseId } from './test-case-ids.ts'

/**
 * Deletes a test case. Its results in runs keep their title and lose the test case id. Locks the project first: a
 * request that creates a run with this test case waits, and then no longer finds it.
 * @returns false when there is no such test case
 * @throws {Problem} 404 when the project is gone
 */
export async function deleteTestCase(
  db: Database,
  actor: AuditActor,
  { id: projectId, prefix }: ProjectRef,
  number: number,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const { rows } = await sql<{ folder_id: string | null; title: string }>`
      delete from test_cases where project_id = ${projectId} and number = ${number}
      returning folder_id, title`.execute(tx)
    const [deleted] = rows
    if (deleted === undefined) return false
    await sql`update projects set test_case_count = test_case_count - 1 where id = ${projectId}`.execute(tx)
    if (deleted.folder_id !== null) {
      await sql`
        update folders set test_case_count = test_case_count - 1
        where project_id = ${projectId} and id = ${deleted.folder_id}`.execute(tx)
    }
    await sql`
      update test_results set case_number = null, changed_at = statement_timestamp()
      where project_id = ${projectId} and case_number = ${number}
        and run_group = any(array(select ${runGroups} from projects where id = ${projectId}))`.execute(tx)
    const subject = { kind: 'test_case', id: formatTestCaseId(prefix, number), name: deleted.title } as const
    await recordAudit(tx, actor, { action: 'test_case.delete', subject, projectId })
    return true
  })
}
