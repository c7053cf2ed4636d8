import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import type { Json } from '../../platform/database/schema.generated.ts'
import type { StoredValues, ValueChanges } from '../fields/stored-values.ts'
import { mergeStoredValues } from '../fields/merge-stored-values.ts'

/** Locks test cases, and returns the values of their custom fields by their numbers. */
export async function lockValues(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, StoredValues>> {
  const { rows } = await sql<{ number: number; fields: StoredValues }>`
    select number, fields from test_cases
    where project_id = ${projectId} and number = any(${[...numbers]}::int[]) and fields is not null
    for no key update`.execute(tx)
  return new Map(rows.map(({ number, fields }) => [number, fields]))
}

/** Selects the values of some fields of many test cases, which the caller has locked. */
export async function selectValuesOf(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
  fieldNumbers: readonly string[],
): Promise<Map<number, StoredValues>> {
  const { rows } = await sql<{ number: number; fields: StoredValues | null }>`
    select c.number, (
      select jsonb_object_agg(value.key, value.value) from jsonb_each(c.fields) value
      where value.key = any(${[...fieldNumbers]}::text[])
    ) as fields
    from test_cases c
    where c.project_id = ${projectId} and c.number = any(${[...numbers]}::int[]) and c.fields is not null`.execute(tx)
  return new Map(rows.flatMap(({ number, fields }) => (fields === null ? [] : [[number, fields]])))
}

/** Counts the characters of texts in some fields of many test cases. */
export async function countTextOf(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
  fieldNumbers: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: string | null }>`
    select sum(length(c.fields ->> field)) as count
    from test_cases c, unnest(${[...fieldNumbers]}::text[]) as field
    where c.project_id = ${projectId} and c.number = any(${[...numbers]}::int[]) and c.fields is not null`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}

/** The values of a test case `c` after a change. */
export const mergeSentValues = (changes: ValueChanges) => sql<Json>`(
  select ${sql.raw(mergeStoredValues('sent.fields'))} from (select ${JSON.stringify(changes)}::jsonb as fields) sent
)`
