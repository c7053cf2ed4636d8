import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { runGroups } from '../runs/run-groups.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'

/**
 * Deletes a test case. Its results in runs keep their title and lose the test case id. Locks the project first: a
 * request that creates a run with this test case waits, and then no longer finds it.
 * @returns false when there is no such test case
 * @throws {Problem} 404 when the project is gone
 */
export async function deleteTestCase(db: Database, projectId: string, number: number): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await requireLockedProject(tx, projectId)
    const { rows } = await sql<{ folder_id: string | null }>`
      delete from test_cases where project_id = ${projectId} and number = ${number} returning folder_id`.execute(tx)
    const [deleted] = rows
    if (deleted === undefined) return false
    await sql`update projects set test_case_count = test_case_count - 1 where id = ${projectId}`.execute(tx)
    if (deleted.folder_id !== null) {
      await sql`
        update folders set test_case_count = test_case_count - 1
        where project_id = ${projectId} and id = ${deleted.folder_id}`.execute(tx)
    }
    await sql`
      update test_results set case_number = null
      where project_id = ${projectId} and case_number = ${number}
        and run_group = any(array(select ${runGroups} from projects where id = ${projectId}))`.execute(tx)
    return true
  })
}
