import { truncateNote } from '@caseward/matching/note'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import type { RunRef } from '../../access/project-cache.ts'
import { toArrayLiteral } from '../../platform/database/array-literal.ts'
import type { Database } from '../../platform/database/connect.ts'
import { FIRST_SOURCE } from '../tests/outcome-write.ts'

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

/**
 * Deletes the errors of a source that later build attempts have run again: the file of the error, or all tests of the source.
 * @param options.later the numbers of the sources of these build attempts
 */
export async function deleteRepeatedErrors(
  tx: Database,
  { id, project }: RunRef,
  { source, later }: { source: number; later: readonly number[] },
): Promise<void> {
  if (later.length === 0) return
  const numbers = sql`any(${`{${later.join(',')}}`}::int[])`
  await sql`
    with reported as materialized (
      select p.test_id, p.source from outcome_parts p where p.project_id = ${project.id} and p.run_id = ${id}
      union all
      select o.test_id, coalesce(o.source, ${sql.lit(FIRST_SOURCE)}) from test_outcomes o
      where o.project_id = ${project.id} and o.run_id = ${id} and not exists (
        select from outcome_parts p where p.project_id = o.project_id and p.run_id = o.run_id and p.test_id = o.test_id
      )
    ), places as materialized (
      select distinct case when t.file = '' then t.suite else t.file end as place
      from reported r join tests t on t.project_id = ${project.id} and t.id = r.test_id
      where r.source = ${numbers}
    )
    delete from suite_errors e
    where e.project_id = ${project.id} and e.run_id = ${id}
      and coalesce(e.source, ${sql.lit(FIRST_SOURCE)}) = ${source}::int and (
        exists (
          select from places where place <> '' and (e.location = place or starts_with(e.location, place || ' > '))
        ) or not exists (
          select from reported r where r.source = ${source}::int and not exists (
            select from reported a where a.test_id = r.test_id and a.source = ${numbers}
          )
        )
      )`.execute(tx)
}

/**
 * Deletes the errors of a source that its other uploads have replaced. That is so if the file of the error was run again, or
 * if all tests that came with the error were. Another suite of the same CI job, which runs other tests, says nothing about an
 * error. What decides is newer than the error, or came with it, so that the order of the uploads makes no difference.
 * @param options.finishedAt when the upload finished that was just stored. Only what is as new as it replaces errors
 * @param options.isUnknown whether the source is unknown: then a suite that had failed before its tests is replaced by any
 */
export async function deleteReplacedErrors(
  tx: Database,
  { id, project }: RunRef,
  source: number,
  { place, finishedAt, isUnknown }: { place: string; finishedAt: Date | null; isUnknown: boolean },
): Promise<void> {
  const isOfSource = (alias: string) => sql`
    ${sql.ref(`${alias}.project_id`)} = ${project.id} and ${sql.ref(`${alias}.run_id`)} = ${id}
      and coalesce(${sql.ref(`${alias}.source`)}, ${sql.lit(FIRST_SOURCE)}) = ${source}::int`
  const at = buildReportedAt(finishedAt)
  await sql`
    with reported as materialized (
      select p.test_id, p.tested_at from outcome_parts p where ${isOfSource('p')}
      union all
      select o.test_id, o.tested_at from test_outcomes o
      where ${isOfSource('o')} and not exists (
        select from outcome_parts p where p.project_id = o.project_id and p.run_id = o.run_id and p.test_id = o.test_id
      )
    ), places as materialized (
      select case when t.file = '' then t.suite else t.file end as place, max(r.tested_at) as run_at
      from reported r join tests t on t.project_id = ${project.id} and t.id = r.test_id
      where r.tested_at >= ${at} group by 1
      union all
      select e.location, max(e.reported_at) from suite_errors e
      where ${isOfSource('e')} and e.reported_at >= ${at} group by 1
    ), uploads as materialized (
      select least(u.finished_at, u.uploaded_at) as finished_at, u.test_count from run_uploads u where ${isOfSource('u')}
    )
    delete from suite_errors e
    where ${isOfSource('e')} and e.reported_at <= ${at} and (
      exists (
        select from places
        where place <> '' and (e.location = place or starts_with(e.location, place || ' > ')) and run_at > e.reported_at
      ) or (
        e.location = nullif(${place}, '') and exists (select from uploads where finished_at > e.reported_at)
      ) or (
        exists (select from uploads where finished_at > e.reported_at and test_count > 0)
        and not exists (select from reported where tested_at = e.reported_at)
        and (${isUnknown} or exists (select from uploads where finished_at = e.reported_at and test_count > 0))
      )
    )`.execute(tx)
}

const buildReportedAt = (finishedAt: Date | null) => sql`least(${finishedAt}::timestamptz, now())::timestamptz(3)`

/** Adds errors of a source. One that it has reported already is as new as the newest report. */
export async function insertSuiteErrors(
  tx: Database,
  { id, project }: RunRef,
  errors: readonly SuiteError[],
  { number, shard, finishedAt }: { number: number; shard: string; finishedAt: Date | null },
): Promise<void> {
  const at = buildReportedAt(finishedAt)
  const isStored = sql`
    e.project_id = ${project.id} and e.run_id = ${id} and coalesce(e.source, ${sql.lit(FIRST_SOURCE)}) = ${number}::int
      and e.location = input.location and e.message = input.message`
  await sql`
    with input as materialized (
      select * from unnest(
        ${toArrayLiteral(errors.map(() => uuidv7()))}::uuid[],
        ${toArrayLiteral(errors.map(({ location }) => location))}::text[],
        ${toArrayLiteral(errors.map(({ message }) => message))}::text[]
      ) input (id, location, message)
    ), repeated as (
      update suite_errors e set reported_at = greatest(e.reported_at, ${at}) from input where ${isStored}
    )
    insert into suite_errors (project_id, run_id, id, shard, source, location, message, reported_at)
    select ${project.id}, ${id}, input.id, ${shard}, nullif(${number}::int, ${sql.lit(FIRST_SOURCE)}), input.location,
      input.message, ${at}
    from input where not exists (select from suite_errors e where ${isStored})`.execute(tx)
}

/** Stores how many errors outside of tests a run has. */
export async function countSuiteErrors(tx: Database, { id, project }: RunRef): Promise<void> {
  await sql`
    with counted as materialized (
      select count(*)::int as count from suite_errors where project_id = ${project.id} and run_id = ${id}
    )
    update runs set updated_at = now(), suite_error_count = (select count from counted) where id = ${id}`.execute(tx)
}
