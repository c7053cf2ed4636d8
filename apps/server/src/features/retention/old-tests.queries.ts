import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'

/** Tests that one transaction changes. Whether one has outcomes is looked up in each run of its project. */
const TESTS_PER_BATCH = 100

/**
 * Condition on a test `t`: no run has an outcome of it. The index of unmatched outcomes answers for most; outcomes from
 * before a link was removed may still be marked as matched, and are looked up run by run.
 */
const hasNoOutcome = sql<boolean>`
  not exists (
    select from test_outcomes o where o.project_id = t.project_id and o.test_id = t.id and not o.is_matched
  ) and not exists (
    select from runs r join test_outcomes o on o.project_id = r.project_id and o.run_id = r.id and o.test_id = t.id
    where r.project_id = t.project_id
  )`

const hasNoLink = sql<boolean>`
  not exists (select from test_links l where l.project_id = t.project_id and l.test_id = t.id)`

const isUnseen = (before: Date): RawBuilder<boolean> =>
  sql<boolean>`t.created_at < ${before} and t.retired_at is null and ${hasNoLink} and ${hasNoOutcome}`

export async function selectProjectIds(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from projects order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Counts the tests without a link and without outcomes that became known before a time, by project. */
export async function countOldTests(db: Database, before: Date, projectId: string | null = null) {
  const { rows } = await sql<{ id: string; name: string; tests: number }>`
    select p.id, p.name, count(*) as tests from tests t join projects p on p.id = t.project_id
    where ${isUnseen(before)} and (${projectId}::uuid is null or t.project_id = ${projectId}::uuid)
    group by p.id order by p.name, p.id`.execute(db)
  return rows
}

/**
 * Retires some tests, so that no new upload recognizes them. The caller holds the lock on the project, under which tests
 * are linked and created. Returns whether there may be more.
 */
export async function retireSomeTests(tx: Database, projectId: string, before: Date): Promise<boolean> {
  const { rows } = await sql`
    update tests set retired_at = now(), title_digest = gen_random_uuid()
    where project_id = ${projectId} and id = any(array(
      select t.id from tests t where t.project_id = ${projectId} and ${isUnseen(before)}
      order by t.id limit ${sql.lit(TESTS_PER_BATCH)}
    ))
    returning id`.execute(tx)
  return rows.length === TESTS_PER_BATCH
}

/** Deletes some tests that were retired before a time and are still not used. Returns whether there may be more. */
export async function deleteSomeRetiredTests(tx: Database, projectId: string, retiredBefore: Date): Promise<boolean> {
  const { rows } = await sql`
    delete from tests where project_id = ${projectId} and id = any(array(
      select t.id from tests t
      where t.project_id = ${projectId} and t.retired_at < ${retiredBefore} and ${hasNoLink} and ${hasNoOutcome}
      order by t.id limit ${sql.lit(TESTS_PER_BATCH)}
    ))
    returning id`.execute(tx)
  return rows.length === TESTS_PER_BATCH
}
