import type { FieldError } from '@casebook/contract/problem'
import type { listRuns, UpdateRunBody } from '@casebook/contract/runs'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

import { type Database, violates } from '../../database/connect.ts'
import { isUuid } from '../../http/ids.ts'
import { containing, type PageOf } from '../../http/pagination.ts'
import type { RunPlace } from '../../http/places.ts'
import { invalid } from '../../problems.ts'
import { lockProject } from '../projects/projects.queries.ts'

type Filters = Static<typeof listRuns.schema.querystring>

/** passed ÷ (all but not_tested) × 100, one decimal; 0 when nothing was tested. */
export const passRate = sql`
  coalesce(round(
    100.0 * r.passed_count / nullif(r.passed_count + r.failed_count + r.blocked_count + r.retest_count, 0), 1
  )::float8, 0)`

const fields = sql`
  r.id, r.name, r.description, r.status, r.milestone_id, ${passRate} as pass_rate,
  json_build_object(
    'passed', r.passed_count, 'failed', r.failed_count, 'blocked', r.blocked_count, 'retest', r.retest_count,
    'not_tested', r.not_tested_count
  ) as stats,
  r.passed_count + r.failed_count + r.blocked_count + r.retest_count + r.not_tested_count as result_count,
  r.created_by, iso_utc(r.created_at) as created_at, iso_utc(r.updated_at) as updated_at,
  iso_utc(r.completed_at) as completed_at`

/** A page of runs as a JSON array, the newest first, with how many there are; undefined when the project is gone. */
export async function selectRuns(db: Database, projectId: string, filters: Filters, { limit, offset }: PageOf) {
  const conditions = conditionsOf(filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const where = sql`r.project_id = p.id${sql.join(
    conditions.map((condition) => sql` and ${condition}`),
    sql``,
  )}`
  // Unfiltered, the project's counter is the total.
  const total = conditions.length === 0 ? sql`p.run_count` : sql`(select count(*) from runs r where ${where})`
  const { rows } = await sql<{ items: string; total: number }>`
    select ${total} as total, (
      select coalesce(json_agg(item), '[]') from (
        select ${fields} from runs r where ${where} order by r.id desc limit ${limit} offset ${offset}
      ) item
    )::text as items
    from projects p where p.id = ${projectId}`.execute(db)
  return rows[0]
}

/** The filters as conditions; null when nothing can match. */
function conditionsOf({ status, milestone_id: milestoneId, search }: Filters): RawBuilder<unknown>[] | null {
  const conditions: RawBuilder<unknown>[] = []
  if (milestoneId !== undefined && !isUuid(milestoneId)) return null
  if (milestoneId !== undefined) conditions.push(sql`r.milestone_id = ${milestoneId}`)
  if (status !== undefined) conditions.push(sql`r.status = ${status}`)
  if (search !== undefined && search !== '') conditions.push(sql`r.name ilike ${containing(search)}`)
  return conditions
}

/** One run as a JSON object. */
export async function selectRun(db: Database, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ item: string }>`
    select row_to_json(item)::text as item from (select ${fields} from runs r where r.id = ${id}) item`.execute(db)
  return rows[0]?.item
}

/** Holds a run until the transaction ends, as whatever changes its results must. Undefined when it is gone. */
export async function lockRun(tx: Database, id: string) {
  return await tx.selectFrom('runs').select('status').where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/**
 * Changes the fields that are sent; completing sets `completed_at`, reopening clears it.
 * @throws {Problem} 400 for an unknown milestone
 */
export async function updateRun(db: Database, run: RunPlace, change: Static<typeof UpdateRunBody>) {
  const { name, description, milestone_id, status } = change
  if (typeof milestone_id === 'string' && !isUuid(milestone_id)) throw invalid([UNKNOWN_MILESTONE])
  if ([name, description, milestone_id, status].every((value) => value === undefined))
    return await selectRun(db, run.id)
  try {
    await db
      .updateTable('runs')
      .set({
        name,
        description,
        milestone_id,
        status,
        updated_at: sql`now()`,
        ...(status === 'completed' ? { completed_at: sql`coalesce(completed_at, now())` } : {}),
        ...(status === 'in_progress' ? { completed_at: null } : {}),
      })
      .where('id', '=', run.id)
      .execute()
  } catch (error) {
    throw violates(error, 'runs_project_id_milestone_id_fkey') ? invalid([UNKNOWN_MILESTONE]) : error
  }
  return await selectRun(db, run.id)
}

export const UNKNOWN_MILESTONE: FieldError = { path: '/milestone_id', message: 'is no milestone of this project' }

/** Deletes a run with its results; returns its name, or null when it is gone. */
export async function deleteRun(db: Database, { id, project }: RunPlace): Promise<string | null> {
  return await db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id)
    const deleted = await tx.deleteFrom('runs').where('id', '=', id).returning('name').executeTakeFirst()
    if (deleted === undefined) return null
    await tx.deleteFrom('test_results').where('project_id', '=', project.id).where('run_id', '=', id).execute()
    await sql`update projects set run_count = run_count - 1 where id = ${project.id}`.execute(tx)
    return deleted.name
  })
}
