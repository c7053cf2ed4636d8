import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { selectCases } from './apply-results.queries.ts'
import { type DoneRecord, markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { type PlannedTest, selectExisting, toIdentity } from './plan-tests.ts'
import type { Source } from './source-links.queries.ts'

const TESTS_PER_BATCH = 1000

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
  const { rows } = await sql<{ key: string; target: string }>`${plannedAnew}
    select key, target from import_records
    where project_id = ${projectId} and import_id = ${id} and kind = 'test' and target is not null
      and key = any(${[...new Set(keys)]}::text[])`.execute(db)
  return new Map(rows.map(({ key, target }) => [key, target]))
}
