import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { insertFolders, type NewFolder } from '../folders/ensure-folders.ts'
import { changeFolders } from './change-folders.ts'
import { markDone, selectWaiting, type WaitingRecord } from './import-records.queries.ts'
import type { ClaimedImport } from './imports.queries.ts'
import { saveOwnSources } from './own-sources.ts'
import type { PlannedFolder } from './plan-folders.ts'
import { saveLinks, type Source, type SourceLink, toKeyDigest, toShortDigest } from './source-links.queries.ts'

const BATCH = 1000

/**
 * Creates folders of a plan behind their siblings, parents first, and renames and moves those that the source has changed. The caller
 * holds the lock on the project.
 * @returns how many were done; 0 at the end
 */
export async function applyFolders(
  tx: Database,
  claim: ClaimedImport,
  { source, format }: { source: Source; format: string },
): Promise<number> {
  const { projectId, id: importId } = claim
  const waiting = await selectWaiting<PlannedFolder>(tx, claim, 'folder', BATCH)
  if (waiting.length === 0) return 0
  const created = waiting.filter(({ action }) => action === 'create')
  const parents = await selectPlaces(
    tx,
    projectId,
    created.map(({ planned }) => planned.parent_id),
  )
  const known = new Set([...parents.existing, ...created.map(({ planned }) => planned.id)])
  const folders = created.map(({ planned: { id, name, parent_id: wanted } }): NewFolder => {
    // Someone has deleted the parent since the plan.
    const parentId = wanted !== null && known.has(wanted) ? wanted : null
    const position = parents.next.get(parentId) ?? 0
    parents.next.set(parentId, position + 1)
    return { id, parentId, name, position }
  })
  await insertFolders(tx, projectId, folders)
  const edited = await changeFolders(
    tx,
    projectId,
    waiting.flatMap(({ action, planned: { id, name, parent_id: parentId, before = null } }) =>
      action === 'update' && before !== null ? [{ id, from: before, to: { name, parent_id: parentId } }] : [],
    ),
  )
  await saveLinks(
    tx,
    projectId,
    source,
    'folder',
    importId,
    distinctLinks(waiting.map((record) => toLink(record, format))),
  )
  await saveOwnSources(
    tx,
    claim,
    'folder',
    created.map(({ planned: { id, sources } }) => ({ target: id, sources: sources ?? [] })),
  )
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

function toLink({ key, planned }: WaitingRecord<PlannedFolder>, format: string): SourceLink {
  const text = key ?? ''
  return {
    key_digest: toKeyDigest(text),
    key: text,
    target: planned.id,
    format,
    raw_digest: toShortDigest(planned.name),
    field_digests: planned.field_digests ?? { name: toShortDigest(planned.name) },
    details: planned.details,
  }
}

/** One statement cannot save a link twice: of records with the same key, the first one keeps it. */
export function distinctLinks(links: readonly SourceLink[]): SourceLink[] {
  const byDigest = new Map<string, SourceLink>()
  for (const link of links) if (!byDigest.has(link.key_digest)) byDigest.set(link.key_digest, link)
  return [...byDigest.values()]
}

/** Which parents exist, and the next position below each; null for the top level. */
async function selectPlaces(
  tx: Database,
  projectId: string,
  parentIds: readonly (string | null)[],
): Promise<{ existing: Set<string>; next: Map<string | null, number> }> {
  const ids = [...new Set(parentIds.filter((id) => id !== null))]
  const { rows } = await sql<{ parent_id: string | null; position: number }>`
    select parent_id, max(position) + 1 as position from folders
    where project_id = ${projectId} and (parent_id is null or parent_id = any(${ids}::uuid[]))
    group by parent_id`.execute(tx)
  const { rows: existing } = await sql<{ id: string }>`
    select id from folders where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(tx)
  return {
    existing: new Set(existing.map(({ id }) => id)),
    next: new Map(rows.map((row) => [row.parent_id, row.position])),
  }
}
