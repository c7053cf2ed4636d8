import { sql } from 'kysely'

import type { Database } from '../../database/connect.ts'
import { transactionInLine } from '../../database/wait-in-line.ts'
import type { RunPlace } from '../../http/places.ts'
import { invalid, notFound } from '../../problems.ts'
import { lockProject } from '../projects/projects.queries.ts'
import { findCases, joinRun } from './join-run.ts'
import { lockOpenRun, selectRun } from './runs.queries.ts'

/**
 * Adds test cases at the end of a run. Locks the project, then the run: the order that everything keeps.
 * @returns the run as a JSON object
 * @throws {Problem} 404 when the run is gone; 409 when it is completed; 400 that names every unknown case
 */
export async function addTestCasesToRun(db: Database, run: RunPlace, caseIds: readonly string[]): Promise<string> {
  return await transactionInLine(db, run.id, async (tx) => {
    await lockProject(tx, run.project.id, 'run')
    await lockOpenRun(tx, run.id)
    const { numbers, unknown } = await findCases(tx, run.project, caseIds)
    if (unknown.length > 0) throw invalid(unknown)
    await joinRun(tx, run, sql`c.number = any(${numbers}::int[])`)
    const updated = await selectRun(tx, run.id)
    if (updated === null) throw notFound('run')
    return updated
  })
}
