import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ClaimedImport, ImportRow } from './imports.queries.ts'

const LOSS = 'left_by_undo'
const PAGE = 5000
/** Tables of what an import creates beside test cases. */
const TABLES = { folder: 'folders', shared_steps: 'shared_steps', milestone: 'milestones', run: 'runs' } as const

/** Marks what an import has created or changed, and its undo has left as it is, because someone works with it. */
export async function markLeftByUndo(db: Database, claim: ClaimedImport, row: ImportRow): Promise<void> {
  await markRecords(db, claim, await selectLeftCases(db, claim, row))
  await markLeftResults(db, claim)
  for (const [kind, table] of Object.entries(TABLES)) {
    for (let after = 0; ;) {
      const { rows } = await sql<{ seq: number; target: string }>`${plannedAnew}
        select seq, target from import_records
        where project_id = ${claim.projectId} and import_id = ${claim.id} and kind = ${kind} and action = 'create'
          and is_done and target is not null and seq > ${after}
        order by seq limit ${PAGE}`.execute(db)
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.seq
      const targets = rows.map(({ target }) => target)
      const { rows: found } = await sql<{ id: string }>`
        select id from ${sql.table(table)} where project_id = ${claim.projectId} and id = any(${targets}::uuid[])`.execute(
        db,
      )
      const here = new Set(found.map(({ id }) => id))
      await markRecords(
        db,
        claim,
        rows.flatMap(({ seq, target }) => (here.has(target) ? [seq] : [])),
      )
    }
  }
}

/** Results in runs that are still here: of this import, and of earlier ones, to which it has added them. */
async function markLeftResults(db: Database, claim: ClaimedImport): Promise<void> {
  const { projectId, id } = claim
  for (let after = 0; ;) {
    const { rows } = await sql<{ seq: number; target: string; run_id: string }>`${plannedAnew}
      select seq, target, planned ->> 'run_id' as run_id from import_records
      where project_id = ${projectId} and import_id = ${id} and kind = 'result' and action = 'create' and is_done
        and target is not null and planned ->> 'run_id' is not null and seq > ${after}
      order by seq limit ${PAGE}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    const runs = [...new Set(rows.map((row) => row.run_id))]
    const { rows: found } = await sql<{ id: string }>`
      select id from test_results
      where project_id = ${projectId} and run_id = any(${runs}::uuid[])
        and id = any(${rows.map(({ target }) => target)}::uuid[])`.execute(db)
    const here = new Set(found.map((result) => result.id))
    await markRecords(
      db,
      claim,
      rows.flatMap(({ seq, target }) => (here.has(target) ? [seq] : [])),
    )
  }
}

/** Test cases that were created and are still here, and those that were changed and are not as before. */
async function selectLeftCases(
  db: Database,
  { projectId, id }: ClaimedImport,
  { planned_at: plannedAt }: ImportRow,
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`${plannedAnew}
    select r.seq from import_records r
    join test_cases c on c.project_id = ${projectId} and c.number = case when r.kind = 'case' then r.target::int end
    where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'case' and r.is_done and (
      r.action = 'create' or r.action in ('update', 'conflict', 'absent_in_source') and exists (
        select from case_versions v
        where v.project_id = ${projectId} and v.case_number = c.number and v.via = 'import'
          and v.changed_at >= ${plannedAt}::timestamptz
      ) and not exists (
        select from case_versions v
        where v.project_id = ${projectId} and v.case_number = c.number and v.next_version = c.version and v.via = 'restore'
      )
    )`.execute(db)
  return rows.map(({ seq }) => seq)
}

async function markRecords(db: Database, { projectId, id }: ClaimedImport, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return
  await sql`${plannedAnew}
    update import_records set losses = array_append(array_remove(losses, ${LOSS}), ${LOSS})
    where project_id = ${projectId} and import_id = ${id} and seq = any(${[...seqs]}::int[])`.execute(db)
}
