import { MAX_AUTOMATION_KEY_LENGTH } from '@caseward/contract/test-case-fields'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { planChecksAnew, plannedAnew } from '../../platform/database/plans.ts'
import { toKeyDigest } from './automation-keys.ts'

/** As many keys or numbers as can be looked up without holding up other requests. */
const BATCH_SIZE = 5000

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
  for (let from = 0; from < possibleKeys.length; from += BATCH_SIZE) {
    const batch = possibleKeys.slice(from, from + BATCH_SIZE)
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

/** Whether any test case of the project has an automation key. */
export async function hasAutomationKeys(db: Database, projectId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from automation_keys where project_id = ${projectId} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Returns those of the numbers that are test cases of the project, and where each of them leads: to itself, or to the test case
 * that it was merged into.
 */
export async function selectExistingCases(
  db: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, number>> {
  const existing = new Map<number, number>()
  for (let from = 0; from < numbers.length; from += BATCH_SIZE) {
    const batch = numbers.slice(from, from + BATCH_SIZE)
    const { rows } = await sql<{ number: number; target: number | null }>`${plannedAnew}
      select number, case when archived_at is not null then merged_into end as target from test_cases
      where project_id = ${projectId} and number = any(${`{${batch.join(',')}}`}::int[])`.execute(db)
    for (const { number, target } of rows) existing.set(number, target ?? number)
  }
  return existing
}

/** Returns the test cases that those of the numbers were merged into that were. */
export async function selectMergeTargets(
  db: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ number: number; target: number }>`
    select number, merged_into as target from test_cases
    where project_id = ${projectId} and merged_into is not null and archived_at is not null
      and number = any(${`{${numbers.join(',')}}`}::int[])`.execute(db)
  return new Map(rows.map(({ number, target }) => [number, target]))
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
  await replaceAutomationKeysOfMany(tx, projectId, [{ number, keys }])
}

/** As {@link replaceAutomationKeys}, for many test cases: one of them may get a key that another one gives up. */
export async function replaceAutomationKeysOfMany(
  tx: Database,
  projectId: string,
  testCases: readonly { number: number; keys: readonly string[] }[],
): Promise<void> {
  if (testCases.length === 0) return
  const numbers = `{${testCases.map(({ number }) => number).join(',')}}`
  const { rows: stored } = await sql<{ key_digest: string; case_number: number }>`${plannedAnew}
    select key_digest, case_number from automation_keys
    where project_id = ${projectId} and case_number = any(${numbers}::int[])`.execute(tx)
  const storedNumbers = new Map(stored.map(({ key_digest, case_number }) => [key_digest, case_number]))
  const newNumbers = new Map(testCases.flatMap(({ number, keys }) => keys.map((key) => [toKeyDigest(key), number])))
  const removed = stored.filter(({ key_digest, case_number }) => newNumbers.get(key_digest) !== case_number)
  const added = [...newNumbers].filter(([digest, number]) => storedNumbers.get(digest) !== number)
  if (removed.length > 0) {
    await sql`
      delete from automation_keys
      where project_id = ${projectId}
        and key_digest = any(${`{${removed.map((row) => row.key_digest).join(',')}}`}::uuid[])`.execute(tx)
    await sql`
      delete from test_links
      where project_id = ${projectId} and source = 'key'
        and case_number = any(${`{${removed.map((row) => row.case_number).join(',')}}`}::int[])`.execute(tx)
  }
  if (added.length === 0) return
  await planChecksAnew(tx, added.length)
  await sql`
    insert into automation_keys (project_id, key_digest, case_number)
    select ${projectId}, * from unnest(
      ${`{${added.map(([digest]) => digest).join(',')}}`}::uuid[],
      ${`{${added.map(([, number]) => number).join(',')}}`}::int[]
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

/** The automation keys of those test cases that exist, by number. */
export async function selectAutomationKeysOfMany(
  db: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, string[]>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ number: number; automation_keys: string[] }>`${plannedAnew}
    select number, automation_keys from test_cases
    where project_id = ${projectId} and number = any(${`{${numbers.join(',')}}`}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.number, row.automation_keys]))
}
