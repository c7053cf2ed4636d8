import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lockRuns } from './apply-results.queries.ts'
import { selectSourceNumbers } from './apply-run-uploads.queries.ts'
import { excludeImportedRuns } from './apply-test-outcomes.ts'
import { type DoneRecord, markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedSuiteError } from './plan-suite-errors.ts'

const BATCH = 500

/**
 * Stores errors outside of tests in runs. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applySuiteErrors(tx: Database, claim: ClaimedImport): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedSuiteError>(tx, claim, 'suite_error', BATCH)
  if (waiting.length === 0) return 0
  const runIds = [...new Set(waiting.map(({ planned }) => planned.run_id))]
  const runs = new Set((await lockRuns(tx, projectId, runIds)).map(({ id }) => id))
  const hasSource = await selectSourceNumbers(tx, projectId, [...runs])
  const lacksSource = ({ run_id: runId, source }: PlannedSuiteError) => source !== null && !hasSource(runId, source)
  const rows = waiting.flatMap(({ planned }) =>
    runs.has(planned.run_id) ? [{ ...planned, source: lacksSource(planned) ? null : planned.source }] : [],
  )
  await sql`
    insert into suite_errors (project_id, run_id, id, shard, location, message, reported_at, source)
    select ${projectId}::uuid, run_id, id, shard, location, message, reported_at, source
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, id uuid, shard text, location text, message text, reported_at timestamptz, source int
    )
    on conflict do nothing`.execute(tx)
  await recountSuiteErrors(tx, projectId, [...runs])
  await excludeImportedRuns(tx, projectId, [...runs])
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned, losses }): DoneRecord => {
      if (!runs.has(planned.run_id)) return { seq, action: 'deleted_here', target: null, losses: [] }
      const lost = lacksSource(planned) ? ['not_imported:sources'] : []
      return { seq, action: 'create', target: planned.id, losses: [...losses, ...lost] }
    }),
  )
  return waiting.length
}

/** Counts the errors of locked runs again. */
export async function recountSuiteErrors(tx: Database, projectId: string, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return
  const { rows } = await sql<{ id: string; count: number }>`
    select wanted.id, count(e.id)::int as count from unnest(${[...runIds]}::uuid[]) as wanted (id)
    left join suite_errors e on e.project_id = ${projectId} and e.run_id = wanted.id group by wanted.id`.execute(tx)
  await sql`
    update runs r set suite_error_count = item.count
    from json_to_recordset(${JSON.stringify(rows)}) as item (id uuid, count int)
    where r.project_id = ${projectId} and r.id = item.id`.execute(tx)
}
