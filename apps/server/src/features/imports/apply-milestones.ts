import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { changeMilestones } from './change-milestones.ts'
import { pickValues, type PlannedMilestone } from './plan-milestones.ts'
import { saveOwnSources } from './own-sources.ts'
import { linkRecords } from './link-records.ts'
import type { Source } from './source-links.queries.ts'

const BATCH = 1000

/**
 * Creates milestones of a plan, parents first, and updates those that the source has changed. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyMilestones(
  tx: Database,
  claim: ClaimedImport,
  { source, format }: { source: Source; format: string },
): Promise<number> {
  const waiting = await selectWaiting<PlannedMilestone>(tx, claim, 'milestone', BATCH)
  if (waiting.length === 0) return 0
  const created = waiting.filter(({ action }) => action === 'create').map(({ planned }) => planned)
  // Those below others need these first; someone may have deleted a parent since the plan.
  for (const level of [
    created.filter(({ parent_id: parent }) => parent === null),
    created.filter(({ parent_id: parent }) => parent !== null),
  ]) {
    if (level.length === 0) continue
    // Undo finds those that nobody has changed by their equal times.
    await sql`
      insert into milestones
        (project_id, id, parent_id, name, description, start_date, due_date, status, date_mode,
          created_at, updated_at)
      select ${claim.projectId}::uuid, item.id, parent.id, item.name, item.description, item.start_date, item.due_date,
        item.status::milestone_status, item.date_mode::milestone_date_mode, coalesce(item.created_at, now()),
        coalesce(item.created_at, now())
      from json_to_recordset(${toStoredJson(level)}) as item (
        id uuid, parent_id uuid, name text, description text, start_date timestamptz, due_date timestamptz, status text,
        date_mode text, created_at timestamptz
      )
      left join milestones parent on parent.project_id = ${claim.projectId} and parent.id = item.parent_id
        and parent.parent_id is null`.execute(tx)
  }
  const edited = await changeMilestones(
    tx,
    claim.projectId,
    waiting.flatMap(({ action, planned }) =>
      action === 'update' && planned.before !== null
        ? [{ id: planned.id, from: planned.before, to: pickValues(planned) }]
        : [],
    ),
  )
  await saveOwnSources(
    tx,
    claim,
    'milestone',
    created.map(({ id, sources }) => ({ target: id, sources })),
  )
  await linkRecords(tx, claim, { source, format }, 'milestone', waiting)
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, action, planned, losses }) => ({
      seq,
      action,
      target: planned.id,
      // Edited here since the plan, which does not know it yet.
      losses: edited.has(planned.id) ? [...new Set([...losses, 'conflict_kept'])] : losses,
    })),
  )
  return waiting.length
}
