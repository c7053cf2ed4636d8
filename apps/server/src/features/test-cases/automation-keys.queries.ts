import { MAX_AUTOMATION_KEY_LENGTH } from '@caseward/contract/test-case-schemas'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { toKeyDigest } from './automation-keys.ts'

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
    const digests = batch.map(toKeyDigest)
    const { rows } = await sql<{ key_digest: string; case_number: number }>`${plannedAnew}
      select key_digest, case_number from automation_keys
      where project_id = ${projectId} and key_digest = any(${`{${digests.join(',')}}`}::uuid[])`.execute(db)
    if (rows.length === 0) continue
    const numbers = new Map(rows.map(({ key_digest, case_number }) => [key_digest, case_number]))
    for (const [index, key] of batch.entries()) {
      const number = numbers.get(digests[index] ?? '')
      if (number !== undefined) caseNumbers.set(key, number)
    }
  }
  return caseNumbers
}

/** Returns those of the numbers that are test cases of the project. */
export async function selectExistingCases(
  db: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Set<number>> {
  const { rows } = await sql<{ number: number }>`${plannedAnew}
    select number from test_cases
    where project_id = ${projectId} and number = any(${`{${numbers.join(',')}}`}::int[])`.execute(db)
  return new Set(rows.map(({ number }) => number))
}

/**
 * Replaces the keys by which a test case is found. Links of tests that a removed key has made end. The caller holds the
 * lock on the project.
 */
export async function replaceAutomationKeys(
  tx: Database,
  projectId: string,
  number: number,
  keys: readonly string[],
): Promise<void> {
  const digests = `{${keys.map(toKeyDigest).join(',')}}`
  const { rows } = await sql`
    delete from automation_keys
    where project_id = ${projectId} and case_number = ${number} and not key_digest = any(${digests}::uuid[])
    returning 1`.execute(tx)
  if (rows.length > 0) {
    await sql`
      delete from test_links
      where project_id = ${projectId} and case_number = ${number} and source = 'key'`.execute(tx)
  }
  await sql`
    insert into automation_keys (project_id, key_digest, case_number)
    select ${projectId}, digest, ${number} from unnest(${digests}::uuid[]) digest
    where not exists (
      select from automation_keys k
      where k.project_id = ${projectId} and k.key_digest = digest and k.case_number = ${number}
    )`.execute(tx)
}

/** The automation keys of a test case; null when it does not exist. */
export async function selectAutomationKeys(db: Database, projectId: string, number: number): Promise<string[] | null> {
  const row = await db
    .selectFrom('test_cases')
    .select('automation_keys')
    .where('project_id', '=', projectId)
    .where('number', '=', number)
    .executeTakeFirst()
  return row?.automation_keys ?? null
}
