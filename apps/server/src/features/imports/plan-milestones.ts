import type { MilestoneRecord, OwnSource } from '@caseward/importers/records'
import { readTime } from '@caseward/importers/steps/read-time'
import { cutText } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { type Comparison, compareTexts, digestTexts } from './compare-texts.ts'
import type { HistoryContext } from './history-context.ts'
import { type PlannedRecord, selectRecords, updatePlannedRecords } from './import-records.queries.ts'
import type { ImportWork } from './import-work.ts'
import { planSources } from './own-sources.ts'
import { toStoredName } from './stored-name.ts'
import { selectLinks, type SourceLink, toKeyDigest, toShortDigest } from './source-links.queries.ts'

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
  /** What the source has said, as far as it is here. */
  field_digests: Record<string, string>
  /** What other tools call it, of an export of Caseward. */
  sources: readonly OwnSource[]
  /** Of one that is updated, what was here. */
  before: MilestoneValues | null
}

/** The values of a milestone that an import compares. */
export type MilestoneValues = Pick<PlannedMilestone, 'name' | 'description' | 'start_date' | 'due_date' | 'status'>

/** An active milestone is as one of which nothing is said: not every format knows. */
const toTexts = ({ name, description, start_date: start, due_date: due, status }: MilestoneValues) =>
  new Map([
    ['name', name],
    ['description', description],
    ['start_date', start ?? ''],
    ['due_date', due ?? ''],
    ['status', status === 'active' ? '' : status],
  ])

/** What milestones of a source are here, by their keys. */
export type MilestoneTargets = ReadonlyMap<string, { id: string; isOpen: boolean }>

const PAGE = 2000
const MAX_DESCRIPTION = 65_536

/** Plans the milestones of an import: those that are there are found by key, then by name at the same place. */
export async function planMilestones(
  db: Database,
  work: ImportWork,
  { source, isSelf, format, dates }: Pick<HistoryContext, 'source' | 'isSelf' | 'format' | 'dates'>,
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
  const current = await selectMilestones(db, claim.projectId)
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
    const start = dates.read('milestone.start', record.start)
    const due = dates.read('milestone.due', record.due)
    const isReversed = due !== null && start !== null && due < start
    const unread = {
      ...(start === null && (record.start ?? '') !== '' ? { start: record.start ?? '' } : {}),
      ...((due === null && (record.due ?? '') !== '') || isReversed ? { due: record.due ?? '' } : {}),
    }
    const hasUnread = Object.keys(unread).length > 0
    const values: MilestoneValues = {
      name,
      description: cutText(record.description ?? '', MAX_DESCRIPTION),
      start_date: start?.toISOString() ?? null,
      due_date: isReversed ? null : (due?.toISOString() ?? null),
      status: record.own?.status ?? (record.is_completed === true ? 'completed' : 'active'),
    }
    const rawDigest = toShortDigest(
      JSON.stringify(dates.signature.length === 0 ? record : [record, ...dates.signature]),
    )
    const comparison = compareMilestone(values, found, link, { rawDigest, format })
    const { changed, conflicts } = comparison
    const milestone: PlannedMilestone = {
      ...(found === undefined ? values : takeChanged(found, values, changed)),
      id: found?.id ?? uuidv7(),
      // A milestone that was deleted here has no place for those below it.
      parent_id: parentId,
      date_mode: record.own?.date_mode ?? 'auto',
      created_at: readTime(record.own?.created_at ?? '')?.toISOString() ?? null,
      details: hasUnread ? unread : null,
      raw_digest: rawDigest,
      field_digests: comparison.digests,
      sources: planSources(record.own?.sources),
      before: found === undefined || changed.length === 0 ? null : pickValues(found),
    }
    if (!isDeleted && !targets.has(record.key)) {
      targets.set(record.key, {
        id: milestone.id,
        isOpen: (found === undefined || changed.includes('status') ? milestone : found).status === 'active',
      })
    }
    used.add(milestone.id)
    byPlace.set(toPlace(parentId, name), milestone.id)
    if (found === undefined && !isDeleted) {
      existing.set(milestone.id, { ...values, id: milestone.id, parent_id: parentId })
    }
    const action = isDeleted
      ? 'deleted_here'
      : found === undefined
        ? 'create'
        : changed.length > 0
          ? 'update'
          : 'unchanged'
    planned.push({
      seq,
      action,
      losses: [
        ...(isTooDeep ? ['milestone_depth'] : []),
        ...(hasUnread ? ['date_unreadable'] : []),
        ...(conflicts.length > 0 ? ['conflict_kept'] : []),
      ],
      changed: [...changed, ...conflicts],
      planned: milestone,
      place: planned.length,
      target: isDeleted ? null : milestone.id,
      // What is known is not written again; keys of an own export are ids here.
      is_done: isDeleted || (action === 'unchanged' && (own !== undefined || link?.raw_digest === rawDigest)),
    })
  }
  for (let from = 0; from < planned.length; from += PAGE) {
    await updatePlannedRecords(db, claim, planned.slice(from, from + PAGE))
    await work.keep(db, { stage: 'planning', done: 0, total: 0 })
  }
  return targets
}

interface CurrentMilestone extends MilestoneValues {
  id: string
  parent_id: string | null
}

async function selectMilestones(db: Database, projectId: string): Promise<CurrentMilestone[]> {
  const { rows } = await sql<
    Omit<CurrentMilestone, 'start_date' | 'due_date'> & { start_date: Date | null; due_date: Date | null }
  >`
    select id, parent_id, name, description, start_date, due_date, status from milestones
    where project_id = ${projectId}`.execute(db)
  return rows.map((row) => ({
    ...row,
    start_date: row.start_date?.toISOString() ?? null,
    due_date: row.due_date?.toISOString() ?? null,
  }))
}

/** What is here, with what only the source has changed. */
const takeChanged = (found: MilestoneValues, next: MilestoneValues, changed: readonly string[]): MilestoneValues => ({
  ...pickValues(found),
  ...Object.fromEntries(Object.entries(next).filter(([name]) => changed.includes(name))),
})

export const pickValues = ({ name, description, start_date, due_date, status }: MilestoneValues): MilestoneValues => ({
  name,
  description,
  start_date,
  due_date,
  status,
})

/**
 * Compares a milestone of the source with what is here. One that was found by its name stays as it is: only what changes in the
 * source from now on is taken.
 */
function compareMilestone(
  values: MilestoneValues,
  found: MilestoneValues | undefined,
  link: SourceLink | undefined,
  { rawDigest, format }: { rawDigest: string; format: string },
): Comparison {
  const next = toTexts(values)
  if (found === undefined || link === undefined) return { changed: [], conflicts: [], digests: digestTexts(next) }
  if (link.raw_digest === rawDigest) return { changed: [], conflicts: [], digests: link.field_digests }
  return compareTexts(next, toTexts(found), link.field_digests, { isSameFormat: link.format === format })
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
