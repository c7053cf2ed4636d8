import { MAX_REPORTED, type Report } from '@caseward/contract/report'
import { sql } from 'kysely'

import type { Database } from '../../platform/database/connect.ts'
import { presentTime } from '../../platform/http/timestamps.ts'
import { selectGroupTests } from '../failures/failure-groups.queries.ts'
import { computeReadiness, PACE_DAYS } from '../milestones/milestone-readiness.ts'
import { selectReadinessCounts } from '../milestones/readiness.queries.ts'

/** Selects the name of a project and the number of its runs since a time; undefined when it is gone. */
export async function selectProject(
  db: Database,
  projectId: string,
  from: Date,
): Promise<{ name: string; run_count: number } | undefined> {
  const { rows } = await sql<{ name: string; run_count: number }>`
    select p.name, (
      select count(*)::int from runs r where r.project_id = p.id and r.created_at >= ${from}
    ) as run_count
    from projects p where p.id = ${projectId}`.execute(db)
  return rows[0]
}

/** Counts the failure groups that were seen first since a time, with those that most tests have. */
export async function selectNewCauses(db: Database, projectId: string, from: Date): Promise<Report['new_causes']> {
  const { rows } = await sql<Report['new_causes']['items'][number] & { total: number }>`
    select replace(s.signature::text, '-', '') as signature, s.title, count(distinct f.test_id)::int as test_count,
      count(*) over ()::int as total
    from failure_signatures s
    join test_failures f on f.project_id = ${projectId} and f.signature = s.signature
    where s.project_id = ${projectId} and s.first_seen_at >= ${from}
    group by s.signature, s.title order by test_count desc, s.signature limit ${sql.lit(MAX_REPORTED)}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    items: rows.map(({ signature, title, test_count }) => ({ signature, title, test_count })),
  }
}

/** Reads which tests became flaky since a time. */
export async function readFlaky(db: Database, projectId: string, from: Date): Promise<Report['flaky']> {
  const { rows } = await sql<{ total: number; added_count: number; ended_count: number; added: string[] | null }>`
    select count(*) filter (where stability = 'flaky')::int as total,
      count(*) filter (where stability = 'flaky' and since >= ${from})::int as added_count,
      count(*) filter (where stability = 'stable' and since >= ${from})::int as ended_count,
      (array_agg(test_id order by score desc, test_id) filter (where stability = 'flaky' and since >= ${from}))[1:${sql.lit(MAX_REPORTED)}] as added
    from unstable_tests where project_id = ${projectId}`.execute(db)
  const { added = null, ...counts } = rows[0] ?? { total: 0, added_count: 0, ended_count: 0 }
  const tests = await selectGroupTests(db, projectId, added ?? [])
  return { ...counts, added: (added ?? []).flatMap((id) => tests.get(id) ?? []) }
}

/** Selects the quarantines that end in the next 7 days. */
export async function selectEnding(db: Database, projectId: string, now: Date): Promise<Report['ending']> {
  const { rows } = await sql<{ test_id: string; owner_name: string | null; expires_at: Date }>`
    select q.test_id, (select name from users where id = q.owner_id) as owner_name, q.expires_at from quarantines q
    where q.project_id = ${projectId} and q.ended_at is null and q.expires_at > ${now}
      and q.expires_at <= ${now}::timestamptz + interval '7 days'
    order by q.expires_at, q.id limit ${sql.lit(MAX_REPORTED)}`.execute(db)
  const tests = await selectGroupTests(
    db,
    projectId,
    rows.map((row) => row.test_id),
  )
  return rows.map(({ test_id: id, owner_name, expires_at: at }) => ({
    test_name: tests.get(id)?.name ?? '',
    owner_name,
    expires_at: presentTime(at),
  }))
}

/** Selects the newest runs since a time to which no report came. */
export async function selectByHandRuns(db: Database, projectId: string, from: Date): Promise<Report['by_hand']> {
  const { rows } = await sql<Report['by_hand'][number]>`
    select id as run_id, name, passed_count as passed, failed_count + blocked_count as failed,
      not_tested_count + retest_count as not_tested
    from runs
    where project_id = ${projectId} and created_at >= ${from} and upload_count = 0 and not is_imported
      and passed_count + failed_count + blocked_count + retest_count + not_tested_count > 0
    order by id desc limit ${sql.lit(MAX_REPORTED)}`.execute(db)
  return rows
}

/** Milestones that a report shows. */
const MAX_MILESTONES = 5

/** Reads how far active milestones are, those that are due first. */
export async function readReadiness(db: Database, projectId: string, now: Date): Promise<Report['readiness']> {
  const { rows } = await sql<{ id: string; name: string }>`
    select m.id, m.name from milestones m
    where m.project_id = ${projectId} and m.parent_id is null and m.status = 'active'
    order by m.due_date nulls last, m.id limit ${sql.lit(MAX_MILESTONES)}`.execute(db)
  const readiness: Report['readiness'] = []
  for (const { id, name } of rows) {
    const counts = await selectReadinessCounts(db, projectId, id, PACE_DAYS)
    if (counts === undefined || counts.total === 0) continue
    const { tested, total, failed, expected_on } = computeReadiness(counts, now)
    readiness.push({ milestone_id: id, name, tested, total, failed, expected_on })
  }
  return readiness
}
