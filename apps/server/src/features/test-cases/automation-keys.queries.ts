import { MAX_AUTOMATION_KEY_LENGTH } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

const KEYS_PER_STATEMENT = 10_000

/** A character has at most two UTF-16 units. */
const isPossibleKey = (key: string): boolean => key !== '' && key.length <= 2 * MAX_AUTOMATION_KEY_LENGTH

/** Returns the case numbers of those automation keys that exist in the project, by key. */
export async function selectCaseNumbersByKey(
  db: Database,
  projectId: string,
  keys: readonly string[],
): Promise<Map<string, number>> {
  const possibleKeys = keys.filter(isPossibleKey)
  const caseNumbers = new Map<string, number>()
  for (let from = 0; from < possibleKeys.length; from += KEYS_PER_STATEMENT) {
    const batch = possibleKeys.slice(from, from + KEYS_PER_STATEMENT)
    // The digests are computed once, in a subquery, so that the index is searched for all of them together.
    const { rows } = await sql<{ key: string; number: number }>`
      select automation_key as key, number from test_cases
      where project_id = ${projectId} and automation_key is not null
        and automation_key_digest(automation_key)
          = any(array(select automation_key_digest(key) from unnest(${batch}::text[]) key))`.execute(db)
    for (const { key, number } of rows) caseNumbers.set(key, number)
  }
  return caseNumbers
}
