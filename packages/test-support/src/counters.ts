import { type RawBuilder, sql } from 'kysely'
import { expect } from 'vitest'

import type { TestServer } from './test-server.ts'

/** Compares every counter of a project and of its runs with a recount. */
export async function expectCorrectCounters({ db }: TestServer, projectId: string): Promise<void> {
  const { rows: runs } = await sql<{ id: string; stored: object; counted: object }>`
    with r as materialized (select * from runs where project_id = ${projectId})
    select r.id,
      json_build_object('passed', r.passed_count, 'failed', r.failed_count, 'blocked', r.blocked_count,
        'retest', r.retest_count, 'not_tested', r.not_tested_count) as stored,
      (select json_build_object('passed', count(*) filter (where status = 'passed'),
          'failed', count(*) filter (where status = 'failed'), 'blocked', count(*) filter (where status = 'blocked'),
          'retest', count(*) filter (where status = 'retest'),
          'not_tested', count(*) filter (where status = 'not_tested'))
        from test_results t where t.project_id = ${projectId} and t.run_id = r.id) as counted
    from r`.execute(db)
  for (const { id, stored, counted } of runs) expect({ id, ...stored }).toEqual({ id, ...counted })
  await expectCorrectTestCounters(db, projectId)
  await expectCorrectAttachmentCounters(db, projectId)
  await expectCorrectCommentCounters(db, projectId)
  await expectCorrectStepStates(db, projectId)
  await expectCorrectCombinations(db, projectId)
  const { rows: projects } = await sql<{ stored: object; counted: object }>`
    select json_build_object('runs', run_count, 'cases', test_case_count, 'archived', archived_test_case_count) as stored,
      json_build_object('runs', (select count(*) from runs where project_id = p.id),
        'cases', (select count(*) from test_cases where project_id = ${projectId} and archived_at is null),
        'archived', (select count(archived_at) from test_cases where project_id = ${projectId})) as counted
    from projects p where id = ${projectId}`.execute(db)
  for (const { stored, counted } of projects) expect(stored).toEqual(counted)
  const { rows: orphans } = await sql`
    select t.id from test_results t where t.project_id = ${projectId} and (
      t.run_id <> all(array(select id from runs where project_id = ${projectId}))
      or t.case_number is not null and not exists (
        select from test_cases c where c.project_id = t.project_id and c.number = t.case_number))`.execute(db)
  expect(orphans).toEqual([])
}

async function expectCorrectTestCounters(db: TestServer['db'], projectId: string): Promise<void> {
  const { rows } = await sql<{ id: string; stored: object; counted: object }>`
    with r as materialized (select * from runs where project_id = ${projectId})
    select r.id,
      json_build_object('passed', passed_test_count, 'failed', failed_test_count, 'skipped', skipped_test_count,
        'flaky', flaky_test_count, 'unmatched', unmatched_test_count, 'unmatched_passed', unmatched_passed_count,
        'unmatched_failed', unmatched_failed_count, 'unmatched_skipped', unmatched_skipped_count,
        'suite_errors', suite_error_count) as stored,
      (select json_build_object('passed', count(*) filter (where status = 'passed'),
          'failed', count(*) filter (where status in ('failed', 'blocked')),
          'skipped', count(*) filter (where status in ('skipped', 'interrupted')),
          'flaky', count(*) filter (where is_flaky), 'unmatched', count(*) filter (where not is_matched),
          'unmatched_passed', count(*) filter (where not is_matched and status = 'passed'),
          'unmatched_failed', count(*) filter (where not is_matched and status in ('failed', 'blocked')),
          'unmatched_skipped', count(*) filter (where not is_matched and status in ('skipped', 'interrupted')),
          'suite_errors', (select count(*) from suite_errors e where e.project_id = ${projectId} and e.run_id = r.id))
        from test_outcomes o where o.project_id = ${projectId} and o.run_id = r.id) as counted
    from r`.execute(db)
  for (const { id, stored, counted } of rows) expect({ id, ...stored }).toEqual({ id, ...counted })
  const { rows: orphans } = await sql`
    select o.run_id, o.test_id from test_outcomes o where o.project_id = ${projectId} and (
      o.run_id <> all(array(select id from runs where project_id = ${projectId}))
      or not exists (select from tests t where t.project_id = o.project_id and t.id = o.test_id))`.execute(db)
  expect(orphans).toEqual([])
}

/** Compares which results, and combinations, have a state of their steps with those that have step results. */
async function expectCorrectStepStates(db: TestServer['db'], projectId: string): Promise<void> {
  const { rows } = await sql`
    select coalesce(r.id, s.result_id) as id, r.step_state, s.steps
    from (select * from test_results where project_id = ${projectId}) r
      full join (select * from step_results where project_id = ${projectId} and place = 0) s on s.run_id = r.run_id and s.result_id = r.id
    where (r.step_state is null) <> (s.result_id is null)`.execute(db)
  expect(rows).toEqual([])
  const { rows: ofCombinations } = await sql`
    select coalesce(c.result_id, s.result_id) as id, coalesce(c.place, s.place) as place, c.step_state, s.steps
    from (select * from result_combinations where project_id = ${projectId}) c
      full join (select * from step_results where project_id = ${projectId} and place > 0) s
        on s.run_id = c.run_id and s.result_id = c.result_id and s.place = c.place
    where (c.step_state is null) <> (s.result_id is null)`.execute(db)
  expect(ofCombinations).toEqual([])
}

/** Compares the counts of configurations and runs, and what follows from combinations, with a recount. */
async function expectCorrectCombinations(db: TestServer['db'], projectId: string): Promise<void> {
  type Row = { run: string; result: string; place: number; status: string; has_note: boolean }
  const { rows: combinations } = await sql<Row>`
    select run_id as run, result_id as result, configuration as place, status, note is not null as has_note
    from result_combinations where project_id = ${projectId} order by result_id, place`.execute(db)
  const { rows: results } = await sql<{ id: string; status: string; state: number | null; summary: string }>`
    select id, status, combination_state as state, combination_summary as summary from test_results
    where project_id = ${projectId} and (combination_state is not null or id in (
      select result_id from result_combinations where project_id = ${projectId}))`.execute(db)
  const severity = ['failed', 'blocked', 'retest', 'not_tested', 'passed']
  const stored = ['passed', 'failed', 'blocked', 'retest', 'not_tested']
  const worst = new Map<string, string>()
  const summaries = new Map<string, string>()
  for (const { result, status, has_note: hasNote } of combinations) {
    summaries.set(result, `${summaries.get(result) ?? ''}${stored.indexOf(status) + (hasNote ? 5 : 0)}`)
    const known = worst.get(result) ?? 'passed'
    worst.set(result, severity.indexOf(status) < severity.indexOf(known) ? status : known)
  }
  expect(
    results.map(({ id, status, state, summary }) => ({ id, status, state: stored[state ?? -1], summary })),
  ).toEqual(results.map(({ id }) => ({ id, status: worst.get(id), state: worst.get(id), summary: summaries.get(id) })))
  const { rows: configurations } = await sql<{ run: string; place: number; counts: number[] }>`
    select run_id as run, place, array[passed_count, failed_count, blocked_count, retest_count, not_tested_count] as counts
    from run_configurations where project_id = ${projectId}`.execute(db)
  const count = (run: string, place: number) =>
    stored.map((wanted) => combinations.filter((c) => c.run === run && c.place === place && c.status === wanted).length)
  expect(configurations).toEqual(configurations.map((row) => ({ ...row, counts: count(row.run, row.place) })))
  const { rows: runs } = await sql<{ id: string; count: number | null }>`
    select id, combination_count as count from runs where project_id = ${projectId}`.execute(db)
  for (const { id, count: total } of runs) {
    expect({ id, total: total ?? 0 }).toEqual({ id, total: combinations.filter(({ run }) => run === id).length })
    expect(configurations.some(({ run }) => run === id)).toBe(total !== null)
  }
  const known = new Set(configurations.map(({ run, place }) => `${run} ${place}`))
  expect(combinations.filter(({ run, place }) => !known.has(`${run} ${place}`))).toEqual([])
}

/** Runs are on the coordinator: a statement of Citus reads them by themselves before it reads distributed tables. */
const selectRunsApart = (projectId: string) =>
  sql`with r as materialized (select * from runs where project_id = ${projectId})`

/** Runs a statement with the numbers of places, as stored and as counted. */
async function expectEqualCounts(db: TestServer['db'], statement: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ place: string; stored: number | null; counted: number | null }>`${statement}`.execute(db)
  expect(rows.filter(({ stored, counted }) => stored !== counted)).toEqual([])
}

/** Compares the numbers of comments with a recount: null for none, 0 if all are deleted. Every mention is in one of them. */
async function expectCorrectCommentCounters(db: TestServer['db'], projectId: string): Promise<void> {
  const count = sql`case when count(*) > 0 then count(body)::int end`
  const runs = selectRunsApart(projectId)
  await expectEqualCounts(
    db,
    sql`${runs} select 'run ' || r.id as place, r.comment_count as stored, (
      select ${count} from comments c where c.project_id = ${projectId} and c.run_id = r.id and c.result_id is null
    ) as counted from r`,
  )
  await expectEqualCounts(
    db,
    sql`
    select 'result ' || r.id as place, r.comment_count as stored, (
      select ${count} from comments c where c.project_id = ${projectId} and c.run_id = r.run_id and c.result_id = r.id
    ) as counted from test_results r where r.project_id = ${projectId}
    union all
    select 'test case ' || t.number, t.comment_count, (
      select ${count} from comments c where c.project_id = ${projectId} and c.case_number = t.number
    ) from test_cases t where t.project_id = ${projectId}`,
  )
  const { rows: orphans } = await sql`
    select 'comment' as kind, c.id from comments c where c.project_id = ${projectId} and (
      c.run_id is not null and c.run_id <> all(array(select id from runs where project_id = ${projectId}))
      or c.result_id is not null and not exists (
        select from test_results r where r.project_id = ${projectId} and r.run_id = c.run_id and r.id = c.result_id))
    union all
    select 'version', v.comment_id from comment_versions v where v.project_id = ${projectId} and not exists (
      select from comments c where c.project_id = ${projectId} and c.id = v.comment_id and c.body is not null)
    union all
    select 'attachment', a.id from run_attachments a
    where a.project_id = ${projectId} and a.comment_id is not null and not exists (
      select from comments c where c.project_id = ${projectId} and c.id = a.comment_id and c.body is not null)
  `.execute(db)
  expect(orphans).toEqual([])
  const { rows: mentions } = await sql`
    with m as materialized (select * from mentions where project_id = ${projectId})
    select m.comment_id from m where not exists (
      select from comments c where c.project_id = ${projectId} and c.id = m.comment_id and c.body is not null)`.execute(
    db,
  )
  expect(mentions).toEqual([])
}

/** Compares the numbers of attachments, and what the files take, with a recount. Every file is attached, of an upload in parts, or a candidate. */
async function expectCorrectAttachmentCounters(db: TestServer['db'], projectId: string): Promise<void> {
  const runs = selectRunsApart(projectId)
  await expectEqualCounts(
    db,
    sql`${runs} select 'run ' || r.id as place, r.attachment_count as stored, nullif((
      select count(*)::int from run_attachments a where a.project_id = ${projectId} and a.run_id = r.id
    ), 0) as counted from r`,
  )
  await expectEqualCounts(
    db,
    sql`${runs} select 'waiting of run ' || r.id as place, r.waiting_file_count as stored, nullif((
      select count(*)::int from run_attachments a
      where a.project_id = ${projectId} and a.run_id = r.id and a.file_id is null and a.removed_at is null
    ), 0) as counted from r`,
  )
  await expectEqualCounts(
    db,
    sql`
    select 'result ' || r.id as place, r.attachment_count as stored, nullif((
      select count(*)::int from run_attachments a
      where a.project_id = ${projectId} and a.run_id = r.run_id and a.result_id = r.id
    ), 0) as counted from test_results r where r.project_id = ${projectId}
    union all
    select 'outcome ' || o.test_id, o.attachment_count, nullif((
      select count(*)::int from run_attachments a
      where a.project_id = ${projectId} and a.run_id = o.run_id and a.test_id = o.test_id
    ), 0) from test_outcomes o where o.project_id = ${projectId}
    union all
    select 'test case ' || c.number, c.attachment_count, nullif((
      select count(*)::int from case_attachments a where a.project_id = ${projectId} and a.case_number = c.number
    ), 0) from test_cases c where c.project_id = ${projectId}`,
  )
  const { rows: usage } = await sql<{ stored: string; counted: string }>`
    select (select coalesce(sum(byte_count), 0) || ' bytes of ' || coalesce(sum(file_count), 0) || ' files'
        from file_usage where project_id = ${projectId}) as stored,
      (select coalesce(sum(byte_count), 0) || ' bytes of ' || count(*) || ' files'
        from files where project_id = ${projectId}) as counted`.execute(db)
  for (const { stored, counted } of usage) expect(stored).toBe(counted)
  const { rows: orphans } = await sql`
    select 'attachment' as kind, a.id from run_attachments a where a.project_id = ${projectId} and (
      a.run_id <> all(array(select id from runs where project_id = ${projectId}))
      or a.result_id is not null and not exists (
        select from test_results r where r.project_id = ${projectId} and r.run_id = a.run_id and r.id = a.result_id))
    union all
    select 'attachment', a.id from case_attachments a where a.project_id = ${projectId} and not exists (
      select from test_cases c where c.project_id = ${projectId} and c.number = a.case_number)
    union all
    select 'file', f.id from files f where f.project_id = ${projectId}
      and not exists (select from run_attachments a where a.project_id = ${projectId} and a.file_id = f.id)
      and not exists (select from case_attachments a where a.project_id = ${projectId} and a.file_id = f.id)
      and not exists (select from file_candidates c where c.project_id = ${projectId} and c.file_id = f.id)
      and not exists (select from file_uploads u where u.project_id = ${projectId} and u.file_id = f.id)`.execute(db)
  expect(orphans).toEqual([])
}
