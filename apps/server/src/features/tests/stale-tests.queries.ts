import { sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { FIRST_SOURCE } from './outcome-write.ts'

/**
 * Returns those of the tests that are not in the newest report of their file: each source that reported them has run other
 * tests of the file, or of the suite where the file is unknown, later. Numbers of rows are no part of the variant here.
 */
export async function selectStaleTests(
  db: Database,
  { id, project }: RunRef,
  testIds: readonly string[],
): Promise<Set<string>> {
  if (testIds.length === 0) return new Set()
  const { rows: runs } = await sql`select from runs where id = ${id} and upload_count > 1`.execute(db)
  if (runs.length === 0) return new Set()
  const ids = sql`any(${`{${testIds.join(',')}}`}::uuid[])`
  const isOfRun = (alias: string) =>
    sql`${sql.ref(`${alias}.project_id`)} = ${project.id} and ${sql.ref(`${alias}.run_id`)} = ${id}`
  const place = sql`
    case when t.file = '' then t.suite else t.file end as place, t.module,
    regexp_replace(t.variant, '(^| )#[0-9]+$', '') as variant`
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    with parts as materialized (
      select p.test_id, p.source, p.tested_at from outcome_parts p where ${isOfRun('p')}
      union all
      select o.test_id, coalesce(o.source, ${sql.lit(FIRST_SOURCE)}), o.tested_at from test_outcomes o
      where ${isOfRun('o')} and not exists (
        select from outcome_parts p where ${isOfRun('p')} and p.test_id = o.test_id
      )
    ), asked as materialized (
      select parts.*, ${place}
      from parts join tests t on t.project_id = ${project.id} and t.id = parts.test_id
      where parts.test_id = ${ids}
    ), later as materialized (
      select parts.source, max(parts.tested_at) as tested_at, ${place}
      from parts join tests t on t.project_id = ${project.id} and t.id = parts.test_id
      where parts.tested_at > (select min(tested_at) from asked)
      group by parts.source, place, t.module, variant
    )
    select test_id from asked
    group by test_id
    having bool_and(place <> '' and exists (
      select from later
      where later.source = asked.source and later.place = asked.place and later.module = asked.module
        and later.variant = asked.variant and later.tested_at > asked.tested_at
    ))`.execute(db)
  return new Set(rows.map((row) => row.test_id))
}
