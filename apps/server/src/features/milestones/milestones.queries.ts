import type { MilestoneDetail, MilestoneStatus } from '@caseward/contract/milestones'
import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import type { PageRange } from '../../platform/http/pagination.ts'
import { passRate, resultCount, testedCount } from '../runs/run-counts.ts'
import type { MilestoneDates, StoredMilestone } from './milestone-progress.ts'

/** A stored milestone with the counts of its linked runs. */
export interface MilestoneRow extends StoredMilestone {
  run_count: number
  passed_count: number
  failed_count: number
  blocked_count: number
  retest_count: number
  id: string
  parent_id: string | null
  name: string
  description: string
  created_at: Date
  updated_at: Date
}

/** A milestone with its sub-milestones in the order of their creation. */
export interface MilestoneWithSubs extends MilestoneRow {
  subMilestones: MilestoneRow[]
}

const fields = sql`
  m.id, m.parent_id, m.name, m.description, m.start_date, m.due_date, m.status, m.date_mode, m.created_at,
  m.updated_at, m.deleted_tested_count, m.deleted_result_count, linked.*`
const linked = sql`
  cross join lateral (
    select coalesce(sum(${testedCount}), 0) as tested_count, coalesce(sum(${resultCount}), 0) as result_count,
      count(*) as run_count, coalesce(sum(r.passed_count), 0) as passed_count,
      coalesce(sum(r.failed_count), 0) as failed_count, coalesce(sum(r.blocked_count), 0) as blocked_count,
      coalesce(sum(r.retest_count), 0) as retest_count
    from runs r where r.project_id = m.project_id and r.milestone_id = m.id
  ) linked`

/**
 * Returns a page of milestones, the newest first, each with its sub-milestones, and the total. Sub-milestones are also
 * listed as milestones. Undefined when the project is gone.
 */
export async function selectMilestones(
  db: Database,
  projectId: string,
  { status, after }: { status?: MilestoneStatus | undefined; after?: string | undefined },
  { limit, offset }: PageRange,
): Promise<{ milestones: MilestoneWithSubs[]; total: number } | undefined> {
  // The left join keeps the project's row, and with it the total, when the page is empty.
  const { rows } = await sql<{ total: number } & ((MilestoneRow & { is_listed: boolean }) | { id: null })>`
    with matching as materialized (
      select m.id from milestones m where m.project_id = ${projectId}${buildStatusFilter(status)}
    ), page as materialized (
      select id from matching ${after === undefined ? sql`` : sql`where id < ${after}`}
      order by id desc limit ${limit} offset ${offset}
    ), needed as (
      select id from page
      union
      select s.id from page join milestones s on s.project_id = ${projectId} and s.parent_id = page.id
    )
    select (select count(*) from matching) as total, found.*
    from projects p
    left join (
      select ${fields}, m.id in (select id from page) as is_listed
      from needed join milestones m on m.project_id = ${projectId} and m.id = needed.id ${linked}
    ) found on true
    where p.id = ${projectId}
    order by found.id`.execute(db)
  const [first] = rows
  if (first === undefined) return undefined
  const milestones = rows.flatMap((row) => (row.id === null ? [] : [row]))
  return { milestones: toListedMilestones(milestones), total: first.total }
}

/** Filters by the derived status. With sub-milestones it is their minimum: the enum is ordered from active to archived. */
function buildStatusFilter(status: MilestoneStatus | undefined): RawBuilder<unknown> {
  if (status === undefined) return sql``
  return sql` and ${status} = coalesce((
    select min(s.status) from milestones s where s.project_id = m.project_id and s.parent_id = m.id
  ), m.status)`
}

/** Adds sub-milestones to their parents, and returns the listed milestones, the newest first. */
function toListedMilestones(rows: readonly (MilestoneRow & { is_listed: boolean })[]): MilestoneWithSubs[] {
  const milestones = new Map(rows.map((row) => [row.id, { ...row, subMilestones: [] as MilestoneRow[] }]))
  for (const row of rows) if (row.parent_id !== null) milestones.get(row.parent_id)?.subMilestones.push(row)
  return [...milestones.values()].filter((milestone) => milestone.is_listed).toReversed()
}

export async function selectMilestone(
  db: Database,
  projectId: string,
  id: string,
): Promise<MilestoneWithSubs | undefined> {
  if (!isUuid(id)) return undefined
  const { rows } = await sql<MilestoneRow>`
    select ${fields} from milestones m ${linked}
    where m.project_id = ${projectId} and (m.id = ${id} or m.parent_id = ${id})
    order by m.id <> ${id}, m.id`.execute(db)
  const [milestone, ...subMilestones] = rows
  return milestone === undefined || milestone.id !== id ? undefined : { ...milestone, subMilestones }
}

export async function selectLinkedRuns(
  db: Database,
  projectId: string,
  id: string,
): Promise<MilestoneDetail['linked_runs']> {
  const { rows } = await sql<MilestoneDetail['linked_runs'][number]>`
    select r.id, r.name, r.status, ${passRate} as pass_rate from runs r
    where r.project_id = ${projectId} and r.milestone_id = ${id}
    order by r.id desc`.execute(db)
  return rows
}

/** Returns the parent of a milestone that is to become a parent itself; undefined when there is no such milestone. */
export async function selectParent(tx: Database, projectId: string, id: string) {
  if (!isUuid(id)) return undefined
  return await tx
    .selectFrom('milestones')
    .select('parent_id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

type StoredFields = MilestoneDates & Pick<MilestoneRow, 'name' | 'description' | 'date_mode'>

/** Returns the id of the new milestone. */
export async function insertMilestone(
  tx: Database,
  projectId: string,
  milestone: StoredFields & { parent_id: string | null },
): Promise<string> {
  const id = uuidv7()
  await tx
    .insertInto('milestones')
    .values({ ...milestone, project_id: projectId, id })
    .execute()
  return id
}

export async function updateMilestone(
  tx: Database,
  projectId: string,
  id: string,
  milestone: StoredFields & Pick<MilestoneRow, 'status'>,
): Promise<void> {
  await tx
    .updateTable('milestones')
    .set({ ...milestone, updated_at: sql`now()` })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .execute()
}

/**
 * Locks a milestone and its runs. An upload holds its run and then checks the milestone, so the runs come first; a run that
 * is linked in between is only tried, because waiting for it with the milestone locked would be a deadlock.
 * @returns whether all of them are locked; otherwise the transaction must be rolled back, and another one can try again
 */
export async function lockMilestoneAndRuns(tx: Database, projectId: string, id: string): Promise<boolean> {
  if (!isUuid(id)) return true
  const selectRuns = tx
    .selectFrom('runs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('milestone_id', '=', id)
    .orderBy('id')
  await selectRuns.forNoKeyUpdate().execute()
  await tx
    .selectFrom('milestones')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  // From here on, nothing can be linked to it.
  const all = await selectRuns.execute()
  const locked = await selectRuns.forNoKeyUpdate().skipLocked().execute()
  return locked.length === all.length
}

/** Foreign keys unlink its runs and its sub-milestones. Returns its name; undefined when there is no such milestone. */
export async function deleteMilestone(tx: Database, projectId: string, id: string): Promise<string | undefined> {
  if (!isUuid(id)) return undefined
  const deleted = await tx
    .deleteFrom('milestones')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
  return deleted?.name
}
