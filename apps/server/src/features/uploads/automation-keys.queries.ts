import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

const KEYS_PER_STATEMENT = 10_000

/** Returns the case numbers of those automation keys that exist in the project, by key. */
export async function selectCaseNumbersByKey(
  db: Database,
  projectId: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const caseNumbers = new Map<string, number>()
  for (let from = 0; from < keys.length; from += KEYS_PER_STATEMENT) {
    const batch = keys.slice(from, from + KEYS_PER_STATEMENT)
    const { rows } = await sql<{ key: string; number: number }>`
      select automation_key as key, number from test_cases
      where project_id = ${projectId} and automation_key = any(${batch}::text[])`.execute(db)
    for (const { key, number } of rows) caseNumbers.set(key, number)
  }
  return caseNumbers
}
