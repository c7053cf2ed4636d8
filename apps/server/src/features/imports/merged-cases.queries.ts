import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { Source } from './source-links.queries.ts'
import { withWholeJoins } from './whole-joins.ts'

/*
 * Test cases of an export that were merged into others. The rules are those of merges: the merged one is archived, and the other one was
 * not merged itself.
 */

const LOSS = 'merge_target_missing'

/** Counts those whose other test case is not in the file, or was merged itself. */
export async function planMerges(db: Database, { projectId, id }: ClaimedImport): Promise<void> {
  await withWholeJoins(db, async (tx) => {
    await sql`${plannedAnew}
      with merged as materialized (
        select seq, key, record -> 'own' ->> 'merged_into' as other, planned -> 'own' ->> 'archived_at' as archived_at, action
        from import_records
        where project_id = ${projectId} and import_id = ${id} and kind = 'case'
          and record -> 'own' ->> 'merged_into' is not null
      )
      update import_records r set losses = r.losses || ${LOSS}::text
      from merged m
      where r.project_id = ${projectId} and r.import_id = ${id} and r.seq = m.seq and m.action = 'create' and (
        m.archived_at is null
        or m.other not in (
          select t.key from import_records t where t.project_id = ${projectId} and t.import_id = ${id} and t.kind = 'case'
            and t.key is not null
        )
        or m.other in (select key from merged where key is not null)
      )`.execute(tx)
  })
}

/** Says of created test cases which ones they were merged into. Done again, it does nothing. */
export async function applyMerges(
  db: Database,
  { projectId, id }: ClaimedImport,
  { system, source }: Source,
): Promise<void> {
  await withWholeJoins(db, async (tx) => {
    await sql`${plannedAnew}
      with merged as materialized (
        select r.target::int as number, r.planned -> 'own' ->> 'merged_into' as other from import_records r
        where r.project_id = ${projectId} and r.import_id = ${id} and r.kind = 'case' and r.action = 'create' and r.is_done
          and r.planned -> 'own' ->> 'merged_into' is not null and ${LOSS} <> all(r.losses)
      )
      update test_cases c set merged_into = t.number
      from merged m
      join source_links l on l.project_id = ${projectId} and l.system = ${system} and l.source = ${source}
        and l.kind = 'case' and l.key_digest = m.other
      join test_cases t on t.project_id = ${projectId} and t.number = case when l.kind = 'case' then l.target::int end
      where c.project_id = ${projectId} and c.number = m.number and c.archived_at is not null and c.merged_into is null
        and t.merged_into is null and t.number <> c.number`.execute(tx)
  })
}
