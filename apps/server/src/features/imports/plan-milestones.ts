import type { MilestoneRecord } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import type { HistoryContext } from './history-context.ts'
import { type PlannedRecord, selectRecords, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { toStoredName } from './stored-name.ts'
import { selectLinks, toKeyDigest, toShortDigest } from './source-links.queries.ts'

/** A milestone of the source that is created. */
export interface PlannedMilestone {
  id: string
  name: string
  description: string
  parent_id: string | null
  start_date: string | null
  due_date: string | null
  status: 'active' | 'completed' | 'archived'
  date_mode: 'auto' | 'manual'
  /** Null for the time of the import. */
  created_at: string | null
  /** Dates that could not be stored. */
  details: Record<string, string> | null
  raw_digest: string
}

/** What milestones of a source are here, by their keys. */
export type MilestoneTargets = ReadonlyMap<string, { id: string; isOpen: boolean }>

const PAGE = 2000
const MAX_DESCRIPTION = 65_536

/** Plans the milestones of an import: those that are there are found by key, then by name at the same place. */
export async function planMilestones(
  db: Database,
  work: ImportWork,
  { source, isSelf }: Pick<HistoryContext, 'source' | 'isSelf'>,
): Promise<MilestoneTargets> {
  const { claim } = work
  const rows: { seq: number; record: MilestoneRecord }[] = []
  for (let after = 0; ;) {
    const page = await selectRecords<MilestoneRecord>(db, claim, { kind: 'milestone', after, limit: PAGE })
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = last.seq
  }
  const targets = new Map<string, { id: string; isOpen: boolean }>()
  if (rows.length === 0) return targets
  const { rows: current } = await sql<{ id: string; parent_id: string | null; name: string; status: string }>`
    select id, parent_id, name, status from milestones where project_id = ${claim.projectId}`.execute(db)
  const existing = new Map(current.map((milestone) => [milestone.id, milestone]))
  const byPlace = new Map(current.map((milestone) => [toPlace(milestone.parent_id, milestone.name), milestone.id]))
  const digests = rows.map(({ record }) => toKeyDigest(record.key))
  const links = await selectLinks(db, claim.projectId, source, 'milestone', digests)
  const byKey = new Map(rows.map((row) => [row.record.key, row.record]))
  const planned: PlannedRecord[] = []
  const used = new Set<string>()
  // Parents first: there is one level below them.
  const ordered = rows
    .map((row) => ({ ...row, ...findRoot(row.record, byKey) }))
    .toSorted((a, b) => Number(a.root !== null) - Number(b.root !== null) || a.seq - b.seq)
  for (const { seq, record, root, isTooDeep } of ordered) {
    const parentId = root === null ? null : (targets.get(root)?.id ?? null)
    const name = toStoredName(record.name, 'Untitled')
    const link = links.get(toKeyDigest(record.key))
    const own = isSelf && existing.has(record.key) ? record.key : undefined
    const named = byPlace.get(toPlace(parentId, name))
    // Two of the same name are two, unless they have one key.
    const free = named === undefined || used.has(named) ? undefined : named
    const same = targets.get(record.key)?.id ?? link?.target ?? own ?? free
    const found = same === undefined ? undefined : existing.get(same)
    const isDeleted = (link !== undefined || isSelf) && found === undefined
    const start = readTime(record.start ?? '')
    const due = readTime(record.due ?? '')
    const isReversed = due !== null && start !== null && due < start
    const unread = {
      ...(start === null && (record.start ?? '') !== '' ? { start: record.start ?? '' } : {}),
      ...((due === null && (record.due ?? '') !== '') || isReversed ? { due: record.due ?? '' } : {}),
    }
    const hasUnread = Object.keys(unread).length > 0
    const milestone: PlannedMilestone = {
      id: found?.id ?? uuidv7(),
      name,
      description: cutText(record.description ?? '', MAX_DESCRIPTION),
      // A milestone that was deleted here has no place for those below it.
      parent_id: parentId,
      start_date: start?.toISOString() ?? null,
      due_date: isReversed ? null : (due?.toISOString() ?? null),
      status: record.own?.status ?? (record.is_completed === true ? 'completed' : 'active'),
      date_mode: record.own?.date_mode ?? 'auto',
      created_at: readTime(record.own?.created_at ?? '')?.toISOString() ?? null,
      details: hasUnread ? unread : null,
      raw_digest: toShortDigest(JSON.stringify(record)),
    }
    if (!isDeleted && !targets.has(record.key)) {
      targets.set(record.key, {
        id: milestone.id,
        isOpen: found === undefined ? milestone.status === 'active' : found.status === 'active',
      })
    }
    used.add(milestone.id)
    byPlace.set(toPlace(parentId, name), milestone.id)
    if (found === undefined && !isDeleted) {
      existing.set(milestone.id, { id: milestone.id, parent_id: parentId, name, status: milestone.status })
    }
    const action = isDeleted ? 'deleted_here' : found === undefined ? 'create' : 'unchanged'
    planned.push({
      seq,
      action,
      losses: [...(isTooDeep ? ['milestone_depth'] : []), ...(hasUnread ? ['date_unreadable'] : [])],
      changed: [],
      planned: milestone,
      place: planned.length,
      target: isDeleted ? null : milestone.id,
      is_done: isDeleted,
    })
  }
  for (let from = 0; from < planned.length; from += PAGE) {
    await updatePlannedRecords(db, claim, planned.slice(from, from + PAGE))
    await work.keep(db, { stage: 'planning', done: 0, total: 0 })
  }
  return targets
}

const toPlace = (parentId: string | null, name: string) => `${parentId ?? ''}/${name}`

/** The topmost milestone above one, and whether others stand between. A milestone within itself comes to the top. */
function findRoot(
  record: MilestoneRecord,
  byKey: ReadonlyMap<string, MilestoneRecord>,
): { root: string | null; isTooDeep: boolean } {
  const seen = new Set([record.key])
  let above = byKey.get(record.parent ?? '')
  let root: string | null = null
  let depth = 0
  while (above !== undefined) {
    if (seen.has(above.key)) return { root: null, isTooDeep: true }
    seen.add(above.key)
    root = above.key
    depth += 1
    above = byKey.get(above.parent ?? '')
  }
  return { root, isTooDeep: depth > 1 }
}
