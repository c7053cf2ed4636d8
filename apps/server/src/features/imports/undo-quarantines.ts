import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ClaimedImport } from './imports.queries.ts'

/**
 * Deletes quarantines that an import has created, and that nobody has changed or ended since. The caller holds the lock on the project.
 * @returns whether it has created some
 */
export async function deleteCreatedQuarantines(tx: Database, { projectId, id }: ClaimedImport): Promise<boolean> {
  // Both are not on the same nodes.
  const { rows } = await sql<{ id: string; planned: object }>`${plannedAnew}
    select target as id, planned from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = 'quarantine' and action = 'create' and is_done
      and target is not null`.execute(tx)
  if (rows.length === 0) return false
  const items = rows.map(({ planned }) => planned)
  await sql`
    delete from quarantines q using json_to_recordset(${JSON.stringify(items)}) as item (
      id uuid, reason text, link text, branches json, expires_at timestamptz, ended_at timestamptz
    )
    where q.project_id = ${projectId} and q.id = item.id and q.reason = item.reason
      and q.link is not distinct from item.link and q.expires_at = item.expires_at
      and q.branches = array(select json_array_elements_text(item.branches))
      -- One whose time is over since has ended by itself.
      and (q.ended_at is not distinct from item.ended_at or q.ended_at = q.expires_at)`.execute(tx)
  return true
}
