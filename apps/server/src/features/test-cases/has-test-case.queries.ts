import type { Database } from '../../platform/database/connect.ts'

/** Whether there is a test case. */
export async function hasTestCase(db: Database, projectId: string, number: number): Promise<boolean> {
  const row = await db
    .selectFrom('test_cases')
    .select('number')
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row !== undefined
}
