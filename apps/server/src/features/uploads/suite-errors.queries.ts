import { truncateNote } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { RunRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'

/** An error outside of tests. */
export interface SuiteError {
  location: string
  message: string
}

const MAX_ERROR_LENGTH = 10_000

/** Cuts an error outside of tests to what is stored. */
export const toStoredError = (location: string, message: string): SuiteError => ({
  location: truncateNote(location, 1000).toWellFormed(),
  message: truncateNote(message, MAX_ERROR_LENGTH).toWellFormed(),
})

export interface SuiteErrorOptions {
  /** '' if unknown. */
  shard: string
  /** Whether the errors of an earlier upload of the shard are replaced. Otherwise those that are stored already stay. */
  replaces: boolean
  finishedAt: Date | null
}

/** Stores errors outside of tests, and how many the run has. The caller holds the lock on the run. */
export async function storeSuiteErrors(
  tx: Database,
  { id, project }: RunRef,
  errors: readonly SuiteError[],
  { shard, replaces, finishedAt }: SuiteErrorOptions,
): Promise<void> {
  if (errors.length === 0 && !replaces) return
  if (replaces) {
    await sql`
      delete from suite_errors
      where project_id = ${project.id} and run_id = ${id} and shard = ${shard}`.execute(tx)
  }
  await sql`
    with existing as materialized (
      select count(*)::int from suite_errors where project_id = ${project.id} and run_id = ${id}
    ), added as (
      insert into suite_errors (project_id, run_id, id, shard, location, message, reported_at)
      select ${project.id}, ${id}, input.id, ${shard}, input.location, input.message,
        least(${finishedAt}::timestamptz, now())
      from unnest(
        ${toArrayLiteral(errors.map(() => uuidv7()))}::uuid[],
        ${toArrayLiteral(errors.map(({ location }) => location))}::text[],
        ${toArrayLiteral(errors.map(({ message }) => message))}::text[]
      ) input (id, location, message)
      where not exists (
        select from suite_errors e
        where e.project_id = ${project.id} and e.run_id = ${id} and e.shard = ${shard}
          and e.location = input.location and e.message = input.message
      )
      returning 1
    )
    update runs set updated_at = now(),
      suite_error_count = (select count from existing) + (select count(*) from added)
    where id = ${id}`.execute(tx)
}
