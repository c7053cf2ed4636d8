import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/* The rows of test cases that are merged. The caller holds the locks on them. */

/** A test case that is merged, or into which others are. */
export interface MergedCase {
  number: number
  title: string
  mergedInto: number | null
  keys: string[]
}

/** Selects locked test cases, by number. */
export async function selectMergedCases(
  tx: Database,
  projectId: string,
  numbers: readonly number[],
): Promise<Map<number, MergedCase>> {
  const { rows } = await sql<MergedCase>`
    select number, title, case when archived_at is not null then merged_into end as "mergedInto", automation_keys as keys
    from test_cases where project_id = ${projectId} and number = any(${numbers}::int[])`.execute(tx)
  return new Map(rows.map((row) => [row.number, row]))
}

/** What a merge, or its undo, leaves in the row of a test case. */
export interface MergedRow {
  number: number
  keys: readonly string[]
  mergedInto: number | null
}

/** Writes rows, with what is counted there, as new versions. */
export async function writeMergedRows(
  tx: Database,
  projectId: string,
  userId: string | null,
  rows: readonly MergedRow[],
): Promise<void> {
  const items = rows.map(({ mergedInto, ...row }) => ({ ...row, merged_into: mergedInto }))
  await sql`
    update test_cases c set
      automation_keys = item.keys, merged_into = item.merged_into, version = c.version + 1, updated_by = ${userId}::uuid,
      updated_at = statement_timestamp(),
      attachment_count = nullif((
        select count(*) from case_attachments a where a.project_id = ${projectId} and a.case_number = c.number
      ), 0),
      comment_count = (
        select case when count(*) > 0 then count(*) - count(o.deleted_at) end
        from comments o where o.project_id = ${projectId} and o.case_number = c.number
      )
    from json_to_recordset(${JSON.stringify(items)}) as item (number int, keys text[], merged_into int)
    where c.project_id = ${projectId} and c.number = item.number`.execute(tx)
}

/** What was merged into test cases is now merged into another one. */
export async function redirectMerged(tx: Database, projectId: string, from: readonly number[], target: number) {
  await sql`
    update test_cases set merged_into = ${target}
    where project_id = ${projectId} and merged_into = any(${from}::int[])`.execute(tx)
}
