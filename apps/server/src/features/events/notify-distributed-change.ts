import { sql } from 'kysely'

import { type Database, hasCitus } from '../../platform/database/connect.ts'

/*
 * On a distributed database, the triggers that notify servers of changed test cases and folders do not exist, since they would
 * run on the nodes (migration 0036). What writes to these tables calls these functions in its transaction. Otherwise they do
 * nothing, and cost no statement.
 */

/**
 * Notifies servers of written test cases.
 * @param numbers null for an unknown number of them
 */
export async function notifyTestCasesChanged(
  tx: Database,
  projectId: string,
  numbers: readonly number[] | null,
  { isDeleted = false }: { isDeleted?: boolean } = {},
): Promise<void> {
  if (!hasCitus(tx) || numbers?.length === 0) return
  const list = numbers === null ? null : `{${numbers.join(',')}}`
  await sql`select notify_distributed_change('test_cases', ${projectId}, ${list}::int[], ${isDeleted})`.execute(tx)
}

/** Notifies servers of folders that were added, changed or deleted, or whose number of test cases has changed. */
export async function notifyFoldersChanged(tx: Database, projectId: string): Promise<void> {
  if (!hasCitus(tx)) return
  await sql`select notify_distributed_change('folders', ${projectId}, null, false)`.execute(tx)
}
