import { truncateNote } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { RunRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { FIRST_SOURCE } from '../tests/write-outcomes.ts'

/** An error outside of tests. */
export interface SuiteError {
  location: string
  message: string
  /** Path of the report file, if several came together. */
  report?: string | undefined
}

const MAX_ERROR_LENGTH = 10_000

/** Cuts an error outside of tests to what is stored. */
export const toStoredError = (location: string, message: string): SuiteError => ({
  location: truncateNote(location, 1000).toWellFormed(),
  message: truncateNote(message, MAX_ERROR_LENGTH).toWellFormed(),
})

/** Deletes the errors that some sources of a run have reported. */
export async function deleteSuiteErrors(
  tx: Database,
  { id, project }: RunRef,
  sources: readonly number[],
): Promise<void> {
  if (sources.length === 0) return
  await sql`
    delete from suite_errors
    where project_id = ${project.id} and run_id = ${id}
      and coalesce(source, ${sql.lit(FIRST_SOURCE)}) = any(${`{${sources.join(',')}}`}::int[])`.execute(tx)
}

/** Adds errors of a source, except those that it has reported already. */
export async function insertSuiteErrors(
  tx: Database,
  { id, project }: RunRef,
  errors: readonly SuiteError[],
  { number, shard, finishedAt }: { number: number; shard: string; finishedAt: Date | null },
): Promise<void> {
  await sql`
    insert into suite_errors (project_id, run_id, id, shard, source, location, message, reported_at)
    select ${project.id}, ${id}, input.id, ${shard}, nullif(${number}::int, ${sql.lit(FIRST_SOURCE)}), input.location,
      input.message, least(${finishedAt}::timestamptz, now())
    from unnest(
      ${toArrayLiteral(errors.map(() => uuidv7()))}::uuid[],
      ${toArrayLiteral(errors.map(({ location }) => location))}::text[],
      ${toArrayLiteral(errors.map(({ message }) => message))}::text[]
    ) input (id, location, message)
    where not exists (
      select from suite_errors e
      where e.project_id = ${project.id} and e.run_id = ${id}
        and coalesce(e.source, ${sql.lit(FIRST_SOURCE)}) = ${number}::int
        and e.location = input.location and e.message = input.message
    )`.execute(tx)
}

/** Stores how many errors outside of tests a run has. */
export async function countSuiteErrors(tx: Database, { id, project }: RunRef): Promise<void> {
  await sql`
    with counted as materialized (
      select count(*)::int as count from suite_errors where project_id = ${project.id} and run_id = ${id}
    )
    update runs set updated_at = now(), suite_error_count = (select count from counted) where id = ${id}`.execute(tx)
}
