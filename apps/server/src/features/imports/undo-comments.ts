import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { type CommentPlaceRow, recountComments } from './apply-comments.queries.ts'
import type { ImportWork } from './import-work.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

const BATCH = 500

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
export async function undoComments(db: Database, { claim }: ImportWork): Promise<void> {
  const { projectId, id } = claim
  const created = (kind: 'case' | 'run') => sql`(
    select target from import_records where project_id = ${projectId} and import_id = ${id} and kind = ${kind}
      and action = 'create' and is_done and target is not null
  )`
  for (;;) {
    const count = await transactionWithRowMutex(db, projectId, async (tx) => {
      await requireLockedProject(tx, projectId)
      const rows = await withWholeJoins(tx, async (joined) => {
        const { rows: found } = await sql<CommentPlaceRow & { id: string }>`
          select k.id, k.case_number, k.run_id, k.result_id from comments k
          where k.project_id = ${projectId} and ${isUntouchedComment(claim)}
            and (k.case_number is null or k.case_number::text not in ${created('case')})
            and (k.run_id is null or k.run_id::text not in ${created('run')})
          order by k.id limit ${BATCH}`.execute(joined)
        return found
      })
      if (rows.length === 0) return 0
      await sql`
        select from runs where project_id = ${projectId} and id = any(${rows.flatMap(({ run_id: run }) => run ?? [])}::uuid[])
        order by id for no key update`.execute(tx)
      await sql`
        delete from comments
        where project_id = ${projectId} and id = any(${rows.map((row) => row.id)}::uuid[])`.execute(tx)
      await recountComments(tx, projectId, rows)
      return rows.length
    })
    if (count === 0) return
  }
}
