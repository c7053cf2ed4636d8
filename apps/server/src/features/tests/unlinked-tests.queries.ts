import type { CoveredTest } from '@caseward/matching/cases-for-tests'
import { sql } from 'kysely'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { isUuid } from '../../platform/http/ids.ts'
import { invalidFieldProblem } from '../../platform/http/problems.ts'

/** Tests that a request names. */
export interface TestChoice {
  test_ids?: readonly string[]
  all_unmatched_of_run?: string
}

/** Runs that a request names: one whose tests are chosen, and one that is written to. */
interface RunChoice {
  all_unmatched_of_run?: string
  run_id?: string
}

/** @throws {Problem} 400 unless tests or a run are named, not both */
export function checkChoice({ test_ids: testIds, all_unmatched_of_run: allOfRun }: TestChoice): void {
  if (testIds === undefined && allOfRun === undefined) {
    throw invalidFieldProblem('/test_ids', 'is required unless `all_unmatched_of_run` is set')
  }
  if (testIds !== undefined && allOfRun !== undefined) {
    throw invalidFieldProblem('/all_unmatched_of_run', 'cannot be combined with `test_ids`: leave one of them out')
  }
}

/** @throws {Problem} 400 for a run that is not one of the project, or that takes no results */
export async function requireRuns(tx: Database, project: ProjectRef, body: RunChoice): Promise<void> {
  for (const field of ['all_unmatched_of_run', 'run_id'] as const) {
    const id = body[field]
    if (id === undefined) continue
    const run = isUuid(id)
      ? await tx
          .selectFrom('runs')
          .select('status')
          .where('id', '=', id)
          .where('project_id', '=', project.id)
          .executeTakeFirst()
      : undefined
    if (run === undefined) throw invalidFieldProblem(`/${field}`, 'is not a run of this project')
    if (field === 'run_id' && run.status === 'completed') {
      throw invalidFieldProblem('/run_id', 'is completed: reopen the run, or leave this field out')
    }
  }
}

export type UnlinkedTest = CoveredTest & { id: string }

/**
 * Selects the chosen tests without a test case in the order of their ids, and how many of them are left for another request.
 * There is no join, in which PostgreSQL would compare every test with every other one while its statistics are from before their
 * upload.
 */
export async function selectUnlinkedTests(
  tx: Database,
  projectId: string,
  { test_ids: testIds = [], all_unmatched_of_run: runId }: TestChoice,
  { limit, after = null }: { limit: number; after?: string | null },
): Promise<{ tests: UnlinkedTest[]; remaining: number }> {
  const chosen =
    runId === undefined
      ? sql`select unnest(${`{${testIds.filter(isUuid).join(',')}}`}::uuid[])`
      : sql`select test_id from test_outcomes where project_id = ${projectId} and run_id = ${runId} and not is_matched`
  const { rows } = await sql<UnlinkedTest & { count: string }>`
    select id, suite, name, file, count(*) over () as count
    from tests
    where project_id = ${projectId} and id = any(array(
      ${chosen} except select test_id from test_links where project_id = ${projectId}
    ))
      ${after === null ? sql`` : sql`and id > ${after}::uuid`}
    order by id limit ${sql.lit(limit)}`.execute(tx)
  return { tests: rows, remaining: Number(rows[0]?.count ?? 0) - rows.length }
}
