import { toStoredJson } from '@caseward/importers/stored-json'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { selectConfigurations, updateGroup } from '../configurations/configurations.queries.ts'
import { type DoneRecord, markDone, selectWaiting } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import type { PlannedConfiguration } from './plan-own-configurations.ts'
import { linkRecords } from './link-records.ts'
import { deleteLinks, type Source } from './source-links.queries.ts'

const BATCH = 5000

/**
 * Creates the configurations of a plan, behind those of their groups. The caller holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyOwnConfigurations(
  tx: Database,
  claim: ClaimedImport,
  { source, format, actor }: { source: Source; format: string; actor: AuditActor },
): Promise<number> {
  const { projectId } = claim
  const waiting = await selectWaiting<PlannedConfiguration>(tx, claim, 'configuration', BATCH)
  if (waiting.length === 0) return 0
  const created = waiting.filter(({ action }) => action === 'create').map(({ planned }) => planned)
  const { rows } = await sql<{ id: string }>`
    insert into configurations (id, project_id, group_key, group_name, key, name, variants, position, retired_at)
    select id, ${projectId}::uuid, group_key, group_name, key, name,
      array(select json_array_elements_text(variants)), case when retired_at is null then position else 0 end, retired_at
    from json_to_recordset(${toStoredJson(created)}) as item (
      id uuid, group_key text, group_name text, key text, name text, variants json, position int, retired_at timestamptz
    )
    on conflict do nothing returning id`.execute(tx)
  const stored = new Set(rows.map(({ id }) => id))
  for (const { id, name, group_name: group } of created) {
    if (!stored.has(id)) continue
    const subject = { kind: 'configuration', id, name } as const
    await recordAudit(tx, actor, { action: 'configuration.create', subject, projectId, detail: { group } })
  }
  await orderGroups(tx, projectId, stored)
  await linkRecords(tx, claim, { source, format }, 'configuration', waiting)
  await markDone(
    tx,
    claim,
    waiting.map(({ seq, action, planned: { id }, losses }): DoneRecord => {
      // Someone has created one of this key since the plan.
      const isTaken = action === 'create' && !stored.has(id)
      return isTaken
        ? { seq, action: 'not_imported', target: null, losses: ['not_imported:configuration'] }
        : { seq, action, target: id, losses }
    }),
  )
  return waiting.length
}

/** Gives the configurations in use of each group the positions from 1 on, new ones behind the others in their order. */
async function orderGroups(tx: Database, projectId: string, added: ReadonlySet<string>): Promise<void> {
  const active = (await selectConfigurations(tx, projectId)).filter((row) => row.retired_at === null)
  for (const key of new Set(active.map((row) => row.group_key))) {
    const group = active.filter((row) => row.group_key === key)
    const [first] = group
    if (first === undefined) continue
    const order = [...group.filter(({ id }) => !added.has(id)), ...group.filter(({ id }) => added.has(id))]
    await updateGroup(tx, projectId, { key, name: first.group_name, ids: order.map(({ id }) => id) })
  }
}

/** Deletes configurations that an import has created, and that are as they were. Runs have copies. */
export async function deleteCreatedConfigurations(tx: Database, { projectId, id }: ClaimedImport): Promise<void> {
  const { rows } = await sql<{ id: string }>`${plannedAnew}
    with r as materialized (
      select target, planned from import_records
      where project_id = ${projectId} and import_id = ${id} and kind = 'configuration' and is_done and action = 'create'
    )
    select k.id from r
    join configurations k on k.project_id = ${projectId} and k.id = r.target::uuid
    where k.name = r.planned ->> 'name' and k.group_name = r.planned ->> 'group_name'
      and to_json(k.variants)::text = (r.planned -> 'variants')::text
      and (k.retired_at is null) = (r.planned ->> 'retired_at' is null)`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map((row) => row.id)
  await sql`delete from configurations where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(tx)
  await orderGroups(tx, projectId, new Set())
  await deleteLinks(tx, projectId, 'configuration', ids)
}
