import type { SharedStep, SharedStepListItem } from '@caseward/contract/shared-steps'
import type { Step } from '@caseward/contract/steps'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { notifySharedStepsChanged } from '../events/notify-shared-steps-changed.ts'

export interface SharedStepRow {
  id: string
  title: string
  version: number
  steps: Step[]
  created_by: string | null
  created_at: Date
  updated_by: string | null
  updated_at: Date
}
type ListedRow = Omit<SharedStepRow, 'steps'> & { step_count: number }

const listed = sql`id, title, version, created_by, created_at, updated_by, updated_at`

/** Selects all shared steps of a project by title, without their steps. */
export async function selectSharedSteps(db: Database, projectId: string): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    select ${listed}, json_array_length(steps) as step_count from shared_steps
    where project_id = ${projectId} order by lower(title)`.execute(db)
  return rows
}

export async function countSharedSteps(tx: Database, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from shared_steps where project_id = ${projectId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Selects a shared step; undefined for none. With `lock`, until the transaction ends. */
export async function selectSharedStep(
  db: Database,
  projectId: string,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<SharedStepRow | undefined> {
  const { rows } = await sql<SharedStepRow>`
    select ${listed}, steps from shared_steps where project_id = ${projectId} and id = ${id}
    ${lock ? sql`for no key update` : sql``}`.execute(db)
  return rows[0]
}

/** Selects shared steps as they are, by id or by lower-case title. */
export async function selectCurrentSharedSteps(
  db: Database,
  projectId: string,
  by: { ids: readonly string[] } | { titles: readonly string[] },
): Promise<Pick<SharedStepRow, 'id' | 'title' | 'version' | 'steps'>[]> {
  const isWanted =
    'ids' in by
      ? sql`id = any(${[...by.ids]}::uuid[])`
      : sql`lower(title) in (select lower(t) from unnest(${[...by.titles]}::text[]) t)`
  const { rows } = await sql<Pick<SharedStepRow, 'id' | 'title' | 'version' | 'steps'>>`
    select id, title, version, steps from shared_steps where project_id = ${projectId} and ${isWanted}`.execute(db)
  return rows
}

/** Selects earlier versions of shared steps. */
export async function selectEarlierSharedSteps(
  db: Database,
  projectId: string,
  wanted: readonly { id: string; version: number }[],
): Promise<Pick<SharedStepRow, 'id' | 'title' | 'version' | 'steps' | 'updated_by' | 'updated_at'>[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<Pick<SharedStepRow, 'id' | 'title' | 'version' | 'steps' | 'updated_by' | 'updated_at'>>`
    select v.shared_step_id as id, v.title, v.version, v.steps, v.changed_by as updated_by, v.changed_at as updated_at
    from unnest(${wanted.map(({ id }) => id)}::uuid[], ${wanted.map(({ version }) => version)}::int[]) as w (id, version)
    join shared_step_versions v
      on v.project_id = ${projectId} and v.shared_step_id = w.id and v.version = w.version`.execute(db)
  return rows
}

export async function insertSharedStep(
  tx: Database,
  projectId: string,
  { id, title, steps, created_by }: Pick<SharedStepRow, 'id' | 'title' | 'steps' | 'created_by'>,
): Promise<void> {
  await sql`
    insert into shared_steps (project_id, id, title, steps, created_by, updated_by)
    values (${projectId}, ${id}, ${title}, ${JSON.stringify(steps)}, ${created_by}, ${created_by})`.execute(tx)
  await notifySharedStepsChanged(tx, projectId, [id])
}

/** Keeps the version that a shared step has, and makes a new one. */
export async function updateSharedStepRow(
  tx: Database,
  projectId: string,
  { id, title, steps, updated_by }: Pick<SharedStepRow, 'id' | 'title' | 'steps' | 'updated_by'>,
  keptVersions: number,
): Promise<void> {
  await sql`
    insert into shared_step_versions (project_id, shared_step_id, version, title, steps, changed_by, changed_at)
    select project_id, id, version, title, steps, updated_by, updated_at from shared_steps
    where project_id = ${projectId} and id = ${id}`.execute(tx)
  const { rows } = await sql<{ version: number }>`
    update shared_steps set title = ${title}, steps = ${JSON.stringify(steps)}, version = version + 1,
      updated_by = ${updated_by}, updated_at = statement_timestamp()
    where project_id = ${projectId} and id = ${id} returning version`.execute(tx)
  await notifySharedStepsChanged(tx, projectId, [id])
  const version = rows[0]?.version ?? 0
  if (version <= keptVersions + 1) return
  await sql`
    delete from shared_step_versions
    where project_id = ${projectId} and shared_step_id = ${id} and version < ${version - keptVersions}`.execute(tx)
}

export async function deleteSharedStepRow(tx: Database, projectId: string, id: string): Promise<void> {
  await sql`delete from shared_steps where project_id = ${projectId} and id = ${id}`.execute(tx)
  await notifySharedStepsChanged(tx, projectId, [id])
}

export interface VersionRow {
  version: number
  title: string
  step_count: number
  changed_by: string | null
  changed_at: Date
}

/** Selects the versions that have ended, the newest first. */
export async function selectSharedStepVersions(
  db: Database,
  projectId: string,
  id: string,
  { before, limit }: { before: number; limit: number },
): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select version, title, json_array_length(steps) as step_count, changed_by, changed_at from shared_step_versions
    where project_id = ${projectId} and shared_step_id = ${id} and version < ${before}
    order by version desc limit ${limit}`.execute(db)
  return rows
}

export const presentListed = ({ created_at, updated_at, ...row }: ListedRow, useCount: number): SharedStepListItem => ({
  ...row,
  use_count: useCount,
  created_at: presentTime(created_at),
  updated_at: presentTime(updated_at),
})

export const presentSharedStep = ({ steps, ...row }: SharedStepRow, useCount: number): SharedStep => ({
  ...presentListed({ ...row, step_count: steps.length }, useCount),
  steps,
})
