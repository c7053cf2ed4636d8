import type { FailureGroup, FailureGroupDetail } from '@caseward/contract/failure-groups'
import { makeEvaluationScenario } from '@caseward/test-support/evaluation-scenario'
import { makeTestCase } from '@caseward/test-support/factories'
import { useSharedServer } from '@caseward/test-support/test-server'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { fillBuildDataJob } from '../build-data/fill-build-data.ts'
import { deleteOldRuns } from '../retention/delete-old-runs.ts'
import { createRetentionJob } from '../retention/retention-job.ts'
import { forgetEvidenceJob } from './forget-evidence.ts'

const server = useSharedServer()
const PR = { branch: 'feature/cart', base_branch: 'main', pull_request: '17' }

describe('failure groups', () => {
  it('begin with what was not there before, also on a branch that is red already', async () => {
    const { build, evaluate, get } = await makeEvaluationScenario(server)
    const fail = (message: string) => ({ statuses: ['failed'] as const, message })
    const lock = fail('TimeoutError: the lock was not released')
    await build({ a: 'passed', b: 'passed', c: 'passed' })
    const red = await build({ a: lock, b: lock, c: 'passed' })
    const run = await build({ a: lock, b: lock, c: fail('RangeError: out of stock') })
    await evaluate(red.id)
    await evaluate(run.id)
    expect((await get<{ data: FailureGroup[] }>(`/v1/runs/${run.id}/failure-groups`)).data).toMatchObject([
      { kind: 'RangeError', verdicts: { new: 1 } },
      { kind: 'TimeoutError', verdicts: { already_red: 2 } },
    ])
  })

  it('join failures with one cause across tests and runs, and count what the lists have', async () => {
    const { build, evaluate, get, project, token, listVerdicts, link, findTestId } =
      await makeEvaluationScenario(server)
    const refused = (port: number) => ({
      statuses: ['failed'] as const,
      message: `Error: connect ECONNREFUSED 10.0.0.${port}:5432`,
    })
    await build({ a: 'passed', b: 'passed', c: 'passed', d: 'passed' })
    const slow = {
      statuses: ['failed' as const, 'passed' as const],
      message: 'TimeoutError: the lock was not released',
    }
    const first = await build({ a: refused(1), b: 'passed' })
    const run = await build({ a: refused(2), b: refused(3), c: 'failed', d: slow, e: slow })
    await evaluate(first.id)
    await evaluate(run.id)
    const { id: caseId } = await makeTestCase(server, project)
    await link(await findTestId('b'), caseId)
    const body = { url: 'https://tracker.test/SHOP-41', label: 'SHOP-41', kind: 'defect' }
    await server.request('POST', `/v1/projects/${project.id}/test-cases/${caseId}/links`, { token, body })
    const groups = await get<{ data: FailureGroup[]; meta: { next_after: string | null } }>(
      `/v1/runs/${run.id}/failure-groups`,
    )
    expect(groups.data).toMatchObject([
      {
        title: expect.stringMatching(/^Error: connect ECONNREFUSED 10\.0\.0\.[23]:5432$/),
        kind: 'Error',
        test_count: 2,
        run_count: 2,
        verdicts: { already_red: 1, new: 1 },
      },
      { test_count: 1, verdicts: { new: 1 } },
      // It does not block.
      { test_count: 2, verdicts: { flaked: 2 } },
    ])
    const [group] = groups.data
    const issues = [{ label: 'SHOP-41', url: 'https://tracker.test/SHOP-41', is_done: null }]
    expect(groups.data.map((listed) => listed.issues)).toEqual([issues, [], []])
    expect((await listVerdicts(run.id, 'verdict=new')).find(({ name }) => name === 'b')?.issues).toEqual(issues)
    expect(group?.tests.map(({ name }) => name).toSorted()).toEqual(['a', 'b'])
    const ofTest = async (query: string) => (await listVerdicts(run.id, query)).map(({ name }) => name)
    expect(await ofTest(`test_id=${await findTestId('b')}`)).toEqual(['b'])
    expect(await ofTest(`test_id=${await findTestId('b')}&verdict=missing`)).toEqual([])
    const listed = await listVerdicts(run.id, `signature=${group?.signature}`)
    expect(listed).toHaveLength(group?.test_count ?? 0)
    const paged: string[] = []
    for (let after: string | null = ''; after !== null;) {
      const query: string = after === '' ? '' : `&after=${after}`
      const page: typeof groups = await get(`/v1/projects/${project.id}/failure-groups?per_page=1${query}`)
      paged.push(...page.data.map(({ signature }) => signature))
      after = page.meta.next_after
    }
    expect(new Set(paged).size).toBe(3)
    expect(paged[0]).toBe(group?.signature)
    const filter = async (query: string) =>
      (await get<{ data: FailureGroup[] }>(`/v1/projects/${project.id}/failure-groups?${query}`)).data.length
    expect([
      await filter('search=econn'),
      await filter('branch=x'),
      await filter('series=nightly'),
      await filter('series='),
    ]).toEqual([1, 0, 0, 3])
    const list = async (query: string) =>
      (await get<{ data: FailureGroup[] }>(`/v1/projects/${project.id}/failure-groups?${query}`)).data
    const newest = await list('sort=newest&fields=days&time_zone=Asia/Kolkata')
    // The oldest cause, which the first run had.
    expect(newest.map(({ signature }) => signature).indexOf(group?.signature ?? '')).toBe(2)
    const newestPaged = await get<typeof groups>(`/v1/projects/${project.id}/failure-groups?sort=newest&per_page=2`)
    expect(await list(`sort=newest&per_page=2&after=${newestPaged.meta.next_after}`)).toMatchObject([
      { signature: group?.signature },
    ])
    expect((await list('fields=days&branch=x')).length).toBe(0)
    expect(Object.keys((await list(''))[0] ?? {})).not.toContain('days')
    const path = `/v1/projects/${project.id}/failure-groups/${group?.signature}`
    const { data } = await get<{ data: FailureGroupDetail }>(`${path}?time_zone=Asia/Kolkata`)
    expect(data).toMatchObject({
      message: 'connect ECONNREFUSED <addr>',
      run_count: 2,
      test_count: 2,
      days: [{ tests: 2 }],
      sample: { run_id: run.id, message: expect.stringContaining('ECONNREFUSED') },
    })
    expect(data.tests).toHaveLength(2)
    expect(newest[2]?.days).toEqual(data.days)
    expect((await get<{ data: FailureGroupDetail }>(`${path}?branch=x`)).data).toMatchObject({
      test_count: 0,
      days: [],
    })
    await server.expectProblem(400, 'GET', `/v1/projects/${project.id}/failure-groups?fields=days&time_zone=Mars`, {
      token,
    })
    expect((await server.expectProblem(400, 'GET', `${path}?time_zone=Mars`, { token })).errors).toMatchObject([
      { path: '/time_zone' },
    ])
    await server.expectProblem(404, 'GET', `/v1/projects/${project.id}/failure-groups/${'0'.repeat(32)}`, { token })
  })
})

describe('after an upgrade', () => {
  it('a job reads the build data of runs from their metadata, and evaluates the newest', async () => {
    const { build, project, getVerdicts } = await makeEvaluationScenario(server)
    const base = await build({ fails: 'failed' })
    const run = await build({ fails: 'failed' }, { metadata: PR })
    // As a server of an earlier version has left them.
    await sql`
      update runs set branch = null, base_branch = null, pull_request = null, default_branch = null
      where project_id = ${project.id}`.execute(server.db)
    await sql`
      update projects set reported_default_branch = null, insight_filled_at = null where id = ${project.id}`.execute(
      server.db,
    )
    await fillBuildDataJob.run(server.db, new AbortController().signal)
    const { rows } = await sql`
      select branch, base_branch, evaluated_at is not null as is_evaluated from runs
      where project_id = ${project.id} and id = any(${[base.id, run.id]}::uuid[]) order by id`.execute(server.db)
    expect(rows).toEqual([
      { branch: 'main', base_branch: null, is_evaluated: true },
      { branch: 'feature/cart', base_branch: 'main', is_evaluated: true },
    ])
    expect(await getVerdicts(run.id)).toEqual({ fails: 'already_red' })
  })
})

describe('the rows of an evaluation', () => {
  it('are forgotten when they are too old to say anything', async () => {
    const { build, evaluate, project, listFlakeEvents } = await makeEvaluationScenario(server)
    const run = await build({ flakes: ['failed', 'passed'] })
    await evaluate(run.id)
    const age = async (days: number) => {
      await sql`update flake_events set at = now() - make_interval(days => ${days}) where project_id = ${project.id}`.execute(
        server.db,
      )
      await sql`update failure_signatures set first_seen_at = now() - make_interval(days => ${days}) where project_id = ${project.id}`.execute(
        server.db,
      )
      await forgetEvidenceJob.run(server.db, new AbortController().signal)
      const { rows } = await sql`select from failure_signatures where project_id = ${project.id}`.execute(server.db)
      return [(await listFlakeEvents()).length, rows.length]
    }
    expect(await age(399)).toEqual([1, 1])
    expect(await age(401)).toEqual([0, 1])
    await sql`delete from test_failures where project_id = ${project.id}`.execute(server.db)
    expect(await age(89)).toEqual([0, 1])
    expect(await age(91)).toEqual([0, 0])
  })

  it('are deleted with their run, by hand, by age and with the project', async () => {
    const { build, evaluate, project, token, findTestId } = await makeEvaluationScenario(server)
    /** Rows of a run, test or project that there is not. */
    const findOrphans = async () => {
      const of = (table: string, column: string) => sql`
        select ${table}::text as name from ${sql.table(table)} x
        where not exists (select from owners o where o.id = x.${sql.ref(column)})`
      const ofRuns = ['test_failures', 'test_verdicts', 'run_uploads', 'outcome_parts', 'test_outcomes', 'suite_errors']
      const ofTests = [
        'test_failures',
        'test_verdicts',
        'flake_events',
        'unstable_tests',
        'test_outcomes',
        'test_links',
      ]
      const ofProjects = [
        'failure_signatures',
        'flake_events',
        'unstable_tests',
        'quarantines',
        'insight_days',
        'tests',
      ]
      const { rows } = await sql`
        with owners as materialized (
          select id from runs union all select id from tests union all select id from projects
        )
        ${sql.join(
          [
            ...ofRuns.map((table) => of(table, 'run_id')),
            ...ofTests.map((table) => of(table, 'test_id')),
            ...ofProjects.map((table) => of(table, 'project_id')),
          ],
          sql` union all `,
        )}`.execute(server.db)
      return rows
    }
    const count = async () => {
      const { rows } = await sql<{ name: string; count: number }>`
        select 'failures' as name, count(*)::int as count from test_failures where project_id = ${project.id}
        union all select 'verdicts', count(*)::int from test_verdicts where project_id = ${project.id}
        union all select 'signatures', count(*)::int from failure_signatures where project_id = ${project.id}
        union all select 'events', count(*)::int from flake_events where project_id = ${project.id}`.execute(server.db)
      return Object.fromEntries(rows.map((row) => [row.name, row.count]))
    }
    const byHand = await build({ fails: 'failed', flakes: ['failed', 'passed'] })
    const byAge = await build({ fails: 'failed' })
    const left = await build({ fails: 'failed' })
    for (const { id } of [byHand, byAge, left]) await evaluate(id)
    expect(await count()).toEqual({ failures: 4, verdicts: 4, signatures: 2, events: 1 })
    await server.request('DELETE', `/v1/runs/${byHand.id}`, { token })
    expect(await count()).toMatchObject({ failures: 2, verdicts: 2 })
    await sql`update runs set completed_at = now() - interval '400 days' where id = ${byAge.id}`.execute(server.db)
    const limits = { signal: new AbortController().signal, deadline: Infinity }
    await deleteOldRuns(server.db, new Date(Date.now() - 300 * 86_400_000), limits)
    expect(await count()).toMatchObject({ failures: 1, verdicts: 1 })
    expect(await findOrphans()).toEqual([])
    // A test that no run has any more goes with what was known of it.
    await sql`
      update tests set created_at = now() - interval '99 days', retired_at = now() - interval '1 day', title_digest = id
      where project_id = ${project.id} and name = 'flakes'`.execute(server.db)
    const settings = { runRetentionDays: null, testRetentionDays: 30, runFileRetentionDays: null }
    await createRetentionJob(settings).run(server.db, new AbortController().signal)
    expect(await findTestId('flakes')).toBe('')
    expect(await findOrphans()).toEqual([])
    expect(await count()).toMatchObject({ failures: 1, events: 0 })
    await server.request('DELETE', `/v1/projects/${project.id}`, { token })
    expect(await count()).toEqual({ failures: 0, verdicts: 0, signatures: 0, events: 0 })
    expect(await findOrphans()).toEqual([])
  })
})
