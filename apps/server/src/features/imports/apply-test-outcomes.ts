import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { FAILED, PASSED, SKIPPED } from '../tests/outcomes.queries.ts'
import { lockRuns } from './apply-results.queries.ts'
import { selectSourceNumbers } from './apply-run-uploads.queries.ts'
import { selectTestIds } from './apply-tests.ts'
import { type DoneRecord, markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedPart, PlannedTestOutcome } from './plan-test-outcomes.ts'

const BATCH = 500

/**
 * Stores what came of tests in runs, which then are no base and make no test flaky. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyTestOutcomes(tx: Database, claim: ClaimedImport): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedTestOutcome>(tx, claim, 'test_outcome', BATCH)
  if (waiting.length === 0) return 0
  const runIds = [...new Set(waiting.map(({ planned }) => planned.run_id))]
  const runs = new Set((await lockRuns(tx, projectId, runIds)).map(({ id }) => id))
  const tests = await selectTestIds(
    tx,
    claim,
    waiting.map(({ planned }) => planned.test),
  )
  const hasSource = await selectSourceNumbers(tx, projectId, [...runs])
  const rows = waiting.flatMap(({ planned }) => {
    const testId = tests.get(planned.test)
    if (testId === undefined || !runs.has(planned.run_id)) return []
    const { source = null, parts = [] } = planned
    const has = (number: number) => hasSource(planned.run_id, number)
    const known = parts.filter((part) => has(part.source))
    const isWhole = known.length === parts.length && (source === null || has(source))
    return [{ ...planned, test_id: testId, source: isWhole ? source : null, parts: isWhole ? parts : [], isWhole }]
  })
  const { rows: stored } = await sql<{ run_id: string; test_id: string }>`
    insert into test_outcomes (project_id, run_id, test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, tested_at,
      attempts, source)
    select ${projectId}::uuid, item.run_id, item.test_id, item.status::attempt_status, item.is_flaky, item.is_matched,
      item.elapsed_ms, item.attempt_count, item.tested_at, item.attempts, item.source
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, test_id uuid, status text, is_flaky boolean, is_matched boolean, elapsed_ms int, attempt_count smallint,
      tested_at timestamptz, attempts json, source int
    )
    join tests t on t.project_id = ${projectId} and t.id = item.test_id
    on conflict do nothing returning run_id, test_id`.execute(tx)
  const created = new Set(stored.map((row) => `${row.run_id} ${row.test_id}`))
  await insertParts(
    tx,
    projectId,
    rows.filter((row) => created.has(`${row.run_id} ${row.test_id}`)),
  )
  await recountOutcomes(tx, projectId, [...runs])
  await excludeImportedRuns(tx, projectId, [...runs])
  const cut = new Set(rows.filter(({ isWhole }) => !isWhole).map((row) => `${row.run_id} ${row.test_id}`))
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned, losses }): DoneRecord => {
      const testId = tests.get(planned.test) ?? null
      if (!runs.has(planned.run_id)) return { seq, action: 'deleted_here', target: null, losses: [] }
      if (testId === null) return { seq, action: 'not_imported', target: null, losses: ['not_imported:test_outcome'] }
      const key = `${planned.run_id} ${testId}`
      if (!created.has(key)) return { seq, action: 'unchanged', target: testId, losses }
      return {
        seq,
        action: 'create',
        target: testId,
        losses: cut.has(key) ? [...new Set([...losses, 'not_imported:parts_of_tests'])] : losses,
      }
    }),
  )
  return waiting.length
}

/** Stores what each source has reported of tests. */
async function insertParts(
  tx: Database,
  projectId: string,
  outcomes: readonly { run_id: string; test_id: string; parts: readonly PlannedPart[] }[],
): Promise<void> {
  const parts = outcomes.flatMap(({ run_id, test_id, parts: all }) => all.map((part) => ({ run_id, test_id, ...part })))
  if (parts.length === 0) return
  await sql`
    insert into outcome_parts (project_id, run_id, test_id, source, status, is_flaky, elapsed_ms, attempt_count, tested_at, attempts)
    select ${projectId}::uuid, run_id, test_id, source, status::attempt_status, is_flaky, elapsed_ms, attempt_count, tested_at, attempts
    from json_to_recordset(${toStoredJson(parts)}) as item (
      run_id uuid, test_id uuid, source int, status text, is_flaky boolean, elapsed_ms int, attempt_count smallint,
      tested_at timestamptz, attempts json
    )
    on conflict do nothing`.execute(tx)
}

/** Keeps runs that were imported from being a base, and from making tests flaky. */
export async function excludeImportedRuns(tx: Database, projectId: string, runIds: readonly string[]): Promise<void> {
  await sql`
    update runs set excluded = 'by_hand', excluded_by_hand = true
    where project_id = ${projectId} and id = any(${[...runIds]}::uuid[]) and is_imported and excluded is null`.execute(
    tx,
  )
}

/** Counts the outcomes of locked runs again. */
export async function recountOutcomes(tx: Database, projectId: string, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return
  const count = (condition: string) => sql`count(*) filter (where ${sql.raw(condition)})::int`
  const { rows } = await sql<object>`
    select run_id as id, ${count(PASSED)} as passed, ${count(FAILED)} as failed, ${count(SKIPPED)} as skipped,
      ${count('is_flaky')} as flaky, ${count('not is_matched')} as unmatched,
      ${count(`not is_matched and ${PASSED}`)} as unmatched_passed,
      ${count(`not is_matched and ${FAILED}`)} as unmatched_failed,
      ${count(`not is_matched and ${SKIPPED}`)} as unmatched_skipped
    from test_outcomes where project_id = ${projectId} and run_id = any(${[...runIds]}::uuid[]) group by run_id`.execute(
    tx,
  )
  await sql`
    update runs r set passed_test_count = coalesce(item.passed, 0), failed_test_count = coalesce(item.failed, 0),
      skipped_test_count = coalesce(item.skipped, 0), flaky_test_count = coalesce(item.flaky, 0),
      unmatched_test_count = coalesce(item.unmatched, 0), unmatched_passed_count = coalesce(item.unmatched_passed, 0),
      unmatched_failed_count = coalesce(item.unmatched_failed, 0),
      unmatched_skipped_count = coalesce(item.unmatched_skipped, 0)
    from unnest(${[...runIds]}::uuid[]) as wanted (id)
    left join json_to_recordset(${JSON.stringify(rows)}) as item (
      id uuid, passed int, failed int, skipped int, flaky int, unmatched int, unmatched_passed int, unmatched_failed int,
      unmatched_skipped int
    ) on item.id = wanted.id
    where r.project_id = ${projectId} and r.id = wanted.id`.execute(tx)
}
