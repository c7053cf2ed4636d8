import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/** The most ids that fit into a notification of 8,000 bytes. */
const MAX_IDS = 200

/** Notifies servers of shared steps that were created, changed or deleted, once the transaction commits. */
export async function notifySharedStepsChanged(tx: Database, projectId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const list = ids.length <= MAX_IDS ? ids.join(',') : null
  await sql`select notify_change('shared_steps', ${projectId}::uuid, ${list}::text, null)`.execute(tx)
}
