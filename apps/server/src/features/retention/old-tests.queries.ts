import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { lookUpEach } from '../../platform/database/plans.ts'

/** Tests that one transaction changes. Whether one has outcomes is looked up in each run of its project. */
const TESTS_PER_BATCH = 100

/**
 * The runs of a project, for {@link hasNoOutcome}. They come first, because on a distributed database they are not on the node
 * of the tests.
 */
const projectRuns = (projectId: string) => sql`
  project_runs as materialized (select id from runs where project_id = ${projectId})`

/**
 * Condition on a test `t`: no run has an outcome of it. The index of unmatched outcomes answers for most; outcomes from
 * before a link was removed may still be marked as matched, and are looked up run by run. Each table is compared with the
 * parameter, because Citus finds the node of a statement only by that.
 */
const hasNoOutcome = (projectId: string) => sql<boolean>`
  not exists (
    select from test_outcomes o where o.project_id = ${projectId} and o.test_id = t.id and not o.is_matched ${lookUpEach}
  ) and not exists (
    select from project_runs r cross join lateral (
      select from test_outcomes o
      where o.project_id = ${projectId} and o.run_id = r.id and o.test_id = t.id ${lookUpEach}
    ) outcome
    ${lookUpEach}
  )`

const hasNoLink = (projectId: string) => sql<boolean>`
  not exists (select from test_links l where l.project_id = ${projectId} and l.test_id = t.id ${lookUpEach})`

const isUnused = (projectId: string) => sql<boolean>`${hasNoLink(projectId)} and ${hasNoOutcome(projectId)}`

const isUnseen = (projectId: string, before: Date) =>
  sql<boolean>`t.created_at < ${before} and t.retired_at is null and ${isUnused(projectId)}`

export async function selectProjects(db: Database): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select id, name from projects order by name, id`.execute(db)
  return rows
}

/** Counts the tests of a project without a link and without outcomes that became known before a time. */
export async function countOldTests(db: Database, projectId: string, before: Date): Promise<number> {
  const { rows } = await sql<{ tests: number }>`
    with ${projectRuns(projectId)}
    select count(*) as tests from tests t where t.project_id = ${projectId} and ${isUnseen(projectId, before)}`.execute(
    db,
  )
  return rows[0]?.tests ?? 0
}

/**
 * Retires some tests, so that no new upload recognizes them: no title has the id of a test as its digest. The caller holds
 * the lock on the project, under which tests are linked and created. Returns whether there may be more.
 */
export async function retireSomeTests(tx: Database, projectId: string, before: Date): Promise<boolean> {
  const { rows } = await sql`
    with ${projectRuns(projectId)}
    update tests set retired_at = now(), title_digest = id
    where project_id = ${projectId} and id = any(array(
      select t.id from tests t where t.project_id = ${projectId} and ${isUnseen(projectId, before)}
      order by t.id limit ${sql.lit(TESTS_PER_BATCH)}
    ))
    returning id`.execute(tx)
  return rows.length === TESTS_PER_BATCH
}

/** Deletes some tests that were retired before a time and are still not used. Returns whether there may be more. */
export async function deleteSomeRetiredTests(tx: Database, projectId: string, retiredBefore: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    with ${projectRuns(projectId)}
    delete from tests where project_id = ${projectId} and id = any(array(
      select t.id from tests t
      where t.project_id = ${projectId} and t.retired_at < ${retiredBefore} and ${isUnused(projectId)}
      order by t.id limit ${sql.lit(TESTS_PER_BATCH)}
    ))
    returning id`.execute(tx)
  if (rows.length > 0)
    await sql`
      update tests set continues_id = null
      where project_id = ${projectId} and continues_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(tx)
  return rows.length === TESTS_PER_BATCH
}
