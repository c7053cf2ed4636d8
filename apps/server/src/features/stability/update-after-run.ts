import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { type FlakyTest, quarantineAutomatically } from '../quarantines/quarantine-automatically.ts'
import { updateStability } from './update-stability.ts'

/** A run whose evaluation is stored. */
export interface EvaluatedTests {
  projectId: string
  runId: string
  createdAt: Date
  /** Whether it is of the default branch: then tests that passed are not broken any more. */
  isOfBaseBranch: boolean
  isSettled: boolean
  /** Tests that failed or flaked. */
  testIds: readonly string[]
}

/**
 * Updates what the tests of a run are, and quarantines those that became flaky with it once it is settled, if the project wants
 * that: until then, its own verdicts must not change.
 */
export async function updateAfterRun(tx: Database, run: EvaluatedTests): Promise<void> {
  const recovered = run.isOfBaseBranch ? await selectBrokenTests(tx, run) : []
  await updateStability(tx, run.projectId, [...new Set([...run.testIds, ...recovered])])
  if (run.isSettled) await quarantineAutomatically(tx, run.projectId, await selectNewlyFlaky(tx, run))
}

async function selectBrokenTests(tx: Database, { projectId, runId }: EvaluatedTests): Promise<string[]> {
  const { rows } = await sql<{ test_id: string }>`${plannedAnew}
    select u.test_id from unstable_tests u
    join test_outcomes o on o.project_id = ${projectId} and o.run_id = ${runId} and o.test_id = u.test_id
    where u.project_id = ${projectId} and u.stability = 'broken'`.execute(tx)
  return rows.map(({ test_id: id }) => id)
}

/** Selects the tests of the run that are flaky since it began, the flakiest first. */
async function selectNewlyFlaky(tx: Database, run: EvaluatedTests): Promise<FlakyTest[]> {
  const { rows } = await sql<FlakyTest>`
    select test_id as id, since, flake_commits as "flakeCommits", commits from unstable_tests
    where project_id = ${run.projectId} and stability = 'flaky' and since >= ${run.createdAt}
      and test_id = any(${[...run.testIds]}::uuid[])
    order by score desc, test_id`.execute(tx)
  return rows
}
