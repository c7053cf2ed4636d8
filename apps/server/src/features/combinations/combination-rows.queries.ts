import type { CombinationRow, listCombinationRows as contract } from '@caseward/contract/combinations'
import { MAX_ROWS_PER_PAGE } from '@caseward/contract/pagination'
import { sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { toFirstChange } from '../../platform/http/row-pages.ts'
import { presentTime } from '../../platform/http/timestamps.ts'

interface Row extends Omit<CombinationRow, 'tested_at' | 'assigned_to'> {
  tested_at: Date | null
  assigned_to: (string | null)[] | null
}

/** A page of the results of a run that have combinations, with the statuses of all of them, in the order of the run. */
export async function selectCombinationRows(
  db: Database,
  { id, project }: RunRef,
  {
    changed_since: changedSince,
    after,
    per_page: perPage = MAX_ROWS_PER_PAGE,
  }: Static<typeof contract.schema.querystring>,
): Promise<{ items: CombinationRow[]; total: number; nextAfter: string | null }> {
  const isMeant = sql`r.project_id = ${project.id} and r.run_id = ${id} and r.combination_state is not null
    ${changedSince === undefined ? sql`` : sql`and r.changed_at >= ${toFirstChange(changedSince)}::timestamptz`}`
  // Each result looks up its own: all of a run are not sorted for a page of it.
  const { rows } = await sql<Row>`
    select r.id, r.tested_at, k.places, k.configurations, k.statuses, k.assigned_to
    from (
      select r.id, r.tested_at from test_results r
      where ${isMeant} ${after === undefined ? sql`` : sql`and r.id > ${after}::uuid`}
      order by r.id limit ${perPage + 1}
    ) r
    cross join lateral (
      select
        coalesce(json_agg(c.place order by c.place), '[]') as places,
        coalesce(json_agg(c.configuration order by c.place), '[]') as configurations,
        coalesce(json_agg(c.status order by c.place), '[]') as statuses,
        case when bool_or(c.assigned_to is not null) then json_agg(c.assigned_to order by c.place) end as assigned_to
      from result_combinations c
      where c.project_id = ${project.id} and c.run_id = ${id} and c.result_id = r.id
    ) k
    order by r.id`.execute(db)
  const count = await sql<{ count: number }>`
    select count(*)::int as count from test_results r where ${isMeant}`.execute(db)
  const page = rows.slice(0, perPage)
  return {
    items: page.map(({ tested_at: testedAt, assigned_to: assignees, ...row }) => ({
      ...row,
      tested_at: testedAt === null ? null : presentTime(testedAt),
      ...(assignees === null ? {} : { assigned_to: assignees }),
    })),
    total: count.rows[0]?.count ?? 0,
    nextAfter: rows.length > perPage ? (page.at(-1)?.id ?? null) : null,
  }
}
