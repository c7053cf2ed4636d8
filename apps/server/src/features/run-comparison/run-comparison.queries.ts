import { type RunChange, RUN_CHANGES } from '@caseward/contract/run-comparison'
import { isExcusedBy } from '@caseward/failures/same-failure'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { runTextQuery } from '../../platform/database/fast-reads/text-rows.ts'
import { type JsonCursorPage, readCursorPage } from '../../platform/database/reads.ts'
import { selectFinalFailures } from '../evaluation/base-outcomes.queries.ts'
import { toOutcomeKey } from '../evaluation/failed-outcomes.queries.ts'
import { comparedCases } from './compared-cases.ts'
import { comparedTests } from './compared-tests.ts'
import type { Comparison, ComparisonContext } from './comparison.ts'

export type ComparedBy = 'tests' | 'test_cases'
const comparisons: Readonly<Record<ComparedBy, Comparison>> = {
  tests: comparedTests,
  test_cases: comparedCases,
}

export interface RunPair {
  base: string
  head: string
}

/** Which of two runs are in the project, and whether they have tests. */
export async function selectRunPair(
  db: Database,
  projectId: string,
  { base, head }: RunPair,
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await db
    .selectFrom('runs')
    .select(['id', 'passed_test_count', 'failed_test_count', 'skipped_test_count'])
    .where('project_id', '=', projectId)
    .where('id', 'in', [base, head])
    .execute()
  return new Map(
    rows.map((run) => [run.id, run.passed_test_count + run.failed_test_count + run.skipped_test_count > 0]),
  )
}

/** How many tests or test cases of two runs have each change. Together these are all that is in either of them. */
export async function countChanges(
  db: Database,
  projectId: string,
  by: ComparedBy,
  { base, head }: RunPair,
): Promise<Record<RunChange, number>> {
  const text = `select change, count(*) from (${comparisons[by].joined}) as joined group by change`
  const rows = await runTextQuery(db, { text, values: [projectId, base, head], useCustomPlan: true })
  const counts = new Map(rows.map(([change = '', count]) => [change, Number(count)]))
  return Object.fromEntries(RUN_CHANGES.map((change) => [change, counts.get(change) ?? 0])) as Record<RunChange, number>
}

/** Before all ids. */
const FIRST_PLACE = '00000000-0000-0000-0000-000000000000'

interface Filter {
  change?: RunChange | undefined
  after?: string | undefined
}

/** A page of the tests or test cases of two runs, in the order of the newer one. */
export async function selectComparedItems(
  db: Database,
  project: ProjectRef,
  by: ComparedBy,
  pair: RunPair,
  { change, after = FIRST_PLACE }: Filter,
  perPage: number,
): Promise<JsonCursorPage> {
  const { base, head } = pair
  const { buildPage, details, statuses, columns } = comparisons[by]
  const text = `
    with page as materialized (${buildPage(change)})
    select ${columns.selectList}, ${statuses}, page.place ${details} order by page.place`
  const values = [project.id, base, head, after, perPage + 1]
  const context: ComparisonContext = { ...project, sameFailures: new Set() }
  return await readCursorPage(
    db,
    { text, values, useCustomPlan: true },
    perPage,
    (row) => columns.toJson(row, context),
    async (rows) => {
      const failing = rows.flatMap((row) => {
        const [status, id] = [row.at(-2) ?? null, row.at(-1) ?? '']
        return status === null ? [] : [{ id, statuses: status.split(' ') }]
      })
      context.sameFailures = await findSameFailures(db, project.id, pair, failing)
    },
  )
}

interface FailingTest {
  id: string
  /** In the older and the newer run. */
  statuses: readonly string[]
}

/** Finds the tests that fail in both runs in the same way: by the rules of verdicts, or for both being blocked or interrupted. */
async function findSameFailures(
  db: Database,
  projectId: string,
  { base, head }: RunPair,
  failing: readonly FailingTest[],
): Promise<Set<string>> {
  const failed = failing.filter(({ statuses }) => statuses.every((status) => status === 'failed'))
  const outcomes = failed.flatMap(({ id }) => [base, head].map((run) => ({ run_id: run, test_id: id })))
  const failures = await selectFinalFailures(db, projectId, outcomes)
  const isSame = ({ id, statuses: [before, now] }: FailingTest) => {
    if (before !== now || before !== 'failed') return before === now
    const [old, current] = [base, head].map((run) => failures.get(toOutcomeKey(run, id)))
    return old !== undefined && current !== undefined && isExcusedBy(old, current)
  }
  return new Set(failing.filter(isSame).map(({ id }) => id))
}
