import type { LeftOut } from '@caseward/contract/left-out'
import type { AttemptStatus } from '@caseward/contract/test-fields'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'

/** A row of `test_outcomes` as JSON, of which only this is looked at. */
export interface OutcomeRow {
  test_id: string
  status: AttemptStatus
  is_flaky: boolean
  is_matched: boolean
  tested_at: string
  /** Absent in rows of earlier versions. */
  attachment_count?: number | null
}

/** A row of `suite_errors` as JSON. */
export interface SuiteErrorRow {
  id: string
  location: string
}

/** What is left out: the rows as they were, to put them back. */
export type LeftOutRows =
  | { kind: 'test'; content: OutcomeRow; parts: unknown[] | null }
  | { kind: 'suite_error'; content: SuiteErrorRow; parts: null }

/** Runs a deletion and returns the rows as JSON. Citus refuses a conversion in `returning`. */
async function deleteRows<T>(tx: Database, deletion: RawBuilder<unknown>): Promise<T[]> {
  const { rows } = await sql<{ content: T }>`
    with deleted as (${deletion} returning *) select to_json(deleted) as content from deleted`.execute(tx)
  return rows.map(({ content }) => content)
}

/** Deletes the outcome of a test in a run with its parts, and returns the rows; null if there is none. */
export async function deleteOutcome(
  tx: Database,
  { id, project }: RunRef,
  testId: string,
): Promise<(LeftOutRows & { kind: 'test' }) | null> {
  const isOfTest = sql`project_id = ${project.id} and run_id = ${id} and test_id = ${testId}`
  const [content] = await deleteRows<OutcomeRow>(tx, sql`delete from test_outcomes where ${isOfTest}`)
  if (content === undefined) return null
  const parts = await deleteRows(tx, sql`delete from outcome_parts where ${isOfTest}`)
  return { kind: 'test', content, parts: parts.length === 0 ? null : parts }
}

/** Deletes an error outside of tests, and returns the row; null if there is none. */
export async function deleteSuiteError(
  tx: Database,
  { id, project }: RunRef,
  errorId: string,
): Promise<(LeftOutRows & { kind: 'suite_error' }) | null> {
  const [content] = await deleteRows<SuiteErrorRow>(
    tx,
    sql`delete from suite_errors where project_id = ${project.id} and run_id = ${id} and id = ${errorId}`,
  )
  return content === undefined ? null : { kind: 'suite_error', content, parts: null }
}

/** Inserts an outcome with its parts again. Returns false if the test was reported meanwhile. */
export async function insertOutcomeAgain(
  tx: Database,
  { content, parts }: LeftOutRows & { kind: 'test' },
): Promise<boolean> {
  const { rows } = await sql`
    insert into test_outcomes select (json_populate_record(null::test_outcomes, ${JSON.stringify(content)}::json)).*
    on conflict do nothing returning test_id`.execute(tx)
  if (rows.length === 0) return false
  if (parts !== null) {
    await sql`
      insert into outcome_parts
      select * from json_populate_recordset(null::outcome_parts, ${JSON.stringify(parts)}::json)
      on conflict do nothing`.execute(tx)
  }
  return true
}

/** Inserts an error outside of tests again, unless its source has reported it meanwhile. */
export async function insertSuiteErrorAgain(
  tx: Database,
  { id, project }: RunRef,
  { content }: LeftOutRows & { kind: 'suite_error' },
): Promise<void> {
  await sql`
    with input as materialized (
      select * from json_populate_record(null::suite_errors, ${JSON.stringify(content)}::json)
    )
    insert into suite_errors select * from input
    where not exists (
      select from suite_errors e
      where e.project_id = ${project.id} and e.run_id = ${id} and e.source is not distinct from input.source
        and e.location = input.location and e.message = input.message
    )
    on conflict do nothing`.execute(tx)
}

/** Adds an outcome to the counters of a run, or subtracts it. The caller holds the lock on the run. */
export async function countOutcome(
  tx: Database,
  { id }: RunRef,
  { status, is_flaky: isFlaky, is_matched: isMatched }: OutcomeRow,
  sign: 1 | -1,
): Promise<void> {
  const by = (condition: boolean) => (condition ? sign : 0)
  const hasPassed = status === 'passed'
  const hasFailed = status === 'failed' || status === 'blocked'
  const isSkipped = !hasPassed && !hasFailed
  await sql`
    update runs set
      passed_test_count = passed_test_count + ${by(hasPassed)}, failed_test_count = failed_test_count + ${by(hasFailed)},
      skipped_test_count = skipped_test_count + ${by(isSkipped)}, flaky_test_count = flaky_test_count + ${by(isFlaky)},
      unmatched_test_count = unmatched_test_count + ${by(!isMatched)},
      unmatched_passed_count = unmatched_passed_count + ${by(!isMatched && hasPassed)},
      unmatched_failed_count = unmatched_failed_count + ${by(!isMatched && hasFailed)},
      unmatched_skipped_count = unmatched_skipped_count + ${by(!isMatched && isSkipped)}, updated_at = now()
    where id = ${id}`.execute(tx)
}

/** Returns the numbers of the test cases that a test is linked to. */
export async function selectCaseNumbersOfTest(db: Database, projectId: string, testId: string): Promise<number[]> {
  const { rows } = await sql<{ case_number: number }>`
    select case_number from test_links where project_id = ${projectId} and test_id = ${testId} order by 1`.execute(db)
  return rows.map((row) => row.case_number)
}

/** Returns the suite and name of a test in one line. */
export async function selectTestName(db: Database, projectId: string, testId: string): Promise<string> {
  const { rows } = await sql<{ suite: string; name: string }>`
    select suite, name from tests where project_id = ${projectId} and id = ${testId}`.execute(db)
  return rows
    .flatMap(({ suite, name }) => [suite, name])
    .filter((text) => text !== '')
    .join(' > ')
}

export async function selectTestVariant(db: Database, projectId: string, testId: string): Promise<string> {
  const { rows } = await sql<{ variant: string }>`
    select variant from tests where project_id = ${projectId} and id = ${testId}`.execute(db)
  return rows[0]?.variant ?? ''
}

interface LeftOutRow {
  id: string
  kind: LeftOut['kind']
  name: string
  content: Partial<OutcomeRow>
  left_out_by: string | null
  left_out_at: Date
}

const COLUMNS = sql`id, kind, name, content, left_out_by, left_out_at`

const presentLeftOut = ({ content, left_out_at: leftOutAt, ...row }: LeftOutRow): LeftOut => ({
  ...row,
  outcome: content.status ?? null,
  left_out_at: presentTime(leftOutAt),
})

/** Stores what a user leaves out. What was left out before under the same id was reported again since, and is replaced. */
export async function insertLeftOut(
  tx: Database,
  { id, project }: RunRef,
  { kind, content, parts }: LeftOutRows,
  { itemId, name, userId }: { itemId: string; name: string; userId: string },
): Promise<LeftOut> {
  const { rows } = await sql<LeftOutRow>`
    insert into left_out (project_id, run_id, id, kind, name, content, parts, left_out_by)
    values (
      ${project.id}, ${id}, ${itemId}, ${kind}, ${name}, ${JSON.stringify(content)}::json,
      ${parts === null ? null : JSON.stringify(parts)}::json, ${userId}
    )
    on conflict (project_id, run_id, id) do update set
      name = excluded.name, content = excluded.content, parts = excluded.parts, left_out_by = excluded.left_out_by,
      left_out_at = excluded.left_out_at
    returning ${COLUMNS}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('What is left out was not stored.')
  return presentLeftOut(row)
}

/** Deletes what was left out, and returns it with its rows; null if there is none. */
export async function deleteLeftOut(
  tx: Database,
  { id, project }: RunRef,
  itemId: string,
): Promise<{ leftOut: LeftOut; rows: LeftOutRows } | null> {
  const { rows } = await sql<LeftOutRow & { parts: unknown[] | null }>`
    delete from left_out where project_id = ${project.id} and run_id = ${id} and id = ${itemId}
    returning ${COLUMNS}, parts`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  const { parts, ...leftOut } = row
  return { leftOut: presentLeftOut(leftOut), rows: { kind: row.kind, content: row.content, parts } as LeftOutRows }
}

const MAX_LEFT_OUT = 1000

/** What was left out of a run and not reported again, the newest first. */
export async function selectLeftOut(db: Database, { id, project }: RunRef): Promise<LeftOut[]> {
  const { rows } = await sql<LeftOutRow>`
    select ${COLUMNS} from left_out where project_id = ${project.id} and run_id = ${id}
    order by left_out_at desc, id desc limit ${sql.lit(MAX_LEFT_OUT)}`.execute(db)
  if (rows.length === 0) return []
  const ids = `{${rows.map((row) => row.id).join(',')}}`
  const { rows: reported } = await sql<{ test_id: string }>`
    select test_id from test_outcomes
    where project_id = ${project.id} and run_id = ${id} and test_id = any(${ids}::uuid[])`.execute(db)
  const reportedIds = new Set(reported.map((row) => row.test_id))
  return rows.filter((row) => !reportedIds.has(row.id)).map(presentLeftOut)
}
