import type { RecordAction, RecordKind } from '@caseward/contract/import-kinds'

import type { Database } from '../../platform/database/connect.ts'
import {
  type PlannedRecord,
  selectPlannedRecords,
  type StoredPlan,
  updatePlannedRecords,
} from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'

/** Plans the records of a kind page by page, in their order. */
export async function planPages<R, P = null>(
  db: Database,
  work: ImportWork,
  { kind, limit }: { kind: RecordKind; limit: number },
  plan: (rows: readonly StoredPlan<R, P>[]) => Promise<PlannedRecord[]>,
): Promise<void> {
  const { claim } = work
  for (let after = 0; ;) {
    const rows = await selectPlannedRecords<R, P>(db, claim, { kind, after, limit })
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    await updatePlannedRecords(db, claim, await plan(rows))
    await work.keep(db, { stage: 'planning', done: 0, total: 0 })
  }
}

/** What becomes of a record that is created or not. */
export type CreateAction = Exclude<RecordAction, 'update' | 'conflict'>

/** The plan of a record that is created or not, and never changes what is here. */
export const toPlannedRecord = (
  seq: number,
  action: CreateAction,
  {
    losses,
    planned,
    id,
    place = 0,
  }: { losses: readonly string[]; planned: unknown; id: string | null; place?: number },
): PlannedRecord => ({
  seq,
  action,
  losses,
  changed: [],
  planned,
  place,
  target: action === 'create' || action === 'unchanged' ? id : null,
  is_done: action !== 'create',
})
