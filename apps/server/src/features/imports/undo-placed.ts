import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import type { ImportWork } from './import-work.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

/** So many objects are deleted in one transaction. */
export const UNDO_BATCH = 500

/** A list of the test cases or runs that an import has created, as texts. What is at them is deleted with them. */
export const listCreated = ({ projectId, id }: ClaimedImport, kind: 'case' | 'run'): RawBuilder<unknown> => sql`(
    select target from import_records where project_id = ${projectId} and import_id = ${id} and kind = ${kind}
      and action = 'create' and is_done and target is not null
  )`

interface PlacedKind<Row> {
  /** Selects some that the import has created, and nobody has changed since. */
  select(tx: Database): Promise<Row[]>
  /** Deletes them, and counts those at their places again. Their runs are locked. */
  remove(tx: Database, rows: readonly Row[]): Promise<void>
}

/** Deletes comments or attachments that an import has created at test cases, runs and results, batch by batch. */
export async function undoPlaced<Row extends { run_id: string | null }>(
  db: Database,
  { claim: { projectId } }: ImportWork,
  { select, remove }: PlacedKind<Row>,
): Promise<void> {
  for (;;) {
    const count = await transactionWithRowMutex(db, projectId, async (tx) => {
      await requireLockedProject(tx, projectId)
      const rows = await withWholeJoins(tx, select)
      if (rows.length === 0) return 0
      const runIds = rows.flatMap((row) => row.run_id ?? [])
      await sql`
        select from runs where project_id = ${projectId} and id = any(${runIds}::uuid[])
        order by id for no key update`.execute(tx)
      await remove(tx, rows)
      return rows.length
    })
    if (count === 0) return
  }
}
