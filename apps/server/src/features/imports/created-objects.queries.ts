import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ImportWork } from './import-work.ts'

const BATCH = 200

/**
 * Selects some of the objects that an import has created, in the order of its records.
 * @param after `seq` of the last record of those before; 0 for the first
 */
export async function selectCreated(
  db: Database,
  { claim }: ImportWork,
  kind: 'case' | 'run',
  after: number,
): Promise<{ seq: number; target: string }[]> {
  const { rows } = await sql<{ seq: number; target: string }>`${plannedAnew}
    select seq, target from import_records
    where project_id = ${claim.projectId} and import_id = ${claim.id} and kind = ${kind} and action = 'create'
      and is_done and target is not null and seq > ${after}
    order by seq limit ${BATCH}`.execute(db)
  return rows
}
