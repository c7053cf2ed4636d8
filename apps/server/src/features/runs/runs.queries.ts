import type { FieldError } from '@caseward/contract/problem'
import { type listRuns, MAX_SHARDS, type UpdateRunBody } from '@caseward/contract/runs'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

import { type JsonItems, readItem, readPage, toTextQuery } from '../../platform/database/columns.ts'
import { type Database, violatesConstraint } from '../../platform/database/connect.ts'
import { withRowMutex } from '../../platform/database/row-mutex.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { toLikePattern, type PageRange } from '../../platform/http/pagination.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { conflictProblem, invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { lockProject } from '../projects/projects.queries.ts'
import { runColumns } from './run-columns.ts'

type Filters = Static<typeof listRuns.schema.querystring>

/** A page of runs, the newest first; null when the project is gone. */
export async function selectRuns(
  db: Database,
  projectId: string,
  filters: Filters,
  { limit, offset }: PageRange,
): Promise<JsonItems | null> {
  const conditions = buildConditions(filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const where = sql.join([sql`r.project_id = ${projectId}`, ...conditions], sql` and `)
  // Unfiltered, the project's counter is the total.
  const count = conditions.length === 0 ? sql`p.run_count` : sql`(select count(*) from runs r where ${where})`
  const total = sql`select ${count} from projects p where p.id = ${projectId}`
  const rows = sql`
    select ${sql.raw(runColumns.selectList)}, (${total})
    from runs r where ${where} order by r.id desc limit ${limit} offset ${offset}`
  return await readPage(db, runColumns, { rows: toTextQuery(db, rows), total: () => toTextQuery(db, total) })
}

/** The filters as conditions; null when nothing can match. */
function buildConditions(filters: Filters): RawBuilder<unknown>[] | null {
  const { status, milestone_id: milestoneId, run_key: runKey, search } = filters
  const conditions: RawBuilder<unknown>[] = []
  if (milestoneId !== undefined && !isUuid(milestoneId)) return null
  if (milestoneId !== undefined) conditions.push(sql`r.milestone_id = ${milestoneId}`)
  if (runKey !== undefined) conditions.push(sql`r.run_key = ${runKey}`)
  if (status !== undefined) conditions.push(sql`r.status = ${status}`)
  if (search !== undefined && search !== '') conditions.push(sql`r.name ilike ${toLikePattern(search)}`)
  return conditions
}

/** One run as a JSON object; null when there is none. */
export async function selectRun(db: Database, id: string): Promise<string | null> {
  return await readItem(db, runColumns, { text: 'from runs r where r.id = $1', values: [id] })
}

/**
 * Holds a run until the transaction ends, as whatever changes its results must.
 * @throws {Problem} 404 when it is gone; 409 when it is completed
 */
export async function lockOpenRun(tx: Database, id: string): Promise<void> {
  const run = await tx.selectFrom('runs').select('status').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (run === undefined) throw notFoundProblem('run')
  if (run.status === 'completed') throw runCompletedProblem()
}

const runCompletedProblem = () =>
  conflictProblem(
    'run_completed',
    'The run is completed and does not accept results. To add results, reopen the run (PATCH status in_progress).',
  )

/**
 * Changes the fields that are sent; completing sets `completed_at`, reopening clears it.
 * @throws {Problem} 400 for an unknown milestone
 */
export async function updateRun(db: Database, run: RunRef, change: Static<typeof UpdateRunBody>) {
  const { name, description, milestone_id, status } = change
  const metadata = change.metadata && JSON.stringify(change.metadata)
  if (typeof milestone_id === 'string' && !isUuid(milestone_id)) throw invalidProblem([UNKNOWN_MILESTONE])
  if ([name, description, milestone_id, status, metadata].every((value) => value === undefined))
    return await selectRun(db, run.id)
  try {
    const update = db
      .updateTable('runs')
      .set({
        name,
        description,
        milestone_id,
        status,
        metadata,
        updated_at: sql`now()`,
        ...(status === 'completed' ? { completed_at: sql`coalesce(completed_at, now())` } : {}),
        ...(status === 'in_progress' ? { completed_at: null } : {}),
      })
      .where('id', '=', run.id)
    await withRowMutex(db, run.id, () => update.execute())
  } catch (error) {
    throw violatesConstraint(error, 'runs_project_id_milestone_id_fkey') ? invalidProblem([UNKNOWN_MILESTONE]) : error
  }
  return await selectRun(db, run.id)
}

export const UNKNOWN_MILESTONE: FieldError = { path: '/milestone_id', message: 'is no milestone of this project' }

/**
 * Remembers that a shard has reported, and completes the run when all that are expected have. Changes nothing where
 * nothing is new. One statement: it holds the row, and so neither a name nor the last one is missed.
 * @throws {Problem} 409 when more shards report than a run can remember
 */
export async function markShardDone(db: Database, run: RunRef, shard: string): Promise<string | null> {
  const isKnown = sql`${shard} = any(shards_done)`
  const names = sql`case when ${isKnown} then shards_done else shards_done || ${shard}::text end`
  const completes = sql`(status = 'in_progress' and cardinality(${names}) >= expected_shards)`
  const update = sql`
    update runs set
      shards_done = ${names},
      status = case when ${completes} then 'completed' else status end,
      completed_at = case when ${completes} then now() else completed_at end,
      updated_at = case when status = 'in_progress' then now() else updated_at end
    where id = ${run.id} and (not ${isKnown} or ${completes})`
  try {
    await withRowMutex(db, run.id, () => update.execute(db))
  } catch (error) {
    throw violatesConstraint(error, 'runs_shards_done_check') ? tooManyShards() : error
  }
  return await selectRun(db, run.id)
}

const tooManyShards = () =>
  conflictProblem('too_many_shards', `The run remembers ${MAX_SHARDS} shards, and this would be one more.`)

/**
 * Deletes a run with its results; returns its name, or null when it is gone.
 * @throws {Problem} 404 when its project is gone
 */
export async function deleteRun(db: Database, { id, project }: RunRef): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id, 'run')
    const deleted = await tx.deleteFrom('runs').where('id', '=', id).returning('name').executeTakeFirst()
    if (deleted === undefined) return null
    await tx.deleteFrom('test_results').where('project_id', '=', project.id).where('run_id', '=', id).execute()
    await sql`update projects set run_count = run_count - 1 where id = ${project.id}`.execute(tx)
    return deleted.name
  })
}
