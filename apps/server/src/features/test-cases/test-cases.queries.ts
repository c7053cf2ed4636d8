import type { listTestCases } from '@casebook/contract/test-cases'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'

import type { Database } from '../../database/connect.ts'
import { isUuid } from '../../http/ids.ts'
import { containing, type PageOf } from '../../http/pagination.ts'
import type { ProjectPlace } from '../../http/places.ts'

type Filters = Static<typeof listTestCases.schema.querystring>

const listed = (prefix: string) => sql`
  ${prefix} || '-' || c.number as id, c.title, c.folder_id, c.priority, c.type, c.precondition, c.steps,
  c.expected_result, iso_utc(c.created_at) as created_at, iso_utc(c.updated_at) as updated_at`

/**
 * A page of test cases as a JSON array, by number, with how many there are; undefined when the project is gone.
 * Unfiltered, the project's counter is the total.
 */
export async function selectTestCases(db: Database, project: ProjectPlace, filters: Filters, page: PageOf) {
  const conditions = conditionsOf(filters)
  if (conditions === null) return { items: '[]', total: 0 }
  const { limit, offset } = page
  const found =
    conditions.length === 0
      ? sql<{ items: string; total: number }>`
        select p.test_case_count as total, (
          select coalesce(json_agg(item), '[]') from (
            select ${listed(project.prefix)} from test_cases c where c.project_id = p.id
            order by c.number limit ${limit} offset ${offset}
          ) item
        )::text as items
        from projects p where p.id = ${project.id}`
      : // Materialised, so that a search is always answered from its index, and the count and the page come of one pass:
        // left free, the planner may walk the whole project in order of number and look at each title.
        sql<{ items: string; total: number }>`
        with matching as materialized (
          select c.number from test_cases c where c.project_id = ${project.id} and ${sql.join(conditions, sql` and `)}
        )
        select (select count(*) from matching) as total, (
          select coalesce(json_agg(item), '[]') from (
            select ${listed(project.prefix)}
            from test_cases c
            where c.project_id = ${project.id}
              and c.number = any (array(select number from matching order by number limit ${limit} offset ${offset}))
            order by c.number
          ) item
        )::text as items
        from projects p where p.id = ${project.id}`
  const { rows } = await found.execute(db)
  return rows[0]
}

/** The filters as conditions; null when nothing can match. */
function conditionsOf({ folder_id, priority, type, tag, search }: Filters): RawBuilder<unknown>[] | null {
  const conditions: RawBuilder<unknown>[] = []
  if (folder_id === 'none') conditions.push(sql`c.folder_id is null`)
  else if (folder_id !== undefined && !isUuid(folder_id)) return null
  else if (folder_id !== undefined) conditions.push(sql`c.folder_id = ${folder_id}`)
  if (priority !== undefined) conditions.push(sql`c.priority = ${priority}`)
  if (type !== undefined) conditions.push(sql`c.type = ${type}`)
  if (tag !== undefined) conditions.push(sql`c.tags @> array[${tag}]::text[]`)
  if (search !== undefined && search !== '') conditions.push(sql`c.title ilike ${containing(search)}`)
  return conditions
}

/** One test case with all its fields, as a JSON object. */
export async function selectTestCase(db: Database, project: ProjectPlace, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ item: string }>`
    select row_to_json(item)::text as item from (
      select ${listed(project.prefix)}, c.tags, c.automation_key, c.created_by
      from test_cases c where c.project_id = ${project.id} and c.number = ${number}
    ) item`.execute(db)
  return rows[0]?.item
}

/** A page of a test case's results across runs, the newest run first; undefined when there is no such case. */
export async function selectTestCaseResults(db: Database, project: ProjectPlace, number: number, page: PageOf) {
  const { limit, offset } = page
  const { rows } = await sql<{ items: string; total: number }>`
    select (
      select count(*) from test_results r where r.project_id = c.project_id and r.case_number = c.number
    ) as total, (
      select coalesce(json_agg(item), '[]') from (
        select r.run_id, runs.name as run_name, r.id, ${project.prefix} || '-' || r.case_number as test_case_id,
          r.title as test_case_title, r.status, r.note, r.elapsed, r.tested_by, iso_utc(r.tested_at) as tested_at
        from test_results r join runs on runs.id = r.run_id
        where r.project_id = c.project_id and r.case_number = c.number
        order by r.run_id desc limit ${limit} offset ${offset}
      ) item
    )::text as items
    from test_cases c where c.project_id = ${project.id} and c.number = ${number}`.execute(db)
  return rows[0]
}
