import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'

/** What no index answers reads all test cases: this many take about as long as a page may. */
export const MAX_SCANNED = 100_000

/** Whether the project, or the folder of the query, has few enough test cases to read them all. */
export async function hasFewTestCases(
  db: Database,
  { id }: ProjectRef,
  { folder_id: folderId, archived = 'false' }: { folder_id?: string; archived?: string },
): Promise<boolean> {
  const project = await db
    .selectFrom('projects')
    .select(['test_case_count', 'archived_test_case_count'])
    .where('id', '=', id)
    .executeTakeFirst()
  const folder =
    folderId !== undefined && isUuid(folderId)
      ? await db
          .selectFrom('folders')
          .select('test_case_count')
          .where('project_id', '=', id)
          .where('id', '=', folderId)
          .executeTakeFirst()
      : project
  // Folders do not count their archived test cases.
  const archivedCount = archived === 'false' ? 0 : (project?.archived_test_case_count ?? 0)
  return (folder?.test_case_count ?? 0) + archivedCount <= MAX_SCANNED
}
