import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { invalidProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { lockProject } from '../projects/projects.queries.ts'
import { resolveTestCaseIds, insertRunResults } from './insert-run-results.ts'
import { lockOpenRun, selectRun } from './runs.queries.ts'

/**
 * Adds test cases at the end of a run. Locks the project, then the run: the order that everything keeps.
 * @returns the run as a JSON object
 * @throws {Problem} 404 when the run is gone; 409 when it is completed; 400 that names every unknown case
 */
export async function addTestCasesToRun(db: Database, run: RunRef, caseIds: readonly string[]): Promise<string> {
  return await transactionWithRowMutex(db, run.id, async (tx) => {
    await lockProject(tx, run.project.id, 'run')
    await lockOpenRun(tx, run.id)
    const { numbers, unknown } = await resolveTestCaseIds(tx, run.project, caseIds)
    if (unknown.length > 0) throw invalidProblem(unknown)
    await insertRunResults(tx, run, sql`c.number = any(${numbers}::int[])`)
    const updated = await selectRun(tx, run.id)
    if (updated === null) throw notFoundProblem('run')
    return updated
  })
}
