import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { lockRun } from './runs.queries.ts'

/**
 * Runs `write` in a transaction that holds the lock on the run, so that no other write to its results interferes.
 * @throws {Problem} 404 when the run is gone; 409 when it is completed
 */
export async function withOpenRun<T>(db: Database, run: RunRef, write: (tx: Database) => Promise<T>): Promise<T> {
  return await transactionWithRowMutex(db, run.id, async (tx) => {
    await requireOpenRun(tx, run.id)
    return await write(tx)
  })
}

/**
 * Locks a run until the transaction ends.
 * @throws {Problem} 404 when the run is gone; 409 when it is completed
 */
export async function requireOpenRun(tx: Database, id: string): Promise<void> {
  const run = await lockRun(tx, id)
  if (run === undefined) throw notFoundProblem('run')
  if (run.status === 'completed') throw runCompletedProblem()
}

const runCompletedProblem = () =>
  conflictProblem(
    'run_completed',
    'The run is completed and does not accept results. To add results, reopen the run (PATCH status in_progress).',
  )
