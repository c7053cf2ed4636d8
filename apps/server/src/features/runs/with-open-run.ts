import { sql } from 'kysely'

import type { Deps } from '../../deps.ts'
import type { Database } from '../../platform/database/connect.ts'
import { transactionWithRowMutex } from '../../platform/database/row-mutex.ts'
import type { RunRef } from '../../access/project-cache.ts'
import { createResultChanges, type ResultChanges } from '../events/result-changes.ts'
import { conflictProblem, notFoundProblem } from '../../platform/http/problems.ts'
import { requireLockedProject } from '../projects/require-locked-project.ts'
import { resultCount } from './run-counts.ts'
import { lockRun } from './runs.queries.ts'

/**
 * Runs `write` in a transaction that holds the lock on the run, so that no other write to its results interferes. Then
 * announces the changes that `write` has added to its second parameter.
 * @param options.reopens opens a run again that has completed by itself, and says so as the third parameter of `write`
 * @param options.locksProject also holds the lock on the project, for what adds something to it
 * @throws {Problem} 404 when the run is gone; 409 when it is completed
 */
export async function withOpenRun<T>(
  { db, announcer }: Pick<Deps, 'db' | 'announcer'>,
  run: RunRef,
  write: (tx: Database, changes: ResultChanges, isReopened: boolean) => Promise<T>,
  { locksProject = false, reopens = false }: { locksProject?: boolean; reopens?: boolean } = {},
): Promise<T> {
  const changes = createResultChanges(run)
  try {
    return await transactionWithRowMutex(db, run.id, async (tx) => {
      if (locksProject) await requireLockedProject(tx, run.project.id)
      const reopened = reopens ? await reopenCompletedItself(tx, run.id) : undefined
      const isReopened = reopened !== undefined
      const locked = reopened ?? (await requireOpenRun(tx, run.id))
      changes.hasCombinations = locked.combination_count !== null
      changes.resultCount = locked.result_count
      return await write(tx, changes, isReopened)
    })
  } finally {
    // After an error too: when the connection is lost during the commit, it may have succeeded.
    announcer.add(changes)
  }
}

interface LockedRun {
  /** The number of its combinations; null without configurations. */
  combination_count: number | null
  result_count: number
}

/** Opens a run again that has completed by itself. A run that a user has completed stays completed. */
async function reopenCompletedItself(tx: Database, id: string): Promise<LockedRun | undefined> {
  const { rows } = await sql<LockedRun>`
    update runs set status = 'in_progress', completed_at = null, completed_itself = null, updated_at = now()
    where id = ${id} and status = 'completed'
      and coalesce(completed_itself, cardinality(shards_done) >= expected_shards, false)
    returning combination_count, ${resultCount} as result_count`.execute(tx)
  return rows[0]
}

/**
 * Locks a run until the transaction ends.
 * @throws {Problem} 404 when the run is gone; 409 when it is completed
 */
export async function requireOpenRun(tx: Database, id: string): Promise<LockedRun> {
  const run = await lockRun(tx, id)
  if (run === undefined) throw notFoundProblem('run')
  if (run.status === 'completed') throw runCompletedProblem(await findCompleter(tx, id))
  return run
}

async function findCompleter(tx: Database, id: string): Promise<string> {
  const { rows } = await sql<{ name: string | null; completed_itself: boolean | null }>`
    select u.name, r.completed_itself from runs r left join users u on u.id = r.completed_by where r.id = ${id}`.execute(
    tx,
  )
  const [run] = rows
  if (typeof run?.name === 'string') return ` by ${run.name}`
  return run?.completed_itself === true ? ', because all of its CI jobs were done' : ''
}

const runCompletedProblem = (completer: string) =>
  conflictProblem(
    'run_completed',
    `The run was completed${completer} and does not accept results. To add results, reopen the run (PATCH status in_progress).`,
  )
