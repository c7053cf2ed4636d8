import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { CaseAuthor } from '../case-versions/case-author.ts'
import { recordFolderMove } from '../case-versions/record-versions.ts'
import { notifyTestCasesChanged } from '../events/notify-distributed-change.ts'
import { makeRoom } from './make-room.ts'
import { POSITION } from './positions.ts'

/**
 * Moves all test cases of a folder, archived ones, too, to the end of its parent, in their order. The caller holds the lock on the project.
 *
 * One statement numbers them behind a position at the end, however many they are: a position with an appended text comes
 * after it, and before the position of the next test case.
 */
export async function moveTestCasesToParent(
  tx: Database,
  { projectId, lastNumber, author }: { projectId: string; lastNumber: number; author: CaseAuthor },
  {
    id,
    parent_id: parentId,
    test_case_count: count,
  }: { id: string; parent_id: string | null; test_case_count: number },
): Promise<void> {
  if (count === 0 && !(await hasTestCases(tx, projectId, id))) return
  const place = { projectId, lastNumber, folderId: parentId, after: 'end' } as const
  const { positions } = await makeRoom(tx, place, 1, [])
  await recordFolderMove(tx, projectId, author, id)
  await sql`
    update test_cases c set
      folder_id = ${parentId}, own_position = ${positions[0]}::text || lpad(moved.place::text, 10, '0') || 'V',
      version = version + 1, updated_by = ${author.userId}, updated_at = statement_timestamp()
    from (
      select c.number, row_number() over (order by ${sql.raw(POSITION)}, c.number) as place
      from test_cases c where c.project_id = ${projectId} and c.folder_id = ${id}
    ) moved
    where c.project_id = ${projectId} and c.number = moved.number`.execute(tx)
  await notifyTestCasesChanged(tx, projectId, null)
  await sql`
    update folders set test_case_count = test_case_count + ${count}
    where project_id = ${projectId} and id = ${parentId}`.execute(tx)
}

/** Whether there are any in the folder, which does not count those that are archived. */
async function hasTestCases(tx: Database, projectId: string, folderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('test_cases')
    .select('number')
    .where('project_id', '=', projectId)
    .where('folder_id', '=', folderId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
