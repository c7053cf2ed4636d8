import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'
import { recountAttachments } from './apply-attachments.queries.ts'
import type { FoundPlace } from './apply-places.queries.ts'
import type { ImportWork } from './import-work.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { listCreated, UNDO_BATCH, undoPlaced } from './undo-placed.ts'

/** A condition on an attachment `a`: the import has created it, and nobody has renamed it since. */
export const isUntouchedAttachment = ({ projectId, id }: ClaimedImport): RawBuilder<boolean> => sql<boolean>`exists (
  select from import_records made
  where made.project_id = ${projectId} and made.import_id = ${id} and made.kind = 'attachment' and made.action = 'create'
    and made.is_done and made.target = a.id::text and made.planned ->> 'name' = a.name
)`

/** Selects those of these test cases that have other attachments than an import has created. */
export async function selectCasesWithFiles(
  db: Database,
  claim: ClaimedImport,
  numbers: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select distinct a.case_number as number from case_attachments a
    where a.project_id = ${claim.projectId} and a.case_number = any(${[...numbers]}::int[])
      and not ${isUntouchedAttachment(claim)}`.execute(db)
  return rows.map(({ number }) => number)
}

/**
 * Deletes attachments that an import has created and nobody has renamed since. Those of test cases and runs that it has created, too, stay
 * with these. A sweep deletes the files that nothing else needs.
 */
export async function undoAttachments(db: Database, work: ImportWork): Promise<void> {
  const { claim } = work
  const { projectId } = claim
  await undoPlaced<FoundPlace & { id: string; test_id: string | null }>(db, work, {
    async select(tx) {
      const { rows } = await sql<FoundPlace & { id: string; test_id: string | null }>`
        select a.id, a.case_number, null::uuid as run_id, null::uuid as result_id, null::uuid as test_id
        from case_attachments a
        where a.project_id = ${projectId} and ${isUntouchedAttachment(claim)}
          and a.case_number::text not in ${listCreated(claim, 'case')}
        union all
        select a.id, null, a.run_id, a.result_id, a.test_id from run_attachments a
        where a.project_id = ${projectId} and ${isUntouchedAttachment(claim)}
          and a.run_id::text not in ${listCreated(claim, 'run')}
        limit ${UNDO_BATCH}`.execute(tx)
      return rows
    },
    async remove(tx, rows) {
      const ids = rows.map(({ id }) => id)
      for (const table of ['case_attachments', 'run_attachments'] as const) {
        await sql`
          with deleted as (
            delete from ${sql.table(table)} where project_id = ${projectId} and id = any(${ids}::uuid[]) returning file_id
          )
          insert into file_candidates (project_id, file_id)
          select distinct ${projectId}::uuid, file_id from deleted where file_id is not null
          order by file_id ${onCandidateConflict}`.execute(tx)
      }
      await recountAttachments(tx, projectId, rows)
    },
  })
}
