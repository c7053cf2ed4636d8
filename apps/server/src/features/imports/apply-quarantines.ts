import { MAX_ACTIVE_QUARANTINES } from '@caseward/contract/quarantines'
import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { type AuditActor, recordAudits } from '../audit/record-audit.ts'
import { endExpired } from '../quarantines/end-expired.ts'
import { countActive } from '../quarantines/quarantines.queries.ts'
import { selectTestIds } from './apply-tests.ts'
import { type DoneRecord, markDone, selectWaiting, type WaitingRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedQuarantine } from './plan-quarantines.ts'

const BATCH = 500

type Waiting = WaitingRecord<PlannedQuarantine>

/**
 * Creates quarantines of a plan. A test that is quarantined here stays so, as it is here. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyQuarantines(
  tx: Database,
  claim: ClaimedImport,
  { actor }: { actor: AuditActor },
): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedQuarantine>(tx, claim, 'quarantine', BATCH)
  if (waiting.length === 0) return 0
  const tests = await selectTests(tx, claim, waiting)
  await endExpired(tx, projectId)
  let room = MAX_ACTIVE_QUARANTINES - (await countActive(tx, projectId))
  const rows = waiting.flatMap(({ planned }) => {
    const test = tests.get(planned.test)
    if (test === undefined) return []
    if (planned.ended_at === null) room -= 1
    return planned.ended_at === null && room < 0 ? [] : [{ ...planned, test_id: test.id, name: test.name }]
  })
  const { rows: stored } = await sql<{ id: string }>`
    insert into quarantines (project_id, id, test_id, reason, owner_id, link, branches, is_automatic, created_by, created_at,
      expires_at, ended_at, ended_by, end_reason, end_announced_at)
    select ${projectId}::uuid, id, test_id, reason, owner_id, link, array(select json_array_elements_text(branches)),
      is_automatic, created_by, created_at, expires_at, ended_at, ended_by, end_reason,
      -- Nobody is told of what ended before.
      ended_at
    from json_to_recordset(${toStoredJson(rows)}) as item (
      id uuid, test_id uuid, reason text, owner_id uuid, link text, branches json, is_automatic boolean, created_by uuid,
      created_at timestamptz, expires_at timestamptz, ended_at timestamptz, ended_by uuid, end_reason text
    )
    on conflict do nothing returning id`.execute(tx)
  const created = new Set(stored.map(({ id }) => id))
  const sent = new Set(rows.map(({ id }) => id))
  await recordAudits(
    tx,
    actor,
    rows
      .filter(({ id, ended_at: endedAt }) => created.has(id) && endedAt === null)
      .map(({ id, test_id: testId, name, reason, owner_id: ownerId, expires_at: expiresAt }) => ({
        action: 'quarantine.add',
        subject: { kind: 'quarantine', id, name },
        projectId,
        detail: { test_id: testId, reason, owner_id: ownerId, expires_at: expiresAt },
      })),
  )
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned: { id }, losses }): DoneRecord => {
      if (created.has(id)) return { seq, action: 'create', target: id, losses }
      const loss = sent.has(id) ? 'quarantine_kept' : 'not_imported:quarantine'
      return { seq, action: 'not_imported', target: null, losses: [loss] }
    }),
  )
  return waiting.length
}

/** The tests here, by their keys, with their names. Those that were deleted since the plan are missing. */
async function selectTests(
  tx: Database,
  claim: ClaimedImport,
  waiting: readonly Waiting[],
): Promise<Map<string, { id: string; name: string }>> {
  const ids = await selectTestIds(
    tx,
    claim,
    waiting.map(({ planned }) => planned.test),
  )
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from tests where project_id = ${claim.projectId} and id = any(${[...ids.values()]}::uuid[])`.execute(
    tx,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    [...ids].flatMap(([key, id]) => {
      const test = byId.get(id)
      return test === undefined ? [] : [[key, test] as const]
    }),
  )
}
