import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { recordAudits, SYSTEM_ACTOR } from '../audit/record-audit.ts'

interface EndedEntry {
  id: string
  test_id: string
}

/** Ends the quarantines of a project whose time is over, so that their tests can be quarantined again. */
export async function endExpired(tx: Database, projectId: string): Promise<void> {
  const { rows } = await sql<EndedEntry>`
    update quarantines set ended_at = expires_at
    where project_id = ${projectId} and ended_at is null and expires_at <= now()
    returning id, test_id`.execute(tx)
  await recordEnds(tx, projectId, rows, 'Its time is over.')
}

/** Ends the quarantines of a project whose tests were deleted. */
export async function endDeletedTests(tx: Database, projectId: string): Promise<void> {
  const active = await sql<{ test_id: string }>`
    select test_id from quarantines where project_id = ${projectId} and ended_at is null`.execute(tx)
  const testIds = active.rows.map(({ test_id: id }) => id)
  const tests = await sql<{ id: string }>`
    select id from tests where project_id = ${projectId} and id = any(${testIds}::uuid[])`.execute(tx)
  const existing = new Set(tests.rows.map(({ id }) => id))
  const deleted = testIds.filter((id) => !existing.has(id))
  if (deleted.length === 0) return
  const reason = 'Its test was deleted.'
  const { rows } = await sql<EndedEntry>`
    update quarantines set ended_at = now(), end_reason = ${reason}
    where project_id = ${projectId} and ended_at is null and test_id = any(${deleted}::uuid[])
    returning id, test_id`.execute(tx)
  await recordEnds(tx, projectId, rows, reason)
}

async function recordEnds(
  tx: Database,
  projectId: string,
  entries: readonly EndedEntry[],
  reason: string,
): Promise<void> {
  if (entries.length === 0) return
  const testIds = entries.map(({ test_id: id }) => id)
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from tests where project_id = ${projectId} and id = any(${testIds}::uuid[])`.execute(tx)
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  await recordAudits(
    tx,
    SYSTEM_ACTOR,
    entries.map(({ id, test_id: testId }) => ({
      action: 'quarantine.end',
      subject: { kind: 'quarantine', id, name: names.get(testId) ?? '' },
      projectId,
      detail: { test_id: testId, reason },
    })),
  )
}
