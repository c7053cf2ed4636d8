import { type GroupSort, MAX_GROUP_DAYS, MAX_GROUP_RUNS } from '@caseward/contract/failure-groups'
import type { Verdict } from '@caseward/contract/verdicts'
import { type RawBuilder, sql } from 'kysely'

import type { RunRef } from '../../access/project-cache.ts'
import type { Database } from '../../platform/database/connect.ts'
import { plannedAnew } from '../../platform/database/plans.ts'
import { toLikePattern } from '../../platform/http/pagination.ts'

/** A failure group, as the database counts it. */
export interface GroupRow {
  signature: string
  title: string
  kind: string
  message: string
  frame: string
  first_seen_at: Date
  test_count: number
  run_count: number
  /** The newest run with it: ids are in the order in which runs are created. */
  last_run_id: string
  /** Some of the tests. */
  test_ids: string[]
  /** What the list is sorted by. */
  sort_key: string
}

/** Which runs are counted. */
export interface GroupRuns {
  days: number
  branch?: string | undefined
  series?: string | undefined
}

const DAY_MS = 86_400_000

/** Selects the newest runs of some days in which a test failed, with the times at which they were created. */
export const selectRunsOfDays = async (
  db: Database,
  projectId: string,
  { days, ...filter }: GroupRuns,
): Promise<Map<string, Date>> =>
  await selectFailingRuns(db, projectId, { from: new Date(Date.now() - days * DAY_MS), ...filter })

/** Selects the newest runs since a time in which a test failed, with the times at which they were created. */
export async function selectFailingRuns(
  db: Database,
  projectId: string,
  { from, branch, series }: Omit<GroupRuns, 'days'> & { from: Date },
): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    select id, created_at from runs
    where project_id = ${projectId} and created_at >= ${from}
      ${branch === undefined ? sql`` : sql`and branch = ${branch}`}
      ${series === undefined ? sql`` : sql`and series = ${series}`}
      and failed_test_count + flaky_test_count > 0
    order by created_at desc, id desc limit ${sql.lit(MAX_GROUP_RUNS)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row.created_at]))
}

export const selectLastRuns = (db: Database, projectId: string): Promise<Map<string, Date>> =>
  selectRunsOfDays(db, projectId, { days: MAX_GROUP_DAYS })

/** Where a page of groups begins. */
export interface GroupCursor {
  key: string
  signature: string
}

/** What a list is sorted by, the largest first: whole numbers, which a cursor repeats exactly. */
const sortKeys: Readonly<Record<GroupSort | 'blocking', RawBuilder<unknown>>> = {
  blocking: sql`((least(g.fresh_count, 1) << 61) + (g.blocking_count << 32) + g.test_count)`,
  tests: sql`g.test_count::bigint`,
  newest: sql`(extract(epoch from s.first_seen_at) * 1000000)::bigint`,
}

/** A failure of an evaluated run has a verdict. */
const joinVerdicts = (projectId: string) =>
  sql`join test_verdicts v on v.project_id = ${projectId} and v.run_id = f.run_id and v.test_id = f.test_id`

export interface GroupQuery {
  runIds: readonly string[]
  search?: string | undefined
  signature?: string | undefined
  /** `blocking`: those that block and were not there before, those with most tests that block, then those with most tests. */
  sort?: keyof typeof sortKeys | undefined
  after?: GroupCursor | undefined
  limit: number
  testLimit: number
}

/** Selects the failure groups of runs. */
export async function selectGroups(
  db: Database,
  projectId: string,
  { runIds, search = '', signature, sort = 'tests', after, limit, testLimit }: GroupQuery,
): Promise<GroupRow[]> {
  if (runIds.length === 0) return []
  const key = sortKeys[sort]
  const isByBlocking = sort === 'blocking'
  const conditions: RawBuilder<unknown>[] = [sql`s.project_id = ${projectId}`]
  if (search !== '') conditions.push(sql`s.title ilike ${toLikePattern(search)}`)
  if (after !== undefined) {
    const { key: lastKey, signature: last } = after
    conditions.push(sql`(${key} < ${lastKey}::bigint or (${key} = ${lastKey}::bigint and g.signature > ${last}::uuid))`)
  }
  const isWanted = signature === undefined ? sql`` : sql`and f.signature = ${signature}::uuid`
  const { rows } = await sql<GroupRow>`${plannedAnew}
    with grouped as (
      select f.signature, count(distinct f.test_id)::int as test_count, count(distinct f.run_id)::int as run_count,
        max(f.run_id::text) as last_run_id, array_agg(distinct f.test_id) as test_ids,
        ${isByBlocking ? sql`count(distinct f.test_id) filter (where v.blocks)` : sql`0`} as blocking_count,
        ${isByBlocking ? sql`count(distinct f.test_id) filter (where v.blocks and v.verdict <> 'already_red')` : sql`0`} as fresh_count
      from test_failures f
      ${isByBlocking ? sql`left ${joinVerdicts(projectId)}` : sql``}
      where f.project_id = ${projectId} and f.run_id = any(${[...runIds]}::uuid[]) ${isWanted}
      group by f.signature
    )
    select replace(g.signature::text, '-', '') as signature, s.title, s.kind, s.message, s.frame, s.first_seen_at,
      g.test_count, g.run_count, g.last_run_id, g.test_ids[1:${sql.lit(testLimit)}] as test_ids,
      ${key}::text as sort_key
    from grouped g join failure_signatures s on s.project_id = ${projectId} and s.signature = g.signature
    where ${sql.join(conditions, sql` and `)}
    order by ${key} desc, g.signature limit ${limit}`.execute(db)
  return rows
}

/** Counts the verdicts of the failures of groups in runs. */
export async function countVerdictsOfGroups(
  db: Database,
  projectId: string,
  runIds: readonly string[],
  signatures: readonly string[],
): Promise<Map<string, Partial<Record<Verdict, number>>>> {
  const counts = new Map<string, Partial<Record<Verdict, number>>>()
  if (signatures.length === 0 || runIds.length === 0) return counts
  const { rows } = await sql<{ signature: string; verdict: Verdict; count: number }>`${plannedAnew}
    select replace(f.signature::text, '-', '') as signature, v.verdict, count(*)::int as count
    from test_failures f
    ${joinVerdicts(projectId)}
    where f.project_id = ${projectId} and f.signature = any(${[...signatures]}::uuid[])
      and f.run_id = any(${[...runIds]}::uuid[])
    group by f.signature, v.verdict`.execute(db)
  for (const { signature, verdict, count } of rows) {
    counts.set(signature, { ...counts.get(signature), [verdict]: count })
  }
  return counts
}

/** In how many runs groups occurred, and in which one last. */
export async function selectOccurrences(
  db: Database,
  projectId: string,
  runIds: readonly string[],
  signatures: readonly string[],
): Promise<Map<string, { run_count: number; last_run_id: string }>> {
  if (signatures.length === 0 || runIds.length === 0) return new Map()
  const { rows } = await sql<{ signature: string; run_count: number; last_run_id: string }>`${plannedAnew}
    select replace(signature::text, '-', '') as signature, count(distinct run_id)::int as run_count,
      max(run_id::text) as last_run_id
    from test_failures
    where project_id = ${projectId} and signature = any(${[...signatures]}::uuid[])
      and run_id = any(${[...runIds]}::uuid[])
    group by signature`.execute(db)
  return new Map(rows.map(({ signature, ...occurrences }) => [signature, occurrences]))
}

/** A test of a group. */
export interface GroupTest {
  id: string
  suite: string
  name: string
  variant: string
  file: string
}

export async function selectGroupTests(
  db: Database,
  projectId: string,
  testIds: readonly string[],
): Promise<Map<string, GroupTest>> {
  if (testIds.length === 0) return new Map()
  const { rows } = await sql<GroupTest>`
    select id, suite, name, variant, file from tests
    where project_id = ${projectId} and id = any(${[...new Set(testIds)]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Counts the tests of groups by day, the oldest first. @param days the day of each run */
export async function countTestsByDay(
  db: Database,
  projectId: string,
  signatures: readonly string[],
  days: ReadonlyMap<string, string>,
): Promise<Map<string, { day: string; tests: number }[]>> {
  const counts = new Map<string, { day: string; tests: number }[]>(signatures.map((signature) => [signature, []]))
  if (days.size === 0 || signatures.length === 0) return counts
  const { rows } = await sql<{ signature: string; day: string; tests: number }>`${plannedAnew}
    select replace(f.signature::text, '-', '') as signature, days.day, count(distinct f.test_id)::int as tests
    from unnest(${[...days.keys()]}::uuid[], ${[...days.values()]}::text[]) as days(run_id, day)
    join test_failures f
      on f.project_id = ${projectId} and f.signature = any(${[...signatures]}::uuid[]) and f.run_id = days.run_id
    group by f.signature, days.day order by days.day`.execute(db)
  for (const { signature, ...count } of rows) counts.get(signature)?.push(count)
  return counts
}

/** Finds the newest failure of a group in a run. */
export async function findSample(
  db: Database,
  { id, project }: Pick<RunRef, 'id' | 'project'>,
  signature: string,
): Promise<{ testId: string; texts: { message: string; details: string }[] } | null> {
  const { rows } = await sql<{ test_id: string; texts: { message: string; details: string }[] | null }>`
    select f.test_id, (
      select json_agg(json_build_object('message', failed.message, 'details', failed.details))
      from (
        select attempt ->> 'message' as message, attempt ->> 'details' as details
        from json_array_elements(o.attempts) with ordinality as attempts(attempt, place)
        where attempt ->> 'status' = 'failed' order by place desc limit 5
      ) failed
    ) as texts
    from test_failures f
    join test_outcomes o on o.project_id = ${project.id} and o.run_id = f.run_id and o.test_id = f.test_id
    where f.project_id = ${project.id} and f.signature = ${signature}::uuid and f.run_id = ${id}
    order by f.test_id limit 1`.execute(db)
  const [row] = rows
  return row === undefined ? null : { testId: row.test_id, texts: row.texts ?? [{ message: '', details: '' }] }
}

/** What is stored of a signature; undefined when the project has none. */
export async function selectSignature(db: Database, projectId: string, signature: string) {
  const { rows } = await sql<Pick<GroupRow, 'title' | 'kind' | 'message' | 'frame' | 'first_seen_at'>>`
    select title, kind, message, frame, first_seen_at from failure_signatures
    where project_id = ${projectId} and signature = ${signature}::uuid`.execute(db)
  return rows[0]
}
