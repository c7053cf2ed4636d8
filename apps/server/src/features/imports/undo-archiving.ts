import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { lockTestCases } from '../test-cases/change-test-cases.ts'
import { recordArchiving } from '../test-cases/record-archiving.ts'
import { setArchived } from '../test-cases/set-archived.ts'
import { getImportAuthor } from './apply-import.ts'
import type { ImportWork } from './import-work.ts'
import type { ImportRow } from './imports.queries.ts'

const BATCH = 200

/**
 * Archives and restores test cases as they were before the import, where it, or its undo, made the last change: earlier versions of a test
 * case do not say whether it was archived.
 */
export async function undoArchiving(db: Database, { claim }: ImportWork, project: ProjectRef, row: ImportRow) {
  const { author, actor } = getImportAuthor(row)
  const restoring = { ...author, via: 'restore' as const, summary: `Undo of the import ${row.name}` }
  for (;;) {
    const count = await transactionWithRowMutex(db, project.id, async (tx) => {
      await requireLockedProject(tx, project.id)
      const { rows } = await sql<{ number: number; is_archived: boolean }>`${plannedAnew}
        select c.number, c.archived_at is not null as is_archived
        from import_records r
        join test_cases c on c.project_id = ${project.id} and c.number = case when r.kind = 'case' then r.target::int end
        where r.project_id = ${project.id} and r.import_id = ${claim.id} and r.kind = 'case' and r.is_done
          and r.action in ('update', 'conflict', 'absent_in_source') and 'archived' = any(r.changed)
          and (c.archived_at is not null) = (r.planned ->> 'archived')::boolean
          and exists (
            select from case_versions v
            where v.project_id = ${project.id} and v.case_number = c.number and v.next_version = c.version
              and v.via in ('import', 'restore') and v.changed_at >= ${row.planned_at}::timestamptz
          )
        order by c.number limit ${BATCH}`.execute(tx)
      if (rows.length === 0) return 0
      const states = new Map(rows.map(({ number, is_archived: isArchived }) => [number, !isArchived]))
      await setArchived(tx, project, restoring, await lockTestCases(tx, project.id, [...states.keys()]), states)
      await recordArchiving(tx, actor, project, states)
      return rows.length
    })
    if (count === 0) return
  }
}
