import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { recountComments } from './apply-comments.queries.ts'
import type { FoundPlace } from './apply-places.queries.ts'
import type { ImportWork } from './import-work.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { listCreated, UNDO_BATCH, undoPlaced } from './undo-placed.ts'

/** A condition on a comment `k`: the import has created it, and nobody has changed it since. */
export const isUntouchedComment = ({ projectId, id }: ClaimedImport): RawBuilder<boolean> => sql<boolean>`exists (
  select from import_records made
  where made.project_id = ${projectId} and made.import_id = ${id} and made.kind = 'comment' and made.action = 'create'
    and made.is_done and made.target = k.id::text
    and (made.planned ->> 'edited_at')::timestamptz is not distinct from k.edited_at
    and (made.planned ->> 'deleted_at')::timestamptz is not distinct from k.deleted_at
)`

/** Selects those of these test cases that have other comments than an import has created. */
export async function selectCommentedCases(
  db: Database,
  claim: ClaimedImport,
  numbers: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select distinct k.case_number as number from comments k
    where k.project_id = ${claim.projectId} and k.case_number = any(${[...numbers]}::int[])
      and not ${isUntouchedComment(claim)}`.execute(db)
  return rows.map(({ number }) => number)
}

/**
 * Deletes comments that an import has created and nobody has changed since. Those of test cases and runs that it has created, too, stay
 * with these.
 */
export async function undoComments(db: Database, work: ImportWork): Promise<void> {
  const { claim } = work
  const { projectId } = claim
  await undoPlaced<FoundPlace & { id: string }>(db, work, {
    async select(tx) {
      const { rows } = await sql<FoundPlace & { id: string }>`
        select k.id, k.case_number, k.run_id, k.result_id from comments k
        where k.project_id = ${projectId} and ${isUntouchedComment(claim)}
          and (k.case_number is null or k.case_number::text not in ${listCreated(claim, 'case')})
          and (k.run_id is null or k.run_id::text not in ${listCreated(claim, 'run')})
        order by k.id limit ${UNDO_BATCH}`.execute(tx)
      return rows
    },
    async remove(tx, rows) {
      const ids = rows.map(({ id }) => id)
      await sql`delete from comments where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(tx)
      await recountComments(tx, projectId, rows)
    },
  })
}
