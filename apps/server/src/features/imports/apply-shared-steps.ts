import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { notifySharedStepsChanged } from '../events/notify-shared-steps-changed.ts'
import { type DoneRecord, markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { chooseTitle, type PlannedSharedStep, type PlannedSharedStepVersion } from './plan-shared-steps.ts'
import { linkRecords } from './link-records.ts'
import type { Source } from './source-links.queries.ts'

const BATCH = 200

/**
 * Creates shared steps of a plan. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applySharedSteps(
  tx: Database,
  claim: ClaimedImport,
  { source, format }: { source: Source; format: string },
): Promise<number> {
  const waiting = await selectWaiting<PlannedSharedStep>(tx, claim, 'shared_steps', BATCH)
  if (waiting.length === 0) return 0
  const created = waiting.filter(({ action }) => action === 'create')
  const { rows: titles } = await sql<{ title: string }>`
    select lower(title) as title from shared_steps where project_id = ${claim.projectId}`.execute(tx)
  const taken = new Set(titles.map(({ title }) => title))
  for (const { planned, losses } of created) {
    // Someone may have created one of this title since the plan.
    const title = chooseTitle(planned.title, taken)
    if (title !== planned.title) losses.push('shared_step_renamed')
    planned.title = title
    taken.add(title.toLowerCase())
  }
  // Undo finds those that nobody has changed by their versions.
  await sql`
    insert into shared_steps (project_id, id, title, steps, version, created_by, updated_by, created_at, updated_at)
    select ${claim.projectId}::uuid, id, title, steps, version, created_by, updated_by, coalesce(created_at, now()),
      coalesce(updated_at, created_at, now())
    from json_to_recordset(${toStoredJson(created.map(({ planned }) => planned))}) as item (
      id uuid, title text, steps json, version int, created_by uuid, updated_by uuid, created_at timestamptz,
      updated_at timestamptz
    )`.execute(tx)
  await notifySharedStepsChanged(
    tx,
    claim.projectId,
    created.map(({ planned }) => planned.id),
  )
  await linkRecords(tx, claim, { source, format }, 'shared_steps', waiting)
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, action, planned, losses }) => ({ seq, action, target: planned.id, losses })),
  )
  return waiting.length
}

/** Adds the versions of created shared steps that have ended. Returns how many were done; 0 at the end. */
export async function applySharedStepVersions(tx: Database, claim: ClaimedImport): Promise<number> {
  const waiting = await selectWaiting<PlannedSharedStepVersion>(tx, claim, 'shared_step_version', BATCH)
  if (waiting.length === 0) return 0
  const { rows } = await sql<{ shared_step_id: string; version: number }>`
    insert into shared_step_versions (project_id, shared_step_id, version, title, steps, changed_by, changed_at)
    select ${claim.projectId}::uuid, item.shared_step_id, item.version, item.title, item.steps, item.changed_by,
      item.changed_at
    from json_to_recordset(${toStoredJson(waiting.map(({ planned }) => planned))}) as item (
      shared_step_id uuid, version int, title text, steps json, changed_by uuid, changed_at timestamptz
    )
    join shared_steps s on s.project_id = ${claim.projectId} and s.id = item.shared_step_id and item.version < s.version
    on conflict do nothing
    returning shared_step_id, version`.execute(tx)
  const stored = new Set(rows.map((row) => `${row.shared_step_id} ${row.version}`))
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, planned: { shared_step_id: id, version } }): DoneRecord => {
      const isStored = stored.delete(`${id} ${version}`)
      const losses = isStored ? [] : ['not_imported:shared_step_version']
      return { seq, action: isStored ? 'create' : 'not_imported', target: isStored ? id : null, losses }
    }),
  )
  return waiting.length
}
