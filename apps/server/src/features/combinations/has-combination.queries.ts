import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/** Whether a result has a combination at a place. */
export async function hasCombination(
  db: Database,
  { projectId, runId }: { projectId: string; runId: string },
  resultId: string,
  place: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from result_combinations
    where project_id = ${projectId} and run_id = ${runId} and result_id = ${resultId} and place = ${place}`.execute(db)
  return rows.length > 0
}
