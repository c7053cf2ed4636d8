import { sql } from 'kysely'

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

/** The numbers of test cases that exist, of some. */
export async function selectExistingNumbers(
  db: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ number: number }>`
    select number from test_cases
    where project_id = ${projectId} and number = any(${[...numbers]}::int[])`.execute(db)
  return new Set(rows.map(({ number }) => number))
}
