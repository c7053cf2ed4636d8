import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { FAILED, PASSED, SKIPPED } from '../tests/outcomes.queries.ts'
import { lockRuns, selectCases } from './apply-results.queries.ts'
import { type DoneRecord, markDone, selectWaiting, toStoredJson } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedTestOutcome } from './plan-test-outcomes.ts'
import { type PlannedTest, selectExisting, toIdentity } from './plan-tests.ts'
import type { Source } from './source-links.queries.ts'

const TESTS_PER_BATCH = 1000
const OUTCOMES_PER_BATCH = 500

/**
 * Creates automated tests of a plan with their links. The caller holds the lock on the project, under which no other request adds tests.
 * @returns how many were done; 0 at the end
 */
export async function applyTests(tx: Database, claim: ClaimedImport, { source }: { source: Source }): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedTest>(tx, claim, 'test', TESTS_PER_BATCH)
  if (waiting.length === 0) return 0
  const planned = waiting.map((record) => record.planned)
  // Someone may have reported them since the plan.
  const known = await selectExisting(tx, projectId, planned)
  const created = planned.filter((test) => !known.has(toIdentity(test)) && !known.has(test.id))
  await sql`
    insert into tests (project_id, id, title_digest, place_digest, title_key, suite, name, variant, file, module, report_suite,
      created_at, retired_at)
    select ${projectId}::uuid, id, title_digest, place_digest, title_key, suite, name, variant, file, module, report_suite,
      created_at, retired_at
    from json_to_recordset(${toStoredJson(created)}) as item (
      id uuid, title_digest uuid, place_digest uuid, title_key text, suite text, name text, variant text, file text,
      module text, report_suite text, created_at timestamptz, retired_at timestamptz
    )`.execute(tx)
  const unlinked = await insertLinks(tx, projectId, source, created)
  const createdIds = new Set(created.map(({ id }) => id))
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned: test, losses }): DoneRecord => {
      const target = known.get(toIdentity(test)) ?? test.id
      const lost = unlinked.has(test.id) ? ['test_without_case'] : []
      const action = createdIds.has(test.id) ? 'create' : 'unchanged'
      return { seq, action, target, losses: [...new Set([...losses, ...lost])] }
    }),
  )
  return waiting.length
}

/** Links tests to their test cases. @returns the ids of those of which a test case is gone */
async function insertLinks(
  tx: Database,
  projectId: string,
  source: Source,
  tests: readonly PlannedTest[],
): Promise<ReadonlySet<string>> {
  const digests = [...new Set(tests.flatMap(({ cases }) => cases.map(({ digest }) => digest)))]
  if (digests.length === 0) return new Set()
  const cases = await selectCases(tx, projectId, source, digests)
  const links = tests.flatMap(({ id, cases: all }) =>
    all.flatMap(({ digest, source: by }) => {
      const number = cases.get(digest)?.number
      return number === undefined ? [] : [{ test_id: id, case_number: number, source: by }]
    }),
  )
  await sql`
    insert into test_links (project_id, test_id, case_number, source)
    select ${projectId}::uuid, test_id, case_number, source::link_source
    from json_to_recordset(${JSON.stringify(links)}) as item (test_id uuid, case_number int, source text)
    on conflict do nothing`.execute(tx)
  return new Set(tests.filter((test) => test.cases.some(({ digest }) => !cases.has(digest))).map(({ id }) => id))
}

/** Returns the ids here of the tests of an import, by their keys. */
export async function selectTestIds(
  db: Database,
  { projectId, id }: ClaimedImport,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: string; target: string }>`
    select key, target from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = 'test' and target is not null
      and key = any(${[...new Set(keys)]}::text[])`.execute(db)
  return new Map(rows.map(({ key, target }) => [key, target]))
}

/**
 * Stores what came of tests in runs, which then are no base and make no test flaky. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyTestOutcomes(tx: Database, claim: ClaimedImport): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedTestOutcome>(tx, claim, 'test_outcome', OUTCOMES_PER_BATCH)
  if (waiting.length === 0) return 0
  const runIds = [...new Set(waiting.map(({ planned }) => planned.run_id))]
  const runs = new Set((await lockRuns(tx, projectId, runIds)).map(({ id }) => id))
  const tests = await selectTestIds(
    tx,
    claim,
    waiting.map(({ planned }) => planned.test),
  )
  const rows = waiting.flatMap(({ planned }) => {
    const testId = tests.get(planned.test)
    return testId === undefined || !runs.has(planned.run_id) ? [] : [{ ...planned, test_id: testId }]
  })
  const { rows: stored } = await sql<{ run_id: string; test_id: string }>`
    insert into test_outcomes (project_id, run_id, test_id, status, is_flaky, is_matched, elapsed_ms, attempt_count, tested_at,
      attempts)
    select ${projectId}::uuid, item.run_id, item.test_id, item.status::attempt_status, item.is_flaky, item.is_matched,
      item.elapsed_ms, item.attempt_count, item.tested_at, item.attempts
    from json_to_recordset(${toStoredJson(rows)}) as item (
      run_id uuid, test_id uuid, status text, is_flaky boolean, is_matched boolean, elapsed_ms int, attempt_count smallint,
      tested_at timestamptz, attempts json
    )
    join tests t on t.project_id = ${projectId} and t.id = item.test_id
    on conflict do nothing returning run_id, test_id`.execute(tx)
  await recountOutcomes(tx, projectId, [...runs])
  await sql`
    update runs set excluded = 'by_hand', excluded_by_hand = true
    where project_id = ${projectId} and id = any(${[...runs]}::uuid[]) and is_imported and excluded is null`.execute(tx)
  const created = new Set(stored.map((row) => `${row.run_id} ${row.test_id}`))
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned, losses }): DoneRecord => {
      const testId = tests.get(planned.test) ?? null
      if (!runs.has(planned.run_id)) return { seq, action: 'deleted_here', target: null, losses: [] }
      if (testId === null) return { seq, action: 'not_imported', target: null, losses: ['not_imported:test_outcome'] }
      const isCreated = created.has(`${planned.run_id} ${testId}`)
      return { seq, action: isCreated ? 'create' : 'unchanged', target: testId, losses }
    }),
  )
  return waiting.length
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
