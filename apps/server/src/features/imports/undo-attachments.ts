import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { onCandidateConflict } from '../files/file-candidates.queries.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { recountAttachments } from './apply-attachments.queries.ts'
import type { FoundPlace } from './apply-places.queries.ts'
import type { ImportWork } from './import-work.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

const BATCH = 500

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
export async function undoAttachments(db: Database, { claim }: ImportWork): Promise<void> {
  const { projectId, id } = claim
  const created = (kind: 'case' | 'run') => sql`(
    select target from import_records where project_id = ${projectId} and import_id = ${id} and kind = ${kind}
      and action = 'create' and is_done and target is not null
  )`
  for (;;) {
    const count = await transactionWithRowMutex(db, projectId, async (tx) => {
      await requireLockedProject(tx, projectId)
      const rows = await withWholeJoins(tx, async (joined) => {
        const { rows: found } = await sql<FoundPlace & { id: string; test_id: string | null }>`
          select a.id, a.case_number, null::uuid as run_id, null::uuid as result_id, null::uuid as test_id
          from case_attachments a
          where a.project_id = ${projectId} and ${isUntouchedAttachment(claim)}
            and a.case_number::text not in ${created('case')}
          union all
          select a.id, null, a.run_id, a.result_id, a.test_id from run_attachments a
          where a.project_id = ${projectId} and ${isUntouchedAttachment(claim)} and a.run_id::text not in ${created('run')}
          limit ${BATCH}`.execute(joined)
        return found
      })
      if (rows.length === 0) return 0
      const ids = rows.map((row) => row.id)
      await sql`
        select from runs where project_id = ${projectId} and id = any(${rows.flatMap(({ run_id: run }) => run ?? [])}::uuid[])
        order by id for no key update`.execute(tx)
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
      return rows.length
    })
    if (count === 0) return
  }
}
