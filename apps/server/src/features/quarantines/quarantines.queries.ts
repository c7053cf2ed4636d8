import type { listQuarantines, Quarantine } from '@caseward/contract/quarantines'
import type { Stability, TestQuarantine } from '@caseward/contract/stability'
import { type RawBuilder, sql } from 'kysely'
import type { Static } from '@caseward/contract/static'

import type { ProjectRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { presentNullableTime, presentTime } from '../../platform/http/timestamps.ts'
import { formatTestCaseId } from '../test-cases/test-case-ids.ts'

/*
 * Quarantines stay on the coordinator, and tests are distributed: a statement reads one or the other.
 */

/** Days before the end on which the owner is reminded. */
export const REMINDER_DAYS = 3

type Times = Record<'created_at' | 'expires_at', Date> & { ended_at: Date | null }

/** A quarantine as it is stored. */
export interface QuarantineRow extends Omit<Quarantine, keyof Times | 'test'>, Times {}

/** Whether `quarantines q` is in effect. One whose time is over is ended by a job, a little later. */
export const IS_ACTIVE = sql<boolean>`(q.ended_at is null and q.expires_at > now())`

const fields = sql`
  q.id, q.test_id, q.reason, q.owner_id, (select name from users where id = q.owner_id) as owner_name, q.link, q.branches,
  q.is_automatic, ${IS_ACTIVE} as is_active, q.created_by, q.created_at, q.expires_at,
  coalesce(q.ended_at, case when q.expires_at <= now() then q.expires_at end) as ended_at, q.ended_by, q.end_reason`

interface Filters extends Omit<Static<typeof listQuarantines.schema.querystring>, 'per_page'> {
  ids?: readonly string[]
}

/** Selects a page of the quarantines of a project, and one more, the newest first. */
export async function selectQuarantines(
  db: Database,
  projectId: string,
  filters: Filters,
  limit: number,
): Promise<QuarantineRow[]> {
  const { active, owner_id: ownerId, test_id: testId, ending_within_days: days, after, ids } = filters
  const conditions: RawBuilder<unknown>[] = [sql`q.project_id = ${projectId}`]
  if (active !== undefined) conditions.push(active ? IS_ACTIVE : sql`not ${IS_ACTIVE}`)
  if (days !== undefined) conditions.push(sql`${IS_ACTIVE} and q.expires_at <= now() + make_interval(days => ${days})`)
  if (ownerId !== undefined) conditions.push(sql`q.owner_id::text = ${ownerId}`)
  if (testId !== undefined) conditions.push(sql`q.test_id::text = ${testId}`)
  if (ids !== undefined) conditions.push(sql`q.id = any(${[...ids]}::uuid[])`)
  if (after !== undefined) conditions.push(sql`q.id < ${after}`)
  const { rows } = await sql<QuarantineRow>`
    select ${fields} from quarantines q where ${sql.join(conditions, sql` and `)}
    order by q.id desc limit ${limit}`.execute(db)
  return rows
}

/** Selects a quarantine, and locks it if asked to. */
export async function selectQuarantine(
  db: Database,
  projectId: string,
  id: string,
  { forUpdate = false } = {},
): Promise<QuarantineRow | undefined> {
  const lock = forUpdate ? sql`for update of q` : sql``
  const { rows } = await sql<QuarantineRow>`
    select ${fields} from quarantines q where q.project_id = ${projectId} and q.id = ${id} ${lock}`.execute(db)
  return rows[0]
}

export const countActive = async (db: Database, projectId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from quarantines q where q.project_id = ${projectId} and ${IS_ACTIVE}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Selects the quarantines in effect by test, as lists of tests show them. There is at most one for each, and their number is limited. */
export async function selectActiveByTest(db: Database, projectId: string): Promise<Map<string, TestQuarantine>> {
  const { rows } = await sql<Omit<TestQuarantine, 'expires_at'> & { test_id: string; expires_at: Date }>`
    select q.test_id, q.id, q.reason, q.owner_id, q.branches, q.expires_at
    from quarantines q where q.project_id = ${projectId} and ${IS_ACTIVE}`.execute(db)
  return new Map(
    rows.map(({ test_id: testId, expires_at: at, ...row }) => [testId, { ...row, expires_at: presentTime(at) }]),
  )
}

export interface NewQuarantine {
  id: string
  testId: string
  reason: string
}

/** What all entries of one request have in common. */
export interface QuarantineTerms {
  ownerId: string | null
  createdBy: string | null
  link: string | null
  branches: readonly string[]
  expiresAt: Date
  isAutomatic: boolean
}

/** Inserts quarantines, and returns the tests that have one already, for which none is inserted. */
export async function insertQuarantines(
  tx: Database,
  projectId: string,
  entries: readonly NewQuarantine[],
  terms: QuarantineTerms,
): Promise<Set<string>> {
  const { rows } = await sql<{ test_id: string }>`
    insert into quarantines (project_id, id, test_id, reason, owner_id, link, branches, is_automatic, created_by, expires_at)
    select ${projectId}::uuid, entry.id, entry.test_id, entry.reason, ${terms.ownerId}::uuid, ${terms.link},
      ${[...terms.branches]}::text[], ${terms.isAutomatic}, ${terms.createdBy}::uuid, ${terms.expiresAt}
    from unnest(
      ${entries.map(({ id }) => id)}::uuid[], ${entries.map(({ testId }) => testId)}::uuid[],
      ${entries.map(({ reason }) => reason)}::text[]
    ) as entry (id, test_id, reason)
    on conflict (project_id, test_id) where ended_at is null do nothing
    returning test_id`.execute(tx)
  const inserted = new Set(rows.map(({ test_id: testId }) => testId))
  return new Set(entries.map(({ testId }) => testId).filter((testId) => !inserted.has(testId)))
}

/** Changes a quarantine. An end that is later than the reminder is announced again. */
export async function updateQuarantine(
  tx: Database,
  projectId: string,
  { id, reason, owner_id, link, branches, expires_at }: QuarantineRow,
): Promise<void> {
  await sql`
    update quarantines set reason = ${reason}, owner_id = ${owner_id}, link = ${link}, branches = ${branches}::text[],
      reminded_at = case when ${expires_at} <= now() + make_interval(days => ${sql.lit(REMINDER_DAYS)}) then reminded_at end,
      expires_at = ${expires_at}
    where project_id = ${projectId} and id = ${id}`.execute(tx)
}

export async function updateEnded(
  tx: Database,
  projectId: string,
  id: string,
  { endedBy, reason }: { endedBy: string | null; reason: string | null },
): Promise<void> {
  await sql`
    update quarantines set ended_at = now(), ended_by = ${endedBy}, end_reason = ${reason}
    where project_id = ${projectId} and id = ${id}`.execute(tx)
}

export type QuarantinedTest = NonNullable<Quarantine['test']> & { id: string }

/** Selects tests by id; those that were deleted are missing. */
export async function selectQuarantinedTests(
  db: Database,
  { id: projectId, prefix }: ProjectRef,
  ids: readonly string[],
): Promise<Map<string, QuarantinedTest>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<
    Omit<QuarantinedTest, 'test_case_ids' | 'stability'> & {
      case_numbers: number[]
      stability: Stability | null
    }
  >`
    select t.id, t.suite, t.name, t.variant, t.file, t.module, u.stability,
      array(
        select case_number from test_links where project_id = ${projectId} and test_id = t.id order by case_number
      ) as case_numbers
    from tests t left join unstable_tests u on u.project_id = t.project_id and u.test_id = t.id
    where t.project_id = ${projectId} and t.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(
    rows.map(({ case_numbers: numbers, stability, ...test }) => [
      test.id,
      {
        ...test,
        test_case_ids: numbers.map((number) => formatTestCaseId(prefix, number)),
        stability: stability ?? 'stable',
      },
    ]),
  )
}

/** Adds their tests to quarantines. */
export async function presentQuarantines(
  db: Database,
  project: ProjectRef,
  rows: readonly QuarantineRow[],
): Promise<Quarantine[]> {
  const tests = await selectQuarantinedTests(
    db,
    project,
    rows.map(({ test_id: id }) => id),
  )
  return rows.map((row) => {
    const { id: _id, ...test } = tests.get(row.test_id) ?? { id: null }
    return {
      ...row,
      test: 'name' in test ? test : null,
      created_at: presentTime(row.created_at),
      expires_at: presentTime(row.expires_at),
      ended_at: presentNullableTime(row.ended_at),
    }
  })
}
