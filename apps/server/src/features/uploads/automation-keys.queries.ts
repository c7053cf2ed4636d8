import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/** Keys in one statement. */
const BATCH = 10_000

/** The case numbers of automation keys, for those of the keys that the project knows. */
export async function selectAutomationKeys(
  db: Database,
  projectId: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const numbers = new Map<string, number>()
  for (let from = 0; from < keys.length; from += BATCH) {
    const { rows } = await sql<{ key: string; number: number }>`
      select automation_key as key, number from test_cases
      where project_id = ${projectId} and automation_key = any(${keys.slice(from, from + BATCH)}::text[])`.execute(db)
    for (const { key, number } of rows) numbers.set(key, number)
  }
  return numbers
}
