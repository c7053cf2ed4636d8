import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { createResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { lockRun } from './runs.queries.ts'

/**
 * Runs `write` in a transaction that holds the lock on the run, so that no other write to its results interferes. Then
 * announces the changes that `write` has added to its second parameter.
 * @param options.locksProject also holds the lock on the project, for what adds something to it
 * @throws {Problem} 404 when the run is gone; 409 when it is completed
 */
export async function withOpenRun<T>(
  { db, announcer }: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  write: (tx: Database, changes: ResultChanges) => Promise<T>,
  { locksProject = false }: { locksProject?: boolean } = {},
): Promise<T> {
  const changes = createResultChanges(run)
  try {
    return await transactionWithRowMutex(db, run.id, async (tx) => {
      if (locksProject) await requireLockedProject(tx, run.project.id)
      await requireOpenRun(tx, run.id)
      return await write(tx, changes)
    })
  } finally {
    // After an error too: when the connection is lost during the commit, it may have succeeded.
    announcer.add(changes)
  }
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
