import type { FieldError } from '@caseward/contract/problem'
import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { parseTestCaseNumber } from '../test-cases/test-case-ids.ts'
import type { ProjectRef, RunRef } from '../../access/project-cache.ts'
import { resultCount } from './run-counts.ts'

/**
 * Lets the cases that meet `condition` (on `test_cases c`) join a run, by number, untested, with the title that they
 * have now; those already in it stay as they are. Ordinals go on from the run's size and count only cases that are new
 * to it, so that cases that join within the same millisecond still keep their order. The caller holds the project's
 * row, and the run's where others could know of it.
 */
export async function insertRunResults(
  tx: Database,
  { id, project }: RunRef,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    with run as (
      select id, ${resultCount} as size from runs where id = ${id}
    ), joined as (
      insert into test_results (project_id, run_id, id, case_number, title)
      select c.project_id, run.id, uuid_v7_in_batch(statement_timestamp(), run.size + row_number() over (order by c.number)),
        c.number, c.title
      from test_cases c, run
      where c.project_id = ${project.id} and ${condition} and not exists (
        select from test_results t
        where t.project_id = c.project_id and t.case_number = c.number and t.run_id = run.id
      )
      order by c.number
      returning 1
    )
    update runs set not_tested_count = not_tested_count + (select count(*) from joined), updated_at = now()
    where id = ${id}`.execute(tx)
}

/** The numbers of test case ids, and those ids that are no case of the project, as fields of the request. */
export async function resolveTestCaseIds(
  tx: Database,
  project: ProjectRef,
  ids: readonly string[],
): Promise<{ numbers: number[]; unknown: FieldError[] }> {
  const numbers = ids.map((id) => parseTestCaseNumber(id, project.prefix))
  const { rows } = await sql<{ number: number }>`
    select number from test_cases where project_id = ${project.id} and number = any(${numbers}::int[])`.execute(tx)
  const known = new Set<number | null>(rows.map(({ number }) => number))
  const unknown = numbers.flatMap((number, index) =>
    known.has(number) ? [] : [{ path: `/test_case_ids/${index}`, message: 'is no test case of this project' }],
  )
  return { numbers: rows.map(({ number }) => number), unknown }
}
