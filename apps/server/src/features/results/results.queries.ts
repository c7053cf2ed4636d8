import type { listResults } from '@casebook/contract/results'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

import type { Database } from '../../database/connect.ts'
import { isUuid, testCaseNumber } from '../../http/ids.ts'
import { containing, type PageOf } from '../../http/pagination.ts'
import type { RunPlace } from '../../http/places.ts'

type Filters = Static<typeof listResults.schema.querystring>

const fields = (prefix: string) => sql`
  r.id, ${prefix} || '-' || r.case_number as test_case_id, r.title as test_case_title, r.status, r.note, r.elapsed,
  r.tested_by, iso_utc(r.tested_at) as tested_at`

/**
 * A page of a run's results as a JSON array, in the order in which the cases joined, with how many there are;
 * undefined when the run is gone. Unless it searches, the run's counters are the total.
 */
export async function selectResults(
  db: Database,
  run: RunPlace,
  { status, search }: Filters,
  { limit, offset }: PageOf,
) {
  const conditions: RawBuilder<unknown>[] = []
  if (status !== undefined) conditions.push(sql`r.status = ${status}`)
  if (search !== undefined && search !== '') conditions.push(sql`r.title ilike ${containing(search)}`)
  const where = sql.join([sql`r.project_id = ${run.project.id} and r.run_id = run.id`, ...conditions], sql` and `)
  const { rows } = await sql<{ items: string; total: number }>`
    select ${totalOf(status, search, where)} as total, (
      select coalesce(json_agg(item), '[]') from (
        select ${fields(run.project.prefix)} from test_results r where ${where} order by r.id limit ${limit} offset ${offset}
      ) item
    )::text as items
    from runs run where run.id = ${run.id}`.execute(db)
  return rows[0]
}

function totalOf(
  status: Filters['status'],
  search: Filters['search'],
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (search !== undefined && search !== '') return sql`(select count(*) from test_results r where ${where})`
  if (status !== undefined) return sql.ref(`run.${status}_count`)
  return sql`run.passed_count + run.failed_count + run.blocked_count + run.retest_count + run.not_tested_count`
}

/**
 * Which case a result of a run belongs to: found by the result's id or by the case's. Undefined when there is none.
 * Holds it, so that it belongs to that case until the transaction ends.
 */
export async function lockResult(tx: Database, run: RunPlace, id: string) {
  const number = testCaseNumber(id, run.project.prefix)
  if (number === null && !isUuid(id)) return undefined
  const which = number === null ? sql<boolean>`id = ${id}::uuid` : sql<boolean>`case_number = ${number}`
  return await tx
    .selectFrom('test_results')
    .select(['id', 'case_number'])
    .where('project_id', '=', run.project.id)
    .where('run_id', '=', run.id)
    .where(which)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** One result as a JSON object. */
export async function selectResult(tx: Database, run: RunPlace, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ item: string }>`
    select row_to_json(item)::text as item from (
      select ${fields(run.project.prefix)} from test_results r
      where r.project_id = ${run.project.id} and r.run_id = ${run.id} and r.id = ${id}
    ) item`.execute(tx)
  return rows[0]?.item
}
