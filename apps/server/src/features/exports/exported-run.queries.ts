import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { resultCount } from '../runs/run-counts.ts'

/** The name of a run and the number of its results; undefined when the run is gone. */
export async function selectExportedRun(
  db: Database,
  id: string,
): Promise<{ name: string; count: number; hasCombinations: boolean } | undefined> {
  const { rows } = await sql<{ name: string; count: number; hasCombinations: boolean }>`
    select name, ${resultCount} as count, combination_count is not null as "hasCombinations"
    from runs where id = ${id}`.execute(db)
  return rows[0]
}

/** Whether any of these runs has combinations. */
export async function haveCombinations(db: Database, runIds: readonly string[]): Promise<boolean> {
  const run = await db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', sql<string>`any(${runIds}::uuid[])`)
    .where('combination_count', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return run !== undefined
}
