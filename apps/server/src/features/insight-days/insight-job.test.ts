import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeTestCases } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { insightJob } from './insight-job.ts'

const server = useSharedServer()
const runJob = async () => await insightJob.run(server.db, new AbortController().signal)
const toDay = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)

async function makeScenario() {
  const scenario = await makeEvaluationScenario(server)
  const projectId = scenario.project.id
  return {
    ...scenario,
    /** Day and series of each test by name, with the version of its row. */
    listSeen: async () => {
      const { rows } = await sql<{ name: string; day: string | null; series: string | null; version: string }>`
        select name, last_seen_on::text as day, last_series as series, xmin::text as version
        from tests where project_id = ${projectId} order by name`.execute(server.db)
      return rows
    },
    listDays: async () =>
      (
        await sql<Record<string, unknown>>`
          select day::text, flaky_count, suspect_count, broken_count, quarantined_count, automated_case_count, case_count,
            is_limited, series
          from insight_days where project_id = ${projectId} order by day`.execute(server.db)
      ).rows,
    moveDay: async (days: number) => {
      await sql`
        update insight_days set day = day - ${days}::int where project_id = ${projectId}`.execute(server.db)
    },
  }
}

describe('the job that counts days', () => {
  it('tells tests the day and the series of their newest settled run, once a day', async () => {
    const { build, evaluate, listSeen, upload, patch } = await makeScenario()
    const old = await build({ goes: 'passed', stays: 'passed' }, { metadata: { branch: 'main' }, daysAgo: 9 })
    const nightly = await build({ stays: 'skipped' }, { metadata: { branch: 'main', suite: 'nightly' }, daysAgo: 2 })
    const open = await build({ waits: 'passed' }, { isOpen: true })
    const fork = await build({ foreign: 'passed' })
    await sql`update runs set is_trusted = false where id = ${fork.id}`.execute(server.db)
    // The newest one first: an older one that is evaluated later does not set back the day.
    for (const { id } of [nightly, old, open, fork]) await evaluate(id)
    await runJob()
    const seen = await listSeen()
    expect(seen.map(({ name, day, series }) => [name, day, series])).toEqual([
      ['foreign', null, null],
      ['goes', toDay(9), ''],
      ['stays', toDay(2), 'nightly'],
      ['waits', null, null],
    ])
    await runJob()
    expect(await listSeen()).toEqual(seen)
    // A run that gets another report, and settles again, is read again.
    await patch(old.id, { status: 'in_progress' })
    await upload(old.id, { added: 'passed' }, { job: 'second' })
    await patch(old.id, { status: 'completed' })
    await evaluate(old.id)
    await runJob()
    expect((await listSeen())[0]).toMatchObject({ name: 'added', day: toDay(9) })
  })

  it('counts the day, and what runs say of yesterday again', async () => {
    const { build, evaluate, quarantine, findTestId, listDays, moveDay, project, link, patch } = await makeScenario()
    const [first = '', second = ''] = await makeTestCases(server, project, 3)
    const runs = [
      await build({ a: 'passed', b: 'failed', c: 'passed' }, { metadata: { branch: 'main' } }),
      await build({ a: 'passed', b: 'passed' }, { metadata: { branch: 'main' } }),
      await build({ a: 'passed' }, { metadata: { branch: 'main', suite: 'nightly' } }),
      await build({ a: 'failed' }, { metadata: { branch: 'feature' } }),
    ]
    for (const { id } of runs) await evaluate(id)
    await link(await findTestId('a'), first)
    await link(await findTestId('b'), first)
    await link(await findTestId('c'), second)
    await sql`
      update test_cases set archived_at = now()
      where project_id = ${project.id} and number = ${Number(second.split('-')[1])}`.execute(server.db)
    await quarantine(await findTestId('b'))
    for (const [name, state] of [
      ['a', 'flaky'],
      ['b', 'broken'],
      ['c', 'suspect'],
    ] as const)
      await sql`
        insert into unstable_tests (project_id, test_id, stability, since, flake_commits, commits, score)
        values (${project.id}, ${await findTestId(name)}, ${state}, now(), 1, 3, 0)
        on conflict (project_id, test_id) do update set stability = excluded.stability`.execute(server.db)
    await runJob()
    const today = {
      day: toDay(0),
      flaky_count: 1,
      suspect_count: 1,
      broken_count: 1,
      quarantined_count: 1,
      automated_case_count: 1,
      case_count: 3,
      is_limited: false,
      series: {
        '': { base_runs: 2, executed: 5, passed: 4, median_ms: 25 },
        nightly: { base_runs: 1, executed: 1, passed: 1, median_ms: 10 },
      },
    }
    expect(await listDays()).toEqual([today])
    // Yesterday keeps what was counted then; a run of it that is excluded today is no base run of it any more.
    await moveDay(1)
    await sql`update runs set created_at = created_at - interval '1 day' where project_id = ${project.id}`.execute(
      server.db,
    )
    await sql`delete from unstable_tests where project_id = ${project.id}`.execute(server.db)
    await patch(runs[0]?.id ?? '', { excluded: true })
    await runJob()
    expect(await listDays()).toEqual([
      {
        ...today,
        day: toDay(1),
        series: { ...today.series, '': { base_runs: 1, executed: 2, passed: 2, median_ms: 20 } },
      },
      { ...today, flaky_count: 0, suspect_count: 0, broken_count: 0, series: {} },
    ])
  })
})
