import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { resultCount } from '../runs/run-counts.ts'

/** The name of a run and the number of its results; undefined when the run is gone. */
export async function selectExportedRun(
  db: Database,
  id: string,
): Promise<{ name: string; count: number } | undefined> {
  const { rows } = await sql<{ name: string; count: number }>`
    select name, ${resultCount} as count from runs where id = ${id}`.execute(db)
  return rows[0]
}
