import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { addCombinationsOfNewResults } from '../combinations/run-configurations.ts'
import { lockProjectRow } from '../projects/projects.queries.ts'
import { resolveTestCaseIds } from './choose-test-cases.ts'
import { insertRunResults } from './insert-run-results.ts'
import { selectRun } from './runs.queries.ts'
import { requireOpenRun } from './with-open-run.ts'

/**
 * Adds test cases at the end of a run. Locks the project, then the run, as all other writes do.
 * @returns the run as a JSON object
 * @throws {Problem} 404 when the run is gone; 409 when it is completed; 400 with every unknown or archived test case
 */
export async function addTestCasesToRun(db: Database, run: RunRef, testCaseIds: readonly string[]): Promise<string> {
  return await transactionWithRowMutex(db, run.id, async (tx) => {
    await lockProjectRow(tx, run.project.id)
    const { combination_count: combinationCount } = await requireOpenRun(tx, run.id)
    const { numbers, errors } = await resolveTestCaseIds(tx, run.project, testCaseIds, { allowsArchived: false })
    if (errors.length > 0) throw invalidProblem(errors)
    await addToRun(tx, run, numbers, combinationCount !== null)
    const updated = await selectRun(tx, run.id)
    if (updated === null) throw notFoundProblem('run')
    return updated
  })
}

/** Adds those of the test cases that are not in the run, also archived ones: CI has tested them. The caller holds the locks on the project and on the run. */
export async function addCasesToLockedRun(
  tx: Database,
  run: RunRef,
  numbers: readonly number[],
  { hasCombinations }: { hasCombinations: boolean },
): Promise<void> {
  await addToRun(tx, run, `{${numbers.join(',')}}`, hasCombinations)
}

/** @param numbers as PostgreSQL writes an array */
async function addToRun(tx: Database, run: RunRef, numbers: string, hasCombinations: boolean): Promise<void> {
  const lastId = hasCombinations ? await selectLastResultId(tx, run) : null
  const added = await insertRunResults(tx, run, sql`c.number = any(${numbers}::int[])`, { isNew: false })
  if (hasCombinations && added > 0) await addCombinationsOfNewResults(tx, run, lastId)
}

async function selectLastResultId(tx: Database, { id, project }: RunRef): Promise<string | null> {
  const last = await tx
    .selectFrom('test_results')
    .select('id')
    .where('project_id', '=', project.id)
    .where('run_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.id ?? null
}
