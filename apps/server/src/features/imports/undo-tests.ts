import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { recountSuiteErrors } from './apply-suite-errors.ts'
import { recountOutcomes } from './apply-test-outcomes.ts'
import type { ImportWork } from './import-work.ts'
import { listCreated } from './undo-placed.ts'
import { withWholeJoins } from './whole-joins.ts'

const BATCH = 500

/**
 * Deletes what an import has created of automated tests: outcomes and errors in runs that it has not created, and tests without any outcome left.
 * The runs that it has created are gone, or stay as they are.
 */
export async function undoTests(db: Database, work: ImportWork): Promise<void> {
  while ((await deleteOutcomes(db, work)) > 0);
  while ((await deleteSuiteErrors(db, work)) > 0);
  await deleteLeftOut(db, work)
  while ((await deleteTests(db, work)) > 0);
}

async function deleteOutcomes(db: Database, { claim }: ImportWork): Promise<number> {
  const { projectId, id } = claim
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const rows = await withWholeJoins(tx, async (joined) => {
      const { rows: found } = await sql<{ run_id: string; test_id: string }>`${plannedAnew}
        select o.run_id, o.test_id from import_records made
        join test_outcomes o on o.project_id = ${projectId} and o.run_id::text = made.planned ->> 'run_id'
          and o.test_id::text = made.target and o.tested_at = (made.planned ->> 'tested_at')::timestamptz
          and (o.source is null or o.source = (made.planned ->> 'source')::int)
        where made.project_id = ${projectId} and made.import_id = ${id} and made.kind = 'test_outcome'
          and made.action = 'create' and made.is_done and made.planned ->> 'run_id' not in (
            select target from import_records where project_id = ${projectId} and import_id = ${id} and kind = 'run'
              and action = 'create' and is_done and target is not null
          )
        limit ${BATCH}`.execute(joined)
      return found
    })
    const runIds = [...new Set(rows.map((row) => row.run_id))]
    if (runIds.length === 0) return 0
    await sql`
      select from runs where project_id = ${projectId} and id = any(${runIds}::uuid[])
      order by id for no key update`.execute(tx)
    await sql`
      delete from test_outcomes o using json_to_recordset(${JSON.stringify(rows)}) as item (run_id uuid, test_id uuid)
      where o.project_id = ${projectId} and o.run_id = item.run_id and o.test_id = item.test_id`.execute(tx)
    await sql`
      delete from outcome_parts p using json_to_recordset(${JSON.stringify(rows)}) as item (run_id uuid, test_id uuid)
      where p.project_id = ${projectId} and p.run_id = item.run_id and p.test_id = item.test_id`.execute(tx)
    await recountOutcomes(tx, projectId, runIds)
    return rows.length
  })
}

async function deleteSuiteErrors(db: Database, { claim }: ImportWork): Promise<number> {
  const { projectId, id } = claim
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const rows = await withWholeJoins(tx, async (joined) => {
      const { rows: found } = await sql<{ run_id: string; id: string }>`${plannedAnew}
        select e.run_id, e.id from import_records made
        join suite_errors e on e.project_id = ${projectId} and e.id::text = made.target
        where made.project_id = ${projectId} and made.import_id = ${id} and made.kind = 'suite_error'
          and made.action = 'create' and made.is_done and e.run_id::text not in ${listCreated(claim, 'run')}
        limit ${BATCH}`.execute(joined)
      return found
    })
    const runIds = [...new Set(rows.map((row) => row.run_id))]
    if (runIds.length === 0) return 0
    await sql`
      select from runs where project_id = ${projectId} and id = any(${runIds}::uuid[])
      order by id for no key update`.execute(tx)
    await sql`
      delete from suite_errors where project_id = ${projectId} and id = any(${rows.map((row) => row.id)}::uuid[])
        and run_id = any(${runIds}::uuid[])`.execute(tx)
    await recountSuiteErrors(tx, projectId, runIds)
    return rows.length
  })
}

/** That of the runs which the import has created is gone with them. */
async function deleteLeftOut(db: Database, { claim }: ImportWork): Promise<void> {
  const { projectId, id } = claim
  await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const { rows } = await sql<{ run_id: string; id: string }>`${plannedAnew}
      select planned ->> 'run_id' as run_id, target as id from import_records
      where project_id = ${projectId} and import_id = ${id} and kind = 'left_out' and action = 'create' and is_done`.execute(
      tx,
    )
    await sql`
      delete from left_out l using json_to_recordset(${JSON.stringify(rows)}) as item (run_id uuid, id uuid)
      where l.project_id = ${projectId} and l.run_id = item.run_id and l.id = item.id`.execute(tx)
  })
}

/** Their links to test cases go with them. Those that are quarantined here stay. */
async function deleteTests(db: Database, { claim }: ImportWork): Promise<number> {
  const { projectId, id } = claim
  return await transactionWithRowMutex(db, projectId, async (tx) => {
    await requireLockedProject(tx, projectId)
    const ids = await withWholeJoins(tx, async (joined) => {
      const { rows } = await sql<{ id: string }>`${plannedAnew}
        -- On the coordinator, other than the rest.
        with quarantined as materialized (select test_id from quarantines where project_id = ${projectId})
        select t.id from import_records made
        join tests t on t.project_id = ${projectId} and t.id::text = made.target
        where made.project_id = ${projectId} and made.import_id = ${id} and made.kind = 'test' and made.action = 'create'
          and made.is_done
          and not exists (select from test_outcomes o where o.project_id = ${projectId} and o.test_id = t.id)
          and t.id not in (select test_id from quarantined)
        limit ${BATCH}`.execute(joined)
      return rows.map((row) => row.id)
    })
    if (ids.length === 0) return 0
    await sql`delete from tests where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(tx)
    return ids.length
  })
}
